import type { Tx } from '../context.js';

/** Where a check of a chain stands: it goes on after this row, whose hash the next one must name. */
export interface ChainPosition {
  readonly seq: bigint;
  readonly hash: Uint8Array;
}

/** Before the first row. */
export const CHAIN_START: ChainPosition = { seq: 0n, hash: new Uint8Array(32) };

/**
 * What is wrong with a row: `gap` (rows before it are missing, or it stands elsewhere), `link` (it names another row before
 * it), `content` (its own hash does not fit what it says).
 */
export type ChainFault = 'gap' | 'link' | 'content';

/** A checked page of a chain. */
export interface ChainPage {
  readonly checked: number;
  /** The last row of the page; null when no row follows. */
  readonly last: ChainPosition | null;
  readonly bad: { readonly seq: bigint; readonly fault: ChainFault } | null;
}

interface VerdictRow {
  checked: number;
  lastSeq: bigint | null;
  lastHash: Uint8Array | null;
  badSeq: bigint | null;
  reason: ChainFault | null;
}

const toPage = (row: VerdictRow | undefined): ChainPage => {
  const { checked = 0, lastSeq = null, lastHash = null, badSeq = null, reason = null } = row ?? {};
  return {
    checked,
    last: lastSeq === null || lastHash === null ? null : { seq: lastSeq, hash: lastHash },
    bad: badSeq === null || reason === null ? null : { seq: badSeq, fault: reason },
  };
};

/** Checks a page of the caller's tenant's audit; for who is no admin it is empty. At most 5,000 rows a call. */
export const verifyAuditPage = async (tx: Tx, after: ChainPosition, limit: number): Promise<ChainPage> => {
  const [row] = await tx.$queryRaw<VerdictRow[]>`
    select checked, last_seq as "lastSeq", last_hash as "lastHash", bad_seq as "badSeq", reason
    from verify_audit(${after.seq}::bigint, ${after.hash}, ${limit}::int)`;
  return toPage(row);
};

/** Checks a page of the operators' log. */
export const verifyOperatorLogPage = async (tx: Tx, after: ChainPosition, limit: number): Promise<ChainPage> => {
  const [row] = await tx.$queryRaw<VerdictRow[]>`
    select checked, last_seq as "lastSeq", last_hash as "lastHash", bad_seq as "badSeq", reason
    from verify_operator_log(${after.seq}::bigint, ${after.hash}, ${limit}::int)`;
  return toPage(row);
};

/** One thing an operator did. `details` holds ids and names of fields. */
export interface OperatorLogRow {
  readonly seq: bigint;
  readonly at: Date;
  readonly operatorId: string | null;
  readonly action: string;
  readonly subjectKind: string;
  readonly subjectId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly hash: Uint8Array;
}

/** Newest first, before a row. */
export const listOperatorLog = (tx: Tx, before: bigint | null, take: number): Promise<OperatorLogRow[]> =>
  tx.$queryRaw<OperatorLogRow[]>`
    select seq, at, operator_id as "operatorId", action, subject_kind as "subjectKind", subject_id as "subjectId", details,
      hash from list_operator_log(${before}::bigint, ${take}::int)`;
