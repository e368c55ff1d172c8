import type { Removed } from './redact.js';

/** What was taken out of several texts, as one list: by type, each once. */
export const sumRemoved = (lists: Iterable<readonly Removed[]>): Removed[] => {
  const counts = new Map<string, number>();
  for (const { type, count } of [...lists].flat()) counts.set(type, (counts.get(type) ?? 0) + count);
  return [...counts].map(([type, count]) => ({ type, count })).sort((a, b) => (a.type < b.type ? -1 : 1));
};

/** What was taken out, in one line: `removed 1 github-pat, 2 private`; nothing where nothing was. */
export const removedLine = (removed: readonly Removed[]): string | null =>
  removed.length === 0 ? null : `removed ${removed.map(({ type, count }) => `${count} ${type}`).join(', ')}`;
