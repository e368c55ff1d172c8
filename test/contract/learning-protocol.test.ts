import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GraphQLClient } from '../support/graphql-client.js';
import { bootstrapGain, bootstrapMean } from '../performance/learning/bootstrap.js';
import { chance, shuffled } from '../performance/learning/chance.js';
import { askerOf, halve, type Query, ROUNDS, VOTERS } from '../performance/learning/halves.js';
import { momentsOf } from '../performance/capture-set.js';
import { inPairs } from '../performance/in-pairs.js';
import { reportOf, tablesOf } from '../performance/learning/learning-report.js';
import { chooseModes, MODES } from '../performance/learning/modes.js';
import { changedText, outdatedOf, standingIn, withOutdatedCopies } from '../performance/learning/outdated-copy.js';
import type { HalfMeasure } from '../performance/learning/half-measure.js';
import type { Replay } from '../performance/learning/replay.js';
import { openResults } from '../performance/learning/results-file.js';
import { followersIn, successesOf } from '../performance/learning/successes.js';
import { type Electorate, verdictOn } from '../performance/learning/voting.js';

const queries: Query[] = Array.from({ length: 201 }, (_, at) => ({
  id: `q${at}`,
  text: `question ${at}`,
  project: 'p',
  relevant: [`m${at}`],
}));

describe('chance', () => {
  it('depends on the seed and the words alone, and is spread evenly', () => {
    expect(chance(1, 'a', 2)).toBe(chance(1, 'a', 2));
    expect(chance(1, 'a', 2)).not.toBe(chance(2, 'a', 2));
    const draws = Array.from({ length: 4_000 }, (_, at) => chance(1, at));
    expect(draws.reduce((sum, draw) => sum + draw, 0) / draws.length).toBeCloseTo(0.5, 1);
    expect(Math.min(...draws)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...draws)).toBeLessThan(1);
  });

  it('shuffles without losing anything', () => {
    const items = [1, 2, 3, 4, 5, 6, 7];
    expect(shuffled(items, 3, 'x').sort()).toEqual(items);
    expect(shuffled(items, 3, 'x')).toEqual(shuffled(items, 3, 'x'));
  });
});

describe('the bootstrap', () => {
  it('gives the mean within an interval, and the same one for the same seed', () => {
    const values = Array.from({ length: 400 }, (_, at) => at % 2);
    const estimate = bootstrapMean(values, 1);
    expect(estimate.mean).toBe(0.5);
    // The mean of 400 tosses has a deviation of .025; 1.96 of them to either side.
    expect(estimate.low).toBeCloseTo(0.451, 2);
    expect(estimate.high).toBeCloseTo(0.549, 2);
    expect(bootstrapMean(values, 1)).toEqual(estimate);
  });

  it('compares query by query: a gain that all share has no width', () => {
    const gain = bootstrapGain([0, 0.5, 0.2], [0.1, 0.6, 0.3], 1);
    for (const value of [gain.mean, gain.low, gain.high]) expect(value).toBeCloseTo(0.1, 12);
    expect(() => bootstrapGain([0], [0, 1], 1)).toThrow('1 figures before and 2 after.');
  });

  it('has nothing to say over nothing', () => {
    expect(bootstrapMean([], 1)).toEqual({ mean: 0, low: 0, high: 0 });
  });
});

describe('the two halves', () => {
  it('part neighbours: even places vote, odd ones do not', () => {
    const { voted, unseen } = halve(queries, null, 1);
    expect(voted.map(({ id }) => id).slice(0, 3)).toEqual(['q0', 'q2', 'q4']);
    expect(unseen.map(({ id }) => id).slice(0, 3)).toEqual(['q1', 'q3', 'q5']);
    expect(voted.length + unseen.length).toBe(queries.length);
  });

  it('of a sample still stand side by side', () => {
    const { voted, unseen } = halve(queries.slice(0, 200), 10, 1);
    const place = ({ id }: Query): number => Number(id.slice(1));
    expect(voted).toHaveLength(10);
    expect(unseen.map(place)).toEqual(voted.map((query) => place(query) + 1));
    expect(halve(queries, 10, 2).voted).not.toEqual(halve(queries, 10, 1).voted);
  });

  it('hear five different people on each question, and everybody about equally often', () => {
    const asked = queries.map((query) => Array.from({ length: ROUNDS }, (_, at) => askerOf(query, at + 1, 1)));
    for (const people of asked) expect(new Set(people).size).toBe(ROUNDS);
    for (let voter = 0; voter < VOTERS; voter += 1) {
      expect(asked.flat().filter((one) => one === voter).length).toBeGreaterThan(60);
    }
  });
});

