/** What the measures of both benches say, for `--help`. */
export const METRICS_HELP = `Measures, each a mean over the queries, 0 to 1:
  R@5         the share of a query's relevant memories that stand among the first five
  R@10        the same among the first ten
  hit@5       whether at least one relevant memory stands among the first five
  MRR         one divided by the place of the first relevant memory: 1 for the first place, .5 for the second
  nDCG@5      how high the relevant ones stand among the first five: 1 where they come first, less the lower they stand`;
