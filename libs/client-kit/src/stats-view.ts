import { z } from 'zod';

/*
 * What clients read of statistics and trends; null is a gap, not a zero.
 */

const learning = z.object({
  asked: z.number(),
  injected: z.number(),
  answered: z.number(),
  answerRate: z.number().nullable(),
  helpful: z.number(),
  unhelpful: z.number(),
  helpfulShare: z.number().nullable(),
  meanPlace: z.number().nullable(),
});

/** As the last night of a bucket that looked noted it. */
const health = z.object({
  memories: z.number(),
  highValue: z.number(),
  stale: z.number(),
  neverRetrieved: z.number(),
  meanUtility: z.number(),
});

/** Totals of a project, or of everything the caller sees. */
export const statsAnswer = learning.extend({
  project: z.string().nullable(),
  memories: z.number(),
  kinds: z.array(z.object({ kind: z.string(), count: z.number() })),
  scopes: z.array(z.object({ scope: z.string(), count: z.number() })),
  states: z.array(z.object({ state: z.string(), count: z.number() })),
  domains: z.array(z.object({ kind: z.string(), name: z.string(), memories: z.number() })),
});

/** The same over time. */
export const trendsAnswer = z.object({
  project: z.string().nullable(),
  bucket: z.string(),
  points: z.array(
    learning.extend({
      bucket: z.string(),
      from: z.string(),
      captured: z.number(),
      againstAll: z.number().nullable(),
      health: health.nullable(),
    }),
  ),
  all: learning.extend({ captured: z.number() }),
  domains: z.array(z.object({ kind: z.string(), name: z.string(), memories: z.array(z.number()) })),
});

/** How asking and voting went. */
export type LearningView = z.output<typeof learning>;
/** Totals. */
export type StatsAnswer = z.output<typeof statsAnswer>;
/** Totals over time. */
export type TrendsAnswer = z.output<typeof trendsAnswer>;

/** Which span is asked for; absent ends are the service's to choose. */
export interface TrendsRequest {
  readonly project: string | null;
  readonly bucket: 'WEEKLY' | 'MONTHLY';
  /** ISO 8601. */
  readonly from?: string;
  readonly to?: string;
}
