import { Inject, Injectable } from '@nestjs/common';
import { endingConflict, findConflicts, type MemoryId } from '@tempera/core';
import {
  type ConflictLink,
  type Doors,
  fullTextOf,
  isRefused,
  listConflicts,
  MAX_TEXT_BYTES,
  type MemoryRecord,
  readMemories,
  titleOf,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { type PageArgs, Paging } from '../graphql/paging.js';
import { CaptureEmbedder } from '../memories/capture-embedder.js';
import { checkBytes, checkOptionalText, refuse } from '../memories/check-input.js';
import { EmbeddingLoop } from '../memories/embedding-loop.js';
import { inWords } from '../memories/meet.js';
import { toMemory } from '../memories/memory.mapper.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { requireProject } from '../projects/require-project.js';
import type { Conflict, ConflictPage, ConflictResolution, ResolveConflictInput } from './conflict.types.js';
import type { JointWords } from './merge-sides.js';
import { maintainersResolve, noSuchConflict, resolveConflict } from './resolve-conflict.js';

const MAX_REASON = 500;

/** Memories that contradict each other, for who may decide which of them holds. */
@Injectable()
export class ConflictsService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly paging: Paging,
    private readonly embedder: CaptureEmbedder,
    private readonly loop: EmbeddingLoop,
  ) {}

  /** @throws AppError `not-found` for a project that is not there for the caller */
  async page(caller: Caller, args: PageArgs, slug: string | null): Promise<ConflictPage> {
    const request = this.paging.request(args, { tenantId: caller.tenantId, list: 'conflicts', filter: slug });
    const [foundAtText, from, to] = request.after ?? [];
    const after =
      foundAtText === undefined || from === undefined || to === undefined ? null : { foundAtText, from, to };
    const now = this.clock.now();
    return this.doors.asTenant(caller, async (tx) => {
      const project = slug === null ? null : await requireProject(tx, caller.tenantId, slug);
      const rows = await listConflicts(tx, caller.tenantId, project?.id ?? null, { after, take: request.take, now });
      const { nodes, pageInfo } = this.paging.pageOf(rows, request, (row) => [row.foundAtText, row.from, row.to]);
      const records = await readMemories(tx, caller.tenantId, [
        ...new Set(nodes.flatMap(({ from: a, to: b }) => [a, b])),
      ]);
      return { nodes: nodes.flatMap((link) => toConflict(link, records, caller, now) ?? []), pageInfo };
    });
  }

  /**
   * @throws AppError `not-found` unless the caller sees both and they are a conflict, `forbidden` unless they answer for both,
   * `conflict` for what no longer stands or was decided otherwise
   */
  async resolve(caller: Caller, input: ResolveConflictInput): Promise<Conflict> {
    const reason = checkOptionalText(input.reason, { name: 'reason', max: MAX_REASON });
    const words = await this.readWords(caller, input);
    const now = this.clock.now();
    try {
      return await this.doors.asTenant(caller, async (tx) => {
        const { link, records, runId } = await resolveConflict(tx, { ...input, caller, reason, words, now });
        const conflict = toConflict(link, records, caller, now);
        if (conflict === null) throw noSuchConflict();
        return { ...conflict, runId };
      });
    } catch (error) {
      if (isRefused(error)) throw maintainersResolve();
      throw error;
    } finally {
      this.loop.wake();
    }
  }

  /** What shall stand for both, read before the transaction: none waits for an encoder. */
  private async readWords(caller: Caller, { text, resolution }: ResolveConflictInput): Promise<JointWords | null> {
    if (text === undefined || text === null) return null;
    if (resolution !== 'merge') throw refuse('text-not-needed', '`text` goes with resolution MERGE.');
    const checked = checkBytes(text, 'text', MAX_TEXT_BYTES);
    const draft = { title: titleOf(checked), text: checked, kind: 'episode', merge: 'never' } as const;
    return { text: checked, embedded: await this.embedder.embed(caller, draft) };
  }
}

/** As the caller is shown it: `first` is the one that was there. */
const toConflict = (
  link: ConflictLink,
  records: ReadonlyMap<MemoryId, MemoryRecord>,
  caller: Caller,
  now: Date,
): Conflict | null => {
  const [first, second] = [records.get(link.to), records.get(link.from)];
  if (first === undefined || second === undefined) return null;
  return {
    first: toMemory(first, caller.userId, now),
    second: toMemory(second, caller.userId, now),
    similarity: link.similarity,
    differences: [...findConflicts(fullTextOf(first), fullTextOf(second)), ...endingConflict(first, second)].map(
      inWords,
    ),
    foundAt: link.foundAt,
    resolution: link.resolution === null ? null : RESOLVED[link.resolution],
    reason: link.reason,
    runId: null,
  };
};

const RESOLVED: Readonly<Record<NonNullable<ConflictLink['resolution']>, ConflictResolution>> = {
  keep_both: 'keep_both',
  keep_to: 'keep_first',
  keep_from: 'keep_second',
  merged: 'merge',
};
