import type { Erasure as ErasureRecord } from '@tempera/platform';
import type { Erasure, RowCount } from './erasure.types.js';

const toRows = (counts: Readonly<Record<string, number>>): RowCount[] =>
  Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, rows]) => ({ what, rows }));

export const toErasure = ({
  choice,
  toUserId,
  searched,
  counts,
  traces,
  mentions,
  ...row
}: ErasureRecord): Erasure => ({
  ...row,
  sharedMemories: choice,
  transferTo: toUserId,
  searchedColumns: searched,
  counts: toRows(counts),
  traces: toRows(traces),
  mentions: toRows(mentions),
});
