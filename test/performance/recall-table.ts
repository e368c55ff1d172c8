import type { MeanWithInterval } from './bootstrap.js';
import { RANKINGS } from './recall-questions.js';
import type { MetricIntervals, RecallReport } from './recall-run.js';

const HEAD = ['R@5', 'R@10', 'hit@5', 'MRR', 'nDCG@5'].map((name) => name.padStart(20)).join('');
const WIDTH = 24;

/** The reports as lines for a person: a line a set, or a line for each ranking of a set that was compared. */
export function recallTable(reports: readonly RecallReport[]): string {
  const head = `${'set'.padEnd(WIDTH)} memories queries ${HEAD}   captures/s  ask p50/p95 ms`;
  return [head, ...reports.flatMap(linesOf)].join('\n');
}

function linesOf(one: RecallReport): string[] {
  const size = `${String(one.memories).padStart(8)} ${String(one.queries).padStart(7)} `;
  const times = `${one.capturesPerSecond.toFixed(1).padStart(13)}  ${one.retrieveMedianMs.toFixed(0)}/${one.retrieveP95Ms.toFixed(0)}`;
  const compared = RANKINGS.flatMap((ranking) => {
    const intervals = one.rankings?.[ranking];
    return intervals === undefined
      ? []
      : [`  ${ranking.padEnd(WIDTH - 2)}${' '.repeat(size.length + 1)}${figures(intervals)}`];
  });
  return [`${one.set.padEnd(WIDTH)} ${size}${figures(one.intervals)}${times}`, ...compared];
}

const figures = (one: MetricIntervals): string =>
  [one.recallAt5, one.recallAt10, one.hitAt5, one.reciprocalRank, one.ndcgAt5].map(figure).join('');

const figure = ({ mean, low, high }: MeanWithInterval): string =>
  `${mean.toFixed(3)} (${low.toFixed(2)}-${high.toFixed(2)})`.padStart(20);
