import { bootstrapGain, bootstrapMean, type Estimate } from './bootstrap.js';
import type { HalfMeasure } from './half-measure.js';
import type { Replay, RoundMeasure } from './replay.js';
import type { ModeResult } from './results-file.js';

type Half = keyof RoundMeasure;

/** One half of the queries in one mode. */
export interface HalfReport {
  readonly queries: number;
  /** nDCG@5 before any vote, then after each round. */
  readonly ndcgAt5: readonly Estimate[];
  readonly recallAt5: readonly Estimate[];
  /** nDCG@5 after the last round, less that before the first, query by query. */
  readonly gain: Estimate;
  /** Share of the pairs shown of which the outdated copy stands first, by round; only where there are copies. */
  readonly outdatedAbove?: readonly number[];
}

export interface ModeReport {
  readonly mode: string;
  readonly voted: HalfReport;
  readonly unseen: HalfReport;
  readonly votes: Replay['votes'];
  readonly nights: Replay['nights'];
}

/** What a set, or several of one family, gave. */
export interface SetReport {
  readonly set: string;
  readonly modes: readonly ModeReport[];
}

/** `locomo-3` belongs to `locomo`. */
const familyOf = (set: string): string => set.replace(/-\d+$/, '');

/** A report for each set and, where a family has several, one of all their queries together. */
export const reportOf = (results: readonly ModeResult[], seed: number): SetReport[] => {
  const sets = [...new Set(results.map(({ set }) => set))];
  const families = [...new Set(sets.map(familyOf))];
  const several = families.filter((family) => sets.filter((set) => familyOf(set) === family).length > 1);
  return [
    ...sets.map((set) =>
      setReport(
        set,
        results.filter((one) => one.set === set),
        seed,
      ),
    ),
    ...several.map((family) =>
      setReport(`${family} (all)`, together(results.filter((one) => familyOf(one.set) === family)), seed),
    ),
  ];
};

const setReport = (set: string, results: readonly ModeResult[], seed: number): SetReport => ({
  set,
  modes: results.map(({ mode, replay }) => ({
    mode,
    voted: halfReport(replay, 'voted', seed),
    unseen: halfReport(replay, 'unseen', seed),
    votes: replay.votes,
    nights: replay.nights,
  })),
});

const halfReport = ({ rounds }: Replay, half: Half, seed: number): HalfReport => {
  const measures = rounds.map((round) => round[half]);
  const [first, last] = [measures[0]?.ndcgAt5 ?? [], measures.at(-1)?.ndcgAt5 ?? []];
  const above = measures.map(({ outdated }) => (outdated.shown === 0 ? 0 : outdated.above / outdated.shown));
  return {
    queries: first.length,
    ndcgAt5: measures.map(({ ndcgAt5 }) => bootstrapMean(ndcgAt5, seed)),
    recallAt5: measures.map(({ recallAt5 }) => bootstrapMean(recallAt5, seed)),
    gain: bootstrapGain(first, last, seed),
    ...(above.some((share) => share > 0) ? { outdatedAbove: above } : {}),
  };
};

/** The modes that every set of a family has, all queries as of one set. */
const together = (results: readonly ModeResult[]): ModeResult[] => {
  const sets = new Set(results.map(({ set }) => set)).size;
  const modes = [...new Set(results.map(({ mode }) => mode))];
  return modes.flatMap((mode) => {
    const own = results.filter((one) => one.mode === mode);
    return own.length < sets ? [] : [{ set: '', mode, replay: joined(own.map(({ replay }) => replay)) }];
  });
};

const joined = (replays: readonly Replay[]): Replay => {
  const count = (key: keyof Replay['votes']): number => replays.reduce((sum, { votes }) => sum + votes[key], 0);
  const rounds = (replays[0]?.rounds ?? []).map((_, at) => ({
    voted: joinedHalf(replays.flatMap(({ rounds: all }) => all[at]?.voted ?? [])),
    unseen: joinedHalf(replays.flatMap(({ rounds: all }) => all[at]?.unseen ?? [])),
  }));
  return { rounds, votes: { helpful: count('helpful'), unhelpful: count('unhelpful') }, nights: [] };
};

const joinedHalf = (halves: readonly HalfMeasure[]): HalfMeasure => ({
  ndcgAt5: halves.flatMap(({ ndcgAt5 }) => ndcgAt5),
  recallAt5: halves.flatMap(({ recallAt5 }) => recallAt5),
  outdated: {
    shown: halves.reduce((sum, { outdated }) => sum + outdated.shown, 0),
    above: halves.reduce((sum, { outdated }) => sum + outdated.above, 0),
  },
});

/** The reports as tables in Markdown, as docs/learning.md shows them. */
export const tablesOf = (reports: readonly SetReport[]): string => reports.map(tableOf).join('\n\n');

const tableOf = ({ set, modes }: SetReport): string => {
  const rounds = Math.max(0, ...modes.map(({ voted }) => voted.ndcgAt5.length));
  const heads = Array.from({ length: rounds }, (_, round) => String(round));
  const lines = modes.flatMap((mode) => (['voted', 'unseen'] as const).map((half) => lineOf(mode, half, rounds)));
  const columns = ['mode', 'half', 'queries', ...heads, 'gain (95 %)', 'R@5 first, last'];
  const outdated = modes.flatMap(({ mode, voted, unseen }) =>
    voted.outdatedAbove === undefined && unseen.outdatedAbove === undefined
      ? []
      : [
          `Outdated above current (${mode}): voted ${shares(voted.outdatedAbove)}, unseen ${shares(unseen.outdatedAbove)}.`,
        ],
  );
  return [
    `**${set}**, nDCG@5 by round`,
    '',
    row(columns),
    row(columns.map(() => '---')),
    ...lines,
    ...outdated.flatMap((line) => ['', line]),
  ].join('\n');
};

const lineOf = (mode: ModeReport, half: Half, rounds: number): string => {
  const { queries, ndcgAt5, recallAt5, gain } = mode[half];
  const means = Array.from({ length: rounds }, (_, round) => decimals(ndcgAt5[round]?.mean));
  const interval = `${signed(gain.mean)} (${signed(gain.low)} to ${signed(gain.high)})`;
  const recall = [recallAt5[0], recallAt5.at(-1)].map((estimate) => decimals(estimate?.mean)).join(', ');
  return row([mode.mode, half, String(queries), ...means, interval, recall]);
};

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const decimals = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(3).replace(/^0/, ''));

const signed = (value: number): string => (value < 0 ? '-' : '+') + decimals(Math.abs(value));

const shares = (values: readonly number[] = []): string => {
  const [first, last] = [values[0], values.at(-1)];
  return first === undefined || last === undefined ? '–' : `${decimals(first)} before, ${decimals(last)} after`;
};
