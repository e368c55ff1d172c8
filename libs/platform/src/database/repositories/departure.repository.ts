import type { TenantId, UserId } from '@tempera/core';
import type { Tx } from '../context.js';

/** What becomes of a leaver's shared memories: they stay as they are, become another's, or are archived. */
export const DEPARTURE_CHOICES = ['keep', 'transfer', 'archive'] as const;
export type DepartureChoice = (typeof DEPARTURE_CHOICES)[number];

export interface NewDeparture {
  readonly userId: UserId;
  readonly choice: DepartureChoice;
  /** With `transfer` only. */
  readonly toUserId: UserId | null;
  readonly requestedBy: UserId;
  readonly requestedAt: Date;
}

/** Records what is to happen; {@link settleDeparture} does it. */
export const insertDeparture = async (tx: Tx, tenantId: TenantId, departure: NewDeparture): Promise<void> => {
  const { userId, choice, toUserId, requestedBy, requestedAt } = departure;
  // By hand: Prisma would also write how far it is settled, which is not the caller's to say.
  await tx.$executeRaw`
    insert into departure (tenant_id, user_id, choice, to_user_id, requested_by, requested_at)
    values (${tenantId}::uuid, ${userId}::uuid, ${choice}, ${toUserId}::uuid, ${requestedBy}::uuid, ${requestedAt})`;
};

/** Shared memories that bear the name of someone who was removed; 0 to who is no admin. */
export const countLeftBehind = async (tx: Tx, userId: string): Promise<number> => {
  const [row] = await tx.$queryRaw<{ count: number }[]>`select left_behind(${userId}::uuid) as count`;
  return row?.count ?? 0;
};

/** Settles some of a leaver's shared memories as recorded. @returns whether nothing is left to do */
export const settleDeparture = async (tx: Tx, userId: string, limit: number): Promise<boolean> => {
  const [row] = await tx.$queryRaw<{ finished: boolean }[]>`
    select finished from settle_departure(${userId}::uuid, ${limit}::int)`;
  return row?.finished ?? true;
};
