import type { BucketState, PointsAsked } from '@tempera/platform';

const MINUTE_MS = 60_000;
/** Points taken ahead and not used by then are lost, so that nobody saves up beyond his limit. */
const LEASE_MS = 10_000;
/** Taken ahead: what the bucket gets back in so many seconds. One spares most of the database's work. */
const LEASE_SECONDS = 1;

/**
 * One bucket as this process knows it: points it took ahead, and what the database last said. What it knows of others'
 * use is old, and others only make the bucket emptier: so a refusal it can foresee is certain, and needs no database.
 */
export class PointLease {
  private left = 0;
  private until = 0;
  private pointsPerMinute: number | undefined;
  private emptyAtMs = 0;

  /** Whether the points are at hand. */
  has(points: number, nowMs: number): boolean {
    return nowMs < this.until && this.left >= points;
  }

  /** Uses points that are at hand. */
  use(points: number): void {
    this.left -= points;
  }

  /** What to ask of the database so that `points` are at hand afterwards. */
  asking(points: number, nowMs: number): PointsAsked {
    if (this.has(points, nowMs)) return { need: 0, want: 0 };
    const ahead = Math.floor(((this.pointsPerMinute ?? 0) / 60) * LEASE_SECONDS);
    const need = nowMs < this.until ? points - this.left : points;
    return { need, want: Math.max(need, ahead) };
  }

  /** What the database answered. */
  learn({ points, debtMs, pointsPerMinute }: BucketState, nowMs: number): void {
    this.left = (nowMs < this.until ? this.left : 0) + points;
    if (points > 0) this.until = nowMs + LEASE_MS;
    this.pointsPerMinute = pointsPerMinute;
    this.emptyAtMs = nowMs + debtMs;
  }

  /** What the bucket holds and gets again in a minute, once it is known. */
  get size(): number | undefined {
    return this.pointsPerMinute;
  }

  /** Milliseconds until the bucket can give so many points; 0 where it may be able to now. */
  waitMs(points: number, nowMs: number): number {
    if (this.pointsPerMinute === undefined || this.has(points, nowMs)) return 0;
    const { need } = this.asking(points, nowMs);
    return Math.max(0, this.emptyAtMs - nowMs + (need * MINUTE_MS) / this.pointsPerMinute - MINUTE_MS);
  }
}
