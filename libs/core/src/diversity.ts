/** Answers that do not repeat one another (docs/design.md, "Order of an answer"). */

export interface Candidate<Id extends string = string> {
  readonly id: Id;
  readonly score: number;
}

/**
 * Maximal marginal relevance: first the best score, then repeatedly the best of
 * `lambda·score - (1 - lambda)·max cosine to those chosen`; ties by score, then id.
 * @param similarity cosine of two candidates; 0 for a pair without a common encoder
 * @param lambda 0..1; 1 orders by score alone
 * @returns ids in the order of the answer, at most `limit`
 */
export const selectDiverse = <Id extends string>(
  candidates: readonly Candidate<Id>[],
  similarity: (one: Id, other: Id) => number,
  lambda: number,
  limit: number,
): Id[] => {
  let remaining = [...candidates].sort(byScore).map((candidate) => ({ candidate, closest: -Infinity }));
  const chosen: Id[] = [];
  while (chosen.length < limit) {
    const best = remaining.reduce<Ranked<Id> | undefined>(
      (top, next) => (top === undefined || gain(next, lambda) > gain(top, lambda) ? next : top),
      undefined,
    );
    if (best === undefined) break;
    const { id } = best.candidate;
    chosen.push(id);
    remaining = remaining
      .filter((other) => other !== best)
      .map(({ candidate, closest }) => ({ candidate, closest: Math.max(closest, similarity(id, candidate.id)) }));
  }
  return chosen;
};

interface Ranked<Id extends string> {
  readonly candidate: Candidate<Id>;
  /** Largest cosine to those chosen; -Infinity while none is. */
  readonly closest: number;
}

/** Candidates stand in order of score and id, so the first of equal gains is the right one. */
const gain = ({ candidate, closest }: Ranked<string>, lambda: number): number =>
  closest === -Infinity ? candidate.score : lambda * candidate.score - (1 - lambda) * closest;

const byScore = (one: Candidate, other: Candidate): number =>
  other.score - one.score || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
