import type { UserId } from '@tempera/core';
import type { PastRevision } from '@tempera/platform';
import type { RelatedRecord } from './memory-loaders.js';
import { toMemory } from './memory.mapper.js';
import type { Memory, Related, Revision } from './memory.types.js';

/** All texts of a memory, the present one first. Each is dated by when it came. */
export const toRevisions = (memory: Memory, past: readonly PastRevision[]): Revision[] => {
  // A past text knows when it was replaced, which is when the next one came.
  const cameAt = new Map(past.map(({ revision, replacedAt }) => [revision + 1, replacedAt]));
  const dated = (revision: number): Date => cameAt.get(revision) ?? memory.createdAt;
  const present: Revision = {
    authorId: memory.writtenBy,
    revision: memory.revision,
    title: memory.title,
    text: memory.text,
    reason: memory.writtenAs,
    createdAt: dated(memory.revision),
  };
  return [
    present,
    ...past.map(({ authorId, revision, title, text, reason }) => ({
      authorId,
      revision,
      title,
      text,
      reason,
      createdAt: dated(revision),
    })),
  ];
};

export const toRelated = (related: readonly RelatedRecord[], viewerId: UserId, now: Date): Related[] =>
  related.map(({ kind, weight, record }) => ({ kind, weight, memory: toMemory(record, viewerId, now) }));
