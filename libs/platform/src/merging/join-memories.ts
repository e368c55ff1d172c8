import { type MemoryId, withoutLeaving } from '@tempera/core';
import type { MemoryContent } from '../database/repositories/memory-record.js';
import type { MergeState, SurvivorState } from '../database/repositories/upkeep-merge.js';
import { mergeContent } from './merge-content.js';

/** What a survivor says once others are merged into it: its own text, and what all know beside it. */
export const joinContent = (survivor: MemoryContent, merged: readonly MemoryContent[]): MemoryContent =>
  merged.reduce<MemoryContent>(
    (content, memory) => ({
      ...mergeContent(memory, content),
      expiresAt: laterEnd(content.expiresAt, memory.expiresAt),
    }),
    survivor,
  );

/** What holds without end goes on holding, merged with what ends or not. */
const laterEnd = (one: Date | null, other: Date | null): Date | null => {
  if (one === null || other === null) return null;
  return one > other ? one : other;
};

/**
 * What a survivor says itself: all it says but for what earlier merges brought, so that each merge can be undone in
 * whatever order. Facts that an earlier merge changed and nobody since are what they were before it.
 */
export const ownState = ({ now, last, parts }: SurvivorState): MergeState => {
  if (last === null || parts.length === 0) return now;
  const { before, after } = last;
  const own = <Key extends 'tags' | 'filesModified' | 'errorsResolved' | 'alternatives'>(key: Key): MergeState[Key] => {
    const leaving = parts.flatMap((part): readonly unknown[] => part[key]);
    return withoutLeaving<unknown>(now[key], { leaving, kept: before[key] }) as unknown as MergeState[Key];
  };
  const fact = <Key extends keyof MergeState>(key: Key): MergeState[Key] =>
    now[key] === after[key] ? before[key] : now[key];
  return {
    tags: own('tags'),
    filesModified: own('filesModified'),
    errorsResolved: own('errorsResolved'),
    alternatives: own('alternatives'),
    taskType: fact('taskType'),
    outcome: fact('outcome'),
    validity: fact('validity'),
    verification: fact('verification'),
    pinned: fact('pinned'),
    expiresAt: fact('expiresAt'),
    keywords: fact('keywords'),
    keywordCount: fact('keywordCount'),
  };
};

/** One merge: ids of what goes, and what of the survivor. */
export interface Joining {
  readonly survivorId: MemoryId;
  readonly mergedIds: readonly MemoryId[];
  /** The survivor was made for the merge, and goes with it. */
  readonly isNew?: boolean;
}
