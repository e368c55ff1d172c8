/** What one answer is worth, and the mean of many. All values are shares of 1. */
export interface RankingMetrics {
  recallAt5: number;
  recallAt10: number;
  hitAt5: number;
  reciprocalRank: number;
  ndcgAt5: number;
}

const recallAt = (k: number, ranked: readonly string[], relevant: ReadonlySet<string>): number =>
  ranked.slice(0, k).filter((id) => relevant.has(id)).length / relevant.size;

const discountedGain = (gains: readonly number[]): number =>
  gains.reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0);

/** Measures one ranked answer against the ids that should have been found (binary relevance). */
export function measureRanking(ranked: readonly string[], relevantIds: readonly string[]): RankingMetrics {
  const relevant = new Set(relevantIds);
  const first = ranked.findIndex((id) => relevant.has(id));
  const gains = ranked.slice(0, 5).map((id) => (relevant.has(id) ? 1 : 0));
  const ideal = Array.from({ length: Math.min(5, relevant.size) }, () => 1);
  return {
    recallAt5: recallAt(5, ranked, relevant),
    recallAt10: recallAt(10, ranked, relevant),
    hitAt5: gains.some((gain) => gain > 0) ? 1 : 0,
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
    ndcgAt5: discountedGain(gains) / discountedGain(ideal),
  };
}

/** The mean of each figure over the queries; all 0 when there are none. */
export function meanMetrics(all: readonly RankingMetrics[]): RankingMetrics {
  const mean = (pick: (one: RankingMetrics) => number): number =>
    all.length === 0 ? 0 : all.reduce((sum, one) => sum + pick(one), 0) / all.length;
  return {
    recallAt5: mean((one) => one.recallAt5),
    recallAt10: mean((one) => one.recallAt10),
    hitAt5: mean((one) => one.hitAt5),
    reciprocalRank: mean((one) => one.reciprocalRank),
    ndcgAt5: mean((one) => one.ndcgAt5),
  };
}
