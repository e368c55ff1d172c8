import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import type { Terminal } from '../../output/terminal.js';

/** The answer to a check of a hash chain. */
export const verdictShape = z.object({
  intact: z.boolean(),
  complete: z.boolean(),
  checked: z.number(),
  firstBadSeq: z.string().nullable(),
  fault: z.string().nullable(),
  headSeq: z.string().nullable(),
  headHash: z.string().nullable(),
  endCursor: z.string().nullable(),
});
/** What a check found. */
export type Verdict = z.output<typeof verdictShape>;

const FAULTS: Readonly<Record<string, string>> = {
  CONTENT: 'it was changed',
  GAP: 'rows before it are missing',
  HEAD: 'the head that was kept is not in the chain',
  LINK: 'it names another row before it',
};

/** Says whether a chain is whole. @throws AppError `conflict` at the first bad row, which exits with 5 */
export const tellVerdict = (verdict: Verdict, terminal: Terminal): void => {
  const { intact, checked, firstBadSeq, fault, headSeq, headHash } = verdict;
  if (!intact) {
    const why = FAULTS[fault ?? ''] ?? 'it does not fit';
    throw new AppError('conflict', 'chain-broken', `The chain is broken at row ${firstBadSeq ?? '?'}: ${why}.`, {
      details: { fix: 'Keep what is there, and ask whoever runs the database what happened.' },
    });
  }
  const head =
    headSeq === null
      ? []
      : [`Head: ${headSeq}:${headHash ?? ''} (keep it elsewhere: a tail that was cut off shows only against it).`];
  terminal.result([`${terminal.paint('green', 'Intact')}: ${checked} rows checked.`, ...head], verdict);
};
