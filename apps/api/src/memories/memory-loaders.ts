import { Inject, Injectable } from '@nestjs/common';
import { type MemoryId, SESSION_MATE_WEIGHT, type UserId } from '@tempera/core';
import {
  type Doors,
  findSessionMates,
  type MemoryRecord,
  type PastRevision,
  readContributors,
  readMemories,
  readRelated,
  readRevisions,
} from '@tempera/platform';
import DataLoader from 'dataloader';
import type { Caller } from '../auth/caller.js';
import { groupedInOrderOf } from '../graphql/in-order-of.js';
import type { LoaderDefinition } from '../graphql/loaders.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import type { RelatedKind } from './memory.enums.js';

/** So much is told of one memory; a page of a hundred with all their texts must still fit into an answer. */
export const REVISIONS_SHOWN = 20;
export const RELATED_SHOWN = 10;
export const SESSION_MATES_SHOWN = 3;
export const CONTRIBUTORS_SHOWN = 20;

/** A related memory with its row. */
export interface RelatedRecord {
  readonly memoryId: MemoryId;
  readonly kind: RelatedKind;
  readonly weight: number;
  readonly record: MemoryRecord;
}

/** What hangs on memories, read once for all memories of a request. */
@Injectable()
export class MemoryLoaders {
  readonly revisions: LoaderDefinition<MemoryId, PastRevision[]> = (caller) =>
    new DataLoader(async (ids) => {
      const found = await this.doors.asTenant(caller, (tx) => readRevisions(tx, caller.tenantId, ids, REVISIONS_SHOWN));
      return groupedInOrderOf(ids, found, ({ memoryId }) => memoryId);
    });

  readonly contributors: LoaderDefinition<MemoryId, UserId[]> = (caller) =>
    new DataLoader(async (ids) => {
      const found = await this.doors.asTenant(caller, (tx) =>
        readContributors(tx, caller.tenantId, ids, CONTRIBUTORS_SHOWN),
      );
      const grouped = groupedInOrderOf(ids, found, ({ memoryId }) => memoryId);
      return grouped.map((people) => people.map(({ userId }) => userId));
    });

  readonly related: LoaderDefinition<MemoryId, RelatedRecord[]> = (caller) =>
    new DataLoader(async (ids) =>
      groupedInOrderOf(ids, await this.readRelated(caller, ids), ({ memoryId }) => memoryId),
    );

  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  private readRelated(caller: Caller, ids: readonly MemoryId[]): Promise<RelatedRecord[]> {
    const { tenantId } = caller;
    return this.doors.asTenant(caller, async (tx) => {
      const links = await readRelated(tx, tenantId, ids, RELATED_SHOWN);
      const mates = await findSessionMates(tx, tenantId, ids, {
        perMemory: SESSION_MATES_SHOWN,
        now: this.clock.now(),
      });
      const linked = new Set(links.map(({ memoryId, relatedId }) => `${memoryId} ${relatedId}`));
      const sessions = [...mates].flatMap(([memoryId, of]) =>
        of
          .filter((relatedId) => !linked.has(`${memoryId} ${relatedId}`))
          .map((relatedId) => ({ memoryId, relatedId, kind: 'session' as const, weight: SESSION_MATE_WEIGHT })),
      );
      const wanted = [...links, ...sessions];
      const records = await readMemories(tx, tenantId, [...new Set(wanted.map(({ relatedId }) => relatedId))]);
      return wanted.flatMap(({ relatedId, ...pair }) => {
        const record = records.get(relatedId);
        return record === undefined ? [] : [{ ...pair, record }];
      });
    });
  }
}
