/**
 * Golden cases: what an independent reference says the rules give. One table leads from the reference's function names
 * and inputs to ours, for the command line and the unit test alike.
 */
import { contextualEvidence } from './contextual-evidence.js';
import { credit } from './credit.js';
import { effectiveUtility } from './decay.js';
import { selectDiverse } from './diversity.js';
import { evidenceFromVotes } from './evidence.js';
import { DECISIONS } from './golden-decisions.js';
import { GoldenFileError, GoldenInput } from './golden-input.js';
import { VALIDITIES } from './memory.js';
import { propagate } from './propagation.js';
import { pruneReasons } from './pruning.js';
import { boundedScore, linearScore, recency, type RankingWeights } from './ranking.js';
import { TREND_BUCKETS, trendBucket } from './trends.js';
import { confidence } from './value.js';

type Adapter = (input: GoldenInput) => unknown;

const weights = (input: GoldenInput): RankingWeights => ({
  similarityWeight: input.number('similarityWeight'),
  utilityWeight: input.number('utilityWeight'),
  recencyWeight: input.number('recencyWeight'),
});

const weigh: Adapter = (input) =>
  evidenceFromVotes(
    input.objects('votes').map((vote) => ({
      helpful: vote.number('helpful'),
      unhelpful: vote.number('unhelpful'),
      authorOfShared: vote.boolean('authorOfShared'),
    })),
  );

const weighInContext: Adapter = (input) =>
  contextualEvidence(
    input.objects('votes').map((vote) => ({
      user: vote.text('user'),
      helpful: vote.boolean('helpful'),
      cosine: vote.number('cosine'),
    })),
    { tau: input.number('tau'), cap: input.number('cap'), nu: input.number('nu'), lambda: input.number('lambda') },
  ).net;

const select: Adapter = (input) => {
  const cosines = input.object('similarity');
  return selectDiverse(
    input.objects('candidates').map((candidate) => ({ id: candidate.text('id'), score: candidate.number('score') })),
    (one, other) => cosines.object(one).number(other),
    input.number('lambda'),
    input.number('limit'),
  );
};

/** Golden nodes share one alpha and may have a base; the rules take an alpha for each and leave the base at 0. */
const spread: Adapter = (input) => {
  const alpha = input.number('alpha');
  const { sources, hops, loans, residual } = propagate(
    input.objects('nodes').map((node) => ({
      id: node.text('id'),
      evidence: node.number('evidence'),
      base: node.number('base'),
      propagated: node.number('propagated'),
      earned: node.number('earned'),
      helpfulVotes: node.number('helpful'),
      askedRetrievals: node.number('retrievals'),
      alpha,
    })),
    input.objects('edges').map((edge) => ({ a: edge.text('a'), b: edge.text('b'), weight: edge.number('weight') })),
    {
      gamma: input.number('gamma'),
      maxDepth: input.number('maxDepth'),
      sourceThreshold: input.number('sourceThreshold'),
      minRetrievals: input.number('minRetrievals'),
      minEdge: input.number('minEdge'),
    },
  );
  const propagated = Object.fromEntries([...loans].map(([id, loan]) => [id, loan.propagated]));
  return { sources, hops, propagated, residual };
};

/** Golden memories are of a kind and validity that nothing exempts. */
const prune: Adapter = (input) => {
  const [memory, config] = [input.object('memory'), input.object('config')];
  return pruneReasons(
    {
      kind: 'episode',
      validity: 'none',
      open: false,
      pinned: memory.boolean('pinned'),
      ageDays: memory.number('ageDays'),
      utility: memory.number('effective'),
      helpfulVotes: memory.number('helpfulVotes'),
      askedRetrievals: memory.number('retrievals'),
    },
    {
      maxAgeDays: config.number('maxAgeDays'),
      minUtility: config.number('minUtility'),
      minRetrievals: config.number('minRetrievals'),
    },
  );
};

const ADAPTERS: Readonly<Record<string, Adapter>> = {
  evidence: weigh,
  contextualEvidence: weighInContext,
  credit: (input) =>
    credit(input.numbers('ranks'), { alpha: input.number('alpha'), gamma: input.number('gamma') }, input.number('cap')),
  effectiveUtility: (input) =>
    effectiveUtility(input.number('value'), {
      validity: input.oneOf('validity', VALIDITIES),
      daysSinceUseful: input.number('daysSinceUseful'),
      pinned: input.boolean('pinned'),
    }),
  recency: (input) => recency(input.number('ageDays'), input.number('halfLifeDays')),
  score: (input) =>
    linearScore(
      { similarity: input.number('similarity'), utility: input.number('utility'), recency: input.number('recency') },
      weights(input),
    ),
  confidence: (input) => confidence(input.number('voteWeight'), input.number('borrowed')),
  boundedScore: (input) =>
    boundedScore(
      input.number('relevance'),
      { utility: input.number('utility'), confidence: input.number('confidence'), recency: input.number('recency') },
      { ...weights(input), maxBoost: input.number('maxBoost') },
    ),
  selectDiverse: select,
  propagate: spread,
  pruneReasons: prune,
  trendBucket: (input) => trendBucket(new Date(input.text('at')), input.oneOf('bucket', TREND_BUCKETS)),
  ...DECISIONS,
};

/** One case that was run. */
export interface GoldenResult {
  readonly name: string;
  readonly input: unknown;
  readonly expected: unknown;
  readonly got: unknown;
  readonly passed: boolean;
}

/**
 * Runs every case of a parsed golden file.
 * @param file `{tolerance, cases: [{function, input, expected}]}`
 * @throws GoldenFileError when the file is not of that shape or names a function we do not have
 */
export const runGolden = (file: unknown): GoldenResult[] => {
  const golden = new GoldenInput(file, 'file');
  const tolerance = golden.number('tolerance');
  const cases = golden.objects('cases').map((one, index) => {
    const name = one.text('function');
    const adapter = Object.hasOwn(ADAPTERS, name) ? ADAPTERS[name] : undefined;
    if (adapter === undefined) {
      throw new GoldenFileError(
        `file.cases[${index}]: unknown function "${name}"; known: ${Object.keys(ADAPTERS).join(', ')}.`,
      );
    }
    if (one.field('expected') === undefined) throw new GoldenFileError(`file.cases[${index}].expected is missing.`);
    return { name, adapter, input: one.object('input'), raw: one.field('input'), expected: one.field('expected') };
  });
  return cases.map(({ name, adapter, input, raw, expected }) => {
    const got = outcomeOf(adapter, input);
    return { name, input: raw, expected, got, passed: agrees(got, expected, tolerance) };
  });
};

/** What the rule gives; a rule that refuses its input (an invalid date) is a result like another, and a failing one. */
const outcomeOf = (adapter: Adapter, input: GoldenInput): unknown => {
  try {
    return adapter(input);
  } catch (error) {
    if (error instanceof RangeError) return { error: error.message };
    throw error;
  }
};

/** Same shape, same texts, numbers within the tolerance. */
const agrees = (got: unknown, expected: unknown, tolerance: number): boolean => {
  if (typeof got === 'number' && typeof expected === 'number') return Math.abs(got - expected) <= tolerance;
  if (!isContainer(got) || !isContainer(expected)) return got === expected;
  const mine = new Map(Object.entries(got));
  const theirs = Object.entries(expected);
  return (
    Array.isArray(got) === Array.isArray(expected) &&
    mine.size === theirs.length &&
    theirs.every(([key, value]) => mine.has(key) && agrees(mine.get(key), value, tolerance))
  );
};

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
