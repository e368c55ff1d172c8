import { CHAIN_START, type ChainFault, type ChainPage, type ChainPosition } from '@tempera/platform';

/** Rows of one statement, far below the statement timeout. */
const PAGE_ROWS = 5_000;
/** Pages of one request; a longer chain is checked in several. */
const MAX_PAGES = 20;

/** A head that was kept elsewhere. */
export interface KeptHead {
  readonly seq: bigint;
  readonly hash: string;
}

export interface ChainCheck {
  readonly checked: number;
  readonly isComplete: boolean;
  readonly bad: { readonly seq: bigint; readonly fault: ChainFault | 'head' } | null;
  readonly end: ChainPosition;
}

export const hexOf = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');

/**
 * Checks a chain page by page, each in a transaction of its own, up to its first bad row.
 * @param after where an earlier request ended
 * @param kept compared with the row of its number; missing at the end of the chain, the tail was cut off
 */
export const verifyChain = async (
  readPage: (after: ChainPosition, limit: number) => Promise<ChainPage>,
  { after = CHAIN_START, kept = null }: { readonly after?: ChainPosition; readonly kept?: KeptHead | null } = {},
): Promise<ChainCheck> => {
  let end = after;
  let checked = 0;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    // A page that ends with the kept head, so that its hash can be looked at.
    const toKept = kept !== null && kept.seq > end.seq ? Number(kept.seq - end.seq) : PAGE_ROWS;
    const limit = Math.min(PAGE_ROWS, toKept);
    const { checked: rows, last, bad } = await readPage(end, limit);
    checked += rows;
    if (bad !== null) return { checked, isComplete: true, bad, end };
    end = last ?? end;
    if (kept !== null && end.seq === kept.seq && hexOf(end.hash) !== kept.hash) {
      return { checked, isComplete: true, bad: { seq: kept.seq, fault: 'head' }, end };
    }
    if (rows < limit) {
      const isCut = kept !== null && end.seq < kept.seq;
      return { checked, isComplete: true, bad: isCut ? { seq: end.seq + 1n, fault: 'head' } : null, end };
    }
  }
  return { checked, isComplete: false, bad: null, end };
};
