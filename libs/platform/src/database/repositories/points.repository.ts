import type { Tx } from '../context.js';

/** Points asked of a bucket: at least `need`, and as many as `want` where they are there. */
export interface PointsAsked {
  readonly need: number;
  readonly want: number;
}

/** One bucket after it was asked. */
export interface BucketState {
  /** Points given; 0 in both buckets where either could not give what was needed. */
  readonly points: number;
  /** How long it takes until the bucket is full again. */
  readonly debtMs: number;
  /** What it holds, and gets again in a minute. */
  readonly pointsPerMinute: number;
}

/** What both buckets of a caller said. */
export interface ChargedPoints {
  readonly granted: boolean;
  readonly user: BucketState;
  readonly tenant: BucketState;
}

interface ChargeRow {
  readonly granted: boolean;
  readonly user_points: number;
  readonly tenant_points: number;
  readonly user_debt_ms: number;
  readonly tenant_debt_ms: number;
  readonly user_limit: number;
  readonly tenant_limit: number;
}

/**
 * Takes points from the caller's bucket and the tenant's, all or nothing. Alone in its transaction: the tenant's row is
 * locked until it ends.
 */
export const chargePoints = async (tx: Tx, user: PointsAsked, tenant: PointsAsked): Promise<ChargedPoints> => {
  const [row] = await tx.$queryRaw<ChargeRow[]>`/* kept */
    select granted, user_points::float8, tenant_points::float8, user_debt_ms, tenant_debt_ms, user_limit::float8,
      tenant_limit::float8
    from charge_points(${user.need}::bigint, ${user.want}::bigint, ${tenant.need}::bigint, ${tenant.want}::bigint)`;
  if (row === undefined) throw new Error('charge_points returned no row');
  return {
    granted: row.granted,
    user: { points: row.user_points, debtMs: row.user_debt_ms, pointsPerMinute: row.user_limit },
    tenant: { points: row.tenant_points, debtMs: row.tenant_debt_ms, pointsPerMinute: row.tenant_limit },
  };
};
