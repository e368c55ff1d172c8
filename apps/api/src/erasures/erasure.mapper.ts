import type { Erasure as ErasureRecord } from '@tempera/platform';
import type { Erasure } from './erasure.types.js';
import { toRowCounts } from './row-count.types.js';

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
  counts: toRowCounts(counts),
  traces: toRowCounts(traces),
  mentions: toRowCounts(mentions),
});
