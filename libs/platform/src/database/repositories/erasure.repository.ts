import { Prisma } from '../../generated/prisma/client.js';
import type { Tx } from '../context.js';

/** What becomes of what the erased person shared: it stays without their name, becomes another's, or goes with them. */
export const ERASURE_CHOICES = ['keep', 'transfer', 'erase'] as const;
export type ErasureChoice = (typeof ERASURE_CHOICES)[number];
export type ErasureStatus = 'requested' | 'running' | 'completed' | 'failed';

/** An erasure as it stands; completed, it is the receipt. Ids and numbers, nothing that was erased. */
export interface Erasure {
  readonly id: string;
  readonly userId: string;
  readonly requestedBy: string;
  readonly choice: ErasureChoice;
  readonly toUserId: string | null;
  readonly status: ErasureStatus;
  /** Rows by table, and by what became of them. */
  readonly counts: Readonly<Record<string, number>>;
  /** Exclusive or of a 64-bit hash of the id of each memory that went. */
  readonly memorySum: string;
  /** Columns that were searched for what is left. */
  readonly searched: number;
  /** Rows by table that name the person still; none in a receipt. */
  readonly traces: Readonly<Record<string, number>>;
  /** Rows by table in which others wrote the person's address or id into their own words. */
  readonly mentions: Readonly<Record<string, number>>;
  readonly requestedAt: Date;
  readonly finishedAt: Date | null;
}

export interface ErasureWish {
  readonly userId: string;
  readonly choice: ErasureChoice;
  /** With `transfer` only. */
  readonly toUserId: string | null;
}

/**
 * Asks for a person to be erased, who is out at once. Asked again it is the same erasure.
 * @returns its id; null where there is no such person for whoever asks
 * @throws AppError `conflict` for the last owner
 */
export const requestErasure = async (tx: Tx, { userId, choice, toUserId }: ErasureWish): Promise<string | null> => {
  const [row] = await tx.$queryRaw<{ id: string | null }[]>`
    select request_erasure(${userId}::uuid, ${choice}, ${toUserId}::uuid) as id`;
  return row?.id ?? null;
};

const SHOWN = Prisma.sql`
  select id, user_id as "userId", requested_by as "requestedBy", choice, to_user_id as "toUserId", status, counts,
    memory_sum::text as "memorySum", searched, traces, mentions, requested_at as "requestedAt", finished_at as "finishedAt"
  from erasure`;

/** One erasure of the tenant; null where there is none, or where the caller is no admin. */
export const findErasure = async (tx: Tx, tenantId: string, id: string): Promise<Erasure | null> => {
  const [row] = await tx.$queryRaw<Erasure[]>`${SHOWN} where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`;
  return row ?? null;
};

/** The erasure of a person; null as {@link findErasure} has it. */
export const findErasureOf = async (tx: Tx, tenantId: string, userId: string): Promise<Erasure | null> => {
  const [row] = await tx.$queryRaw<Erasure[]>`
    ${SHOWN} where tenant_id = ${tenantId}::uuid and user_id = ${userId}::uuid`;
  return row ?? null;
};

/** The tenant's erasures, latest first. */
export const listErasures = (
  tx: Tx,
  tenantId: string,
  { after, take }: { readonly after: { readonly at: Date; readonly id: string } | null; readonly take: number },
): Promise<Erasure[]> => tx.$queryRaw`
  ${SHOWN} where tenant_id = ${tenantId}::uuid
    and (${after === null} or (requested_at, id) < (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::uuid))
  order by requested_at desc, id desc limit ${take}::int`;

/** A batch of an erasure. @returns whether it is over, completed or failed */
export const eraseBatch = async (tx: Tx, tenantId: string, id: string, limit: number): Promise<boolean> => {
  const [row] = await tx.$queryRaw<{ finished: boolean }[]>`
    select finished from erase_user(${tenantId}::uuid, ${id}::uuid, ${limit}::int)`;
  return row?.finished ?? true;
};