describe('votes', () => {
  const wrongs = (electorate: Electorate, voter: number): number => {
    const shown = queries.flatMap(({ id }) =>
      [true, false].map((isRelevant) => ({ voter, round: 1, query: id, memory: `m ${id}`, isRelevant })),
    );
    return shown.filter((one) => verdictOn(electorate, one, 1) !== one.isRelevant).length / shown.length;
  };

  it('are wrong once in ten', () => expect(wrongs({ kind: 'honest' }, 5)).toBeCloseTo(0.1, 1));

  it('of hostile people are always wrong, of the others as usual', () => {
    expect(wrongs({ kind: 'hostile', people: 3 }, 2)).toBe(1);
    expect(wrongs({ kind: 'hostile', people: 3 }, 3)).toBeLessThan(0.2);
  });

  it('of a coin say nothing', () => expect(wrongs({ kind: 'random' }, 0)).toBeCloseTo(0.5, 5));
});

describe('an outdated copy', () => {
  const memory = (id: string, text: string): { id: string; text: string; project: string } => ({
    id,
    text,
    project: 'p',
  });
  const others = [
    memory('a', 'The timeout is 30 seconds'),
    memory('b', 'Deploy on Friday'),
    memory('c', '银行卡号变更'),
  ];

  it.each([
    ['The timeout is 30 seconds', /^The timeout is 3[1-8] seconds$/],
    ['Version 99999999999999999999', /^Version 10000000000000000000[0-9]$/],
    ['如何更改', /^(?!如何更改$)\p{Script=Han}{4}$/u],
    ['!', /^! \(2\)$/],
  ])('of "%s" differs in one number or word', (text, expected) => {
    expect(changedText(memory('x', text), others, 1)).toMatch(expected);
  });

  it('stands beside each relevant memory, with an older date', () => {
    const set = {
      name: 's',
      language: 'en',
      memories: [{ ...memory('a', 'is 30'), occurredAt: '2026-03-01T00:00:00Z' }, memory('b', 'is 4')],
      queries: [],
    };
    const { memories } = withOutdatedCopies(set, new Set(['a']), new Date('2026-06-01T00:00:00Z'), 1);
    expect(memories.map(({ id }) => id)).toEqual(['a', outdatedOf('a'), 'b']);
    expect(memories[1]?.occurredAt).toBe('2025-12-01T00:00:00.000Z');
  });

  it('is above where it alone is shown, or first', () => {
    const old = outdatedOf('a');
    expect(standingIn(['a', old], ['a'])).toEqual({ shown: 1, above: 0 });
    expect(standingIn([old, 'a'], ['a'])).toEqual({ shown: 1, above: 1 });
    expect(standingIn([old], ['a', 'b'])).toEqual({ shown: 1, above: 1 });
    expect(standingIn(['c'], ['a'])).toEqual({ shown: 0, above: 0 });
  });
});

