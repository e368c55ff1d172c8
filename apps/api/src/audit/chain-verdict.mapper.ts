import type { ChainVerdict } from './chain-verdict.types.js';
import { type ChainCheck, hexOf } from './verify-chain.js';

/** @param endCursor where the next request goes on, when this one did not reach the end */
export const toVerdict = ({ checked, isComplete, bad, end }: ChainCheck, endCursor: string | null): ChainVerdict => ({
  intact: bad === null,
  complete: isComplete,
  checked,
  firstBadSeq: bad === null ? null : String(bad.seq),
  fault: bad?.fault ?? null,
  headSeq: end.seq === 0n ? null : String(end.seq),
  headHash: end.seq === 0n ? null : hexOf(end.hash),
  endCursor: isComplete ? null : endCursor,
});
