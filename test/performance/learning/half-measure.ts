import { measureRanking } from '../ranking-metrics.js';
import type { Query } from './halves.js';
import { type Standing, standingIn } from './outdated-copy.js';

/** What the answers to one half were worth after a round, query by query. */
export interface HalfMeasure {
  readonly ndcgAt5: readonly number[];
  readonly recallAt5: readonly number[];
  readonly outdated: Standing;
}

/** @param answers what each query was shown, by the set's names */
export const measured = (queries: readonly Query[], answers: readonly (readonly string[])[]): HalfMeasure => {
  const each = queries.map((query, at) => {
    const shown = answers[at] ?? [];
    return { metrics: measureRanking(shown, query.relevant), standing: standingIn(shown, query.relevant) };
  });
  const total = (key: keyof Standing): number => each.reduce((sum, { standing }) => sum + standing[key], 0);
  return {
    ndcgAt5: each.map(({ metrics }) => metrics.ndcgAt5),
    recallAt5: each.map(({ metrics }) => metrics.recallAt5),
    outdated: { shown: total('shown'), above: total('above') },
  };
};
