import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import { asId, type MemoryId } from '@tempera/core';
import {
  countMemories,
  type Doors,
  findByIdPrefix,
  listMemories,
  type MemoryListFilter,
  type MemoryRecord,
  type MemoryState,
  readMemories,
  readTextsThen,
  type TextThen,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { parseUuid } from '../graphql/ids.js';
import { type PageArgs, Paging } from '../graphql/paging.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { requireGroup } from '../groups/require-group.js';
import { requireProject } from '../projects/require-project.js';
import { checkAsOf, inWordsOfThen } from './as-of.js';
import type { MemoryFilter } from './capture.input.js';
import { checkFilter, hasItems, refuse } from './check-input.js';
import { toMemory } from './memory.mapper.js';
import type { Memory, MemoryPage } from './memory.types.js';
import { noSuchMemory } from './no-such-memory.js';

const SHORT_ID = /^[0-9a-f]{8}$/i;
/** Two are enough to know that a short id is not one memory; a few more help to choose. */
const AMBIGUOUS_SHOWN = 5;

/** Lists memories and finds one. */
@Injectable()
export class MemoriesService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly paging: Paging,
  ) {}

  /** By a whole id or its first eight hex characters. @throws AppError `not-found`, `conflict` for an ambiguous short id */
  async one(caller: Caller, id: string): Promise<Memory> {
    return this.doors.asTenant(caller, async (tx) => {
      const memoryId = await resolveId(tx, caller, id);
      const record =
        memoryId === null ? undefined : (await readMemories(tx, caller.tenantId, [memoryId])).get(memoryId);
      if (record === undefined) throw noSuchMemory();
      return toMemory(record, caller.userId, this.clock.now());
    });
  }

  /** Visible memories, newest first; the count is of the whole list, as far as the caller may see it. */
  async page(caller: Caller, args: PageArgs, given: MemoryFilter | null): Promise<MemoryPage> {
    const request = this.paging.request(args, { tenantId: caller.tenantId, list: 'memories', filter: given });
    const [createdAtText, id] = request.after ?? [];
    const after = createdAtText === undefined || id === undefined ? null : { createdAtText, id };
    return this.doors.asTenant(caller, async (tx) => {
      const now = this.clock.now();
      const filter = await toListFilter(tx, caller, given, now);
      const rows = await listMemories(tx, caller.tenantId, filter, { after, take: request.take });
      const totalCount = await countMemories(tx, caller.tenantId, filter);
      const { nodes, pageInfo } = this.paging.pageOf<MemoryRecord>(rows, request, (row) => [row.createdAtText, row.id]);
      const then = await textsThen(tx, caller, nodes, filter.asOf);
      const shown = nodes.map((record) => inWordsOfThen(record, then.get(record.id)));
      return { nodes: shown.map((record) => toMemory(record, caller.userId, now)), pageInfo, totalCount };
    });
  }
}

/**
 * The visible memory with this id or short id; null where there is none, or where it is no id at all.
 * @throws AppError `conflict` that lists what a short id could mean
 */
export const resolveId = async (tx: Tx, caller: Caller, id: string): Promise<MemoryId | null> => {
  const trimmed = id.trim();
  if (!SHORT_ID.test(trimmed)) {
    const whole = parseUuid(trimmed);
    return whole === null ? null : asId<MemoryId>(whole);
  }
  const found = await findByIdPrefix(tx, caller.tenantId, trimmed.toLowerCase(), AMBIGUOUS_SHOWN);
  if (found.length > 1) {
    throw new AppError('conflict', 'ambiguous-id', `${trimmed} could be any of ${found.join(', ')}.`, {
      details: { ids: found },
    });
  }
  return found[0] ?? null;
};

const toListFilter = async (
  tx: Tx,
  caller: Caller,
  given: MemoryFilter | null,
  now: Date,
): Promise<MemoryListFilter> => {
  const { project, group, scope, kinds, mine, pinned, since, until, superseded } = given ?? {};
  const state = given?.refuted === true ? 'refuted' : given?.state;
  const tags = checkFilter(given?.tags, { name: 'tags', max: 100, maxItems: 50 });
  const files = checkFilter(given?.files, { name: 'files', max: 1_000, maxItems: 50 });
  if (since && until && since > until) throw refuse('range', '`since` lies after `until`.');
  const found = project ? await requireProject(tx, caller.tenantId, project) : null;
  const within = group ? await requireGroup(tx, caller.tenantId, group) : null;
  const asOf = checkAsOf(given?.asOf, now);
  if (asOf !== null && (superseded != null || (state ?? 'active') !== 'active')) {
    throw refuse(
      'as-of-state',
      '`asOf` tells what stood then; it goes with neither `state`, `refuted` nor `superseded`.',
    );
  }
  return {
    ...(asOf === null ? standing(state ?? 'active', superseded ?? null, now) : { state: 'active', asOf }),
    ...(found === null ? {} : { projectId: found.id }),
    ...(within === null ? {} : { groupId: within.id }),
    ...(scope ? { scope } : {}),
    ...(hasItems(kinds) ? { kinds } : {}),
    ...(tags ? { tags } : {}),
    ...(files ? { files } : {}),
    ...(mine === true ? { ownerId: caller.userId } : {}),
    ...(pinned === undefined || pinned === null ? {} : { pinned }),
    ...(since ? { since } : {}),
    ...(until ? { until } : {}),
  };
};

/** What was put away is listed whether or not it had given way before. */
const standing = (
  state: MemoryState,
  superseded: boolean | null,
  now: Date,
): Pick<MemoryListFilter, 'state' | 'superseded' | 'unexpiredAt'> => ({
  state,
  // What has expired is in no answer; the night puts it among the archived.
  ...(state === 'active' ? { unexpiredAt: now } : {}),
  ...(superseded === null && state !== 'active' ? {} : { superseded: superseded ?? false }),
});

const textsThen = async (
  tx: Tx,
  caller: Caller,
  records: readonly MemoryRecord[],
  asOf: Date | undefined,
): Promise<ReadonlyMap<MemoryId, TextThen>> =>
  asOf === undefined
    ? new Map()
    : readTextsThen(
        tx,
        caller.tenantId,
        records.map(({ id }) => id),
        asOf,
      );