describe('work in pairs', () => {
  it('keeps the order and never does more than two things at once', async () => {
    let running = 0;
    let most = 0;
    const results = await inPairs([5, 1, 4, 2, 3], async (item) => {
      most = Math.max(most, (running += 1));
      for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
      running -= 1;
      return item * 10;
    });
    expect(results).toEqual([50, 10, 40, 20, 30]);
    expect(most).toBe(2);
  });

  it('ends with the first failure', async () => {
    await expect(inPairs([1, 2], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});

describe('modes', () => {
  it('are all there are, or those named in the order of the tables', () => {
    expect(chooseModes(undefined)).toEqual(MODES);
    expect(chooseModes('random,context').map(({ name }) => name)).toEqual(['context', 'random']);
    expect(() => chooseModes('contxt')).toThrow('There is no mode "contxt": it is one of relevance, votes');
  });
});

const half = (ndcgAt5: readonly number[], above = 0): HalfMeasure => ({
  ndcgAt5,
  recallAt5: ndcgAt5,
  outdated: { shown: above === 0 ? 0 : 10, above },
});

const replayed = (voted: readonly number[], unseen: readonly number[]): Replay => ({
  rounds: [
    {
      voted: half(
        voted.map(() => 0.2),
        5,
      ),
      unseen: half(unseen.map(() => 0.2)),
    },
    { voted: half(voted, 2), unseen: half(unseen) },
  ],
  votes: { helpful: 3, unhelpful: 4 },
  nights: [],
});

describe('a report', () => {
  const results = [
    { set: 'talk-0', mode: 'context', replay: replayed([0.4, 0.6], [0.3]) },
    { set: 'talk-1', mode: 'context', replay: replayed([0.8], [0.1, 0.2]) },
    { set: 'talk-1', mode: 'random', replay: replayed([0.2], [0.2]) },
    { set: 'alone', mode: 'context', replay: replayed([1], [1]) },
  ];

  it('takes the sets of a family together, query by query, where all have the mode', () => {
    const reports = reportOf(results, 1);
    expect(reports.map(({ set }) => set)).toEqual(['talk-0', 'talk-1', 'alone', 'talk (all)']);
    const [all] = reports.at(-1)?.modes ?? [];
    expect(reports.at(-1)?.modes).toHaveLength(1);
    expect(all?.voted.queries).toBe(3);
    expect(all?.voted.ndcgAt5.at(-1)?.mean).toBeCloseTo(0.6, 12);
    expect(all?.unseen.gain.mean).toBeCloseTo(0, 12);
    expect(all?.voted.outdatedAbove).toEqual([0.5, 0.2]);
    expect(all?.votes).toEqual({ helpful: 6, unhelpful: 8 });
  });

  it('is printed as tables', () => {
    const text = tablesOf(reportOf(results.slice(0, 1), 1));
    expect(text).toContain('| context | voted | 2 | .200 | .500 | +.300 (+.200 to +.400) | .200, .500 |');
    expect(text).toContain('Outdated above current (context): voted .500 before, .200 after, unseen –.');
  });
});

describe('the file of finished modes', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'learning-file-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is taken up where it ended, under the same conditions only', async () => {
    const path = join(folder, 'results.json');
    const conditions = { seed: 1, sample: null, settings: {} };
    const result = { set: 's', mode: 'context', replay: replayed([1], [1]) };
    await (await openResults(path, conditions)).add(result);
    const again = await openResults(path, conditions);
    expect(again.find('s', 'context')).toEqual(result);
    expect(again.find('s', 'random')).toBeUndefined();
    await expect(openResults(path, { ...conditions, seed: 2 })).rejects.toThrow('name another file with --out');
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ conditions });
  });
});

describe('occasions and successes', () => {
  const at = '2026-01-01T10:00:00Z';
  const set = {
    name: 's',
    language: 'en',
    queries: [],
    memories: [
      { id: 'a', text: 'a', project: 'p', occurredAt: at },
      { id: 'other', text: 'o', project: 'q', occurredAt: at },
      { id: 'b', text: 'b', project: 'p', occurredAt: at },
      { id: 'undated', text: 'u', project: 'p' },
      { id: 'c', text: 'c', project: 'p', occurredAt: '2026-01-02T10:00:00Z' },
    ],
  };

  it('follow within a session alone, and nothing follows what has no date', () => {
    expect([...followersIn(set)]).toEqual([['a', 'b']]);
  });

  it('follow each other by a millisecond where the set gives one date to all of an occasion', () => {
    expect([...momentsOf(set)]).toEqual([
      ['a', '2026-01-01T10:00:00.000Z'],
      ['other', '2026-01-01T10:00:00.000Z'],
      ['b', '2026-01-01T10:00:00.001Z'],
      ['c', '2026-01-02T10:00:00.000Z'],
    ]);
  });

  it('are told once, of what followed, as the revision that it has by then', async () => {
    const told: unknown[] = [];
    const author = new GraphQLClient('http://127.0.0.1:0');
    author.send = async <T>(_document: string, variables: Record<string, unknown> = {}): Promise<T> => {
      told.push([variables['id'], variables['revision'], variables['input']]);
      return { editMemory: { memory: { revision: Number(variables['revision']) + 1 } } } as T;
    };
    const three = { ...set, memories: set.memories.map((one) => (one.id === 'c' ? { ...one, occurredAt: at } : one)) };
    const names = ['a', 'b', 'c'];
    const successes = successesOf(three, new Map(names.map((name) => [name, `id-of-${name}`])), author);
    await successes.follow(['a', 'c', 'undated']);
    await successes.follow(['a', 'b']);
    expect(told).toEqual([
      ['id-of-a', 1, { kind: 'EPISODE' }],
      ['id-of-b', 1, { kind: 'EPISODE', outcome: 'SUCCESS' }],
      ['id-of-b', 2, { kind: 'EPISODE' }],
      ['id-of-c', 1, { kind: 'EPISODE', outcome: 'SUCCESS' }],
    ]);
  });
});
