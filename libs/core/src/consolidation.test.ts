import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Consolidable, newestFirst, type NearPair, planConsolidation, withoutLeaving } from './consolidation.js';
import { mayMerge } from './conflict-guard.js';
import { countVotes, weighVotes } from './evidence.js';
import { isStale } from './staleness.js';

const memory = (id: string, more: Partial<Consolidable> = {}): Consolidable => ({
  ...{ id, audience: 'project:shop', kind: 'episode', ownerId: 'ada', fullText: 'Same words.', outcome: null },
  writtenAt: new Date(Date.UTC(2026, 0, 1)),
  ...more,
});
const pair = (a: string, b: string, cosine = 0.95): NearPair => ({ a, b, cosine, threshold: 0.9 });
const WITHIN = { acrossAuthors: false };
const idsOf = (memories: readonly Consolidable[], pairs: readonly NearPair[], acrossAuthors = false): string[][] =>
  planConsolidation(memories, pairs, { acrossAuthors }).clusters.map(({ survivor, merged }) =>
    [survivor, ...merged].map(({ id }) => id).sort(),
  );

const known = new Map<string, boolean>();
/** The guard itself, asked once for each two texts: it is what takes the time of five thousand runs. */
const remembered = (one: string, other: string): boolean => {
  const key = `${one}\n${other}`;
  const verdict = known.get(key) ?? mayMerge(one, other);
  known.set(key, verdict);
  return verdict;
};

const world = fc
  .record({
    memories: fc.uniqueArray(
      fc.record({
        id: fc.constantFrom(...'abcdefgh'),
        audience: fc.constantFrom('tenant', 'private:ada'),
        kind: fc.constantFrom('episode' as const, 'decision' as const),
        ownerId: fc.constantFrom('ada', 'ben'),
        fullText: fc.constantFrom('The timeout is 30 s.', 'The timeout is 60 s.', 'The timeout is 30 s!'),
        outcome: fc.constantFrom(null, 'success' as const, 'failure' as const),
        writtenAt: fc.integer({ min: 0, max: 3 }).map((day) => new Date(Date.UTC(2026, 0, 1 + day))),
      }),
      { selector: ({ id }) => id, maxLength: 8 },
    ),
    cosines: fc.array(fc.constantFrom(0.8, 0.9, 0.92, 0.95, 1), { minLength: 64, maxLength: 64 }),
    acrossAuthors: fc.boolean(),
    order: fc.infiniteStream(fc.nat({ max: 99 })),
  })
  .map(({ memories, cosines, acrossAuthors, order }) => {
    const pairs = memories.flatMap((one, n) =>
      memories.slice(n + 1).map((other, k) => pair(one.id, other.id, cosines[(n * 8 + k) % 64])),
    );
    const shuffled = <Item>(items: readonly Item[]): Item[] =>
      items
        .map((item) => ({ item, at: order.next().value ?? 0 }))
        .sort((one, other) => one.at - other.at)
        .map(({ item }) => item);
    return { memories, pairs, acrossAuthors, shuffled };
  });

describe('consolidation', () => {
  it('joins what is near in every pair, and leaves the others', () => {
    const memories = [...'abcd'].map((id) => memory(id));
    expect(idsOf(memories, [pair('a', 'b', 0.99), pair('b', 'c'), pair('c', 'd', 0.91)])).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(idsOf(memories, [pair('a', 'b'), pair('b', 'c'), pair('a', 'c')])).toEqual([['a', 'b', 'c']]);
    expect(idsOf(memories, [pair('a', 'b', 0.899)])).toEqual([]);
  });

  it('never joins "timeout 30 s" and "timeout 60 s", not through a third either', () => {
    const texts = { a: 'The timeout is 30 s.', b: 'The timeout is 60 s.', c: 'The timeout is 30 s!' };
    const memories = Object.entries(texts).map(([id, text]) => memory(id, { fullText: text }));
    const found = planConsolidation(memories, [pair('a', 'b', 1), pair('b', 'c', 1), pair('a', 'c')], WITHIN);
    expect(found.clusters.map(({ survivor, merged }) => [survivor.id, ...merged.map(({ id }) => id)])).toEqual([
      ['a', 'c'],
    ]);
    expect(found.guarded).toBe(2);
  });

  it('keeps audiences, kinds and contrary outcomes apart, and authors unless told otherwise', () => {
    const apart: Partial<Consolidable>[] = [{ audience: 'tenant' }, { kind: 'decision' }, { outcome: 'failure' }];
    for (const more of apart) {
      expect(idsOf([memory('a', { outcome: 'success' }), memory('b', more)], [pair('a', 'b')], true)).toEqual([]);
    }
    const two = [memory('a'), memory('b', { ownerId: 'ben' })];
    expect(idsOf(two, [pair('a', 'b')])).toEqual([]);
    expect(idsOf(two, [pair('a', 'b')], true)).toEqual([['a', 'b']]);
  });

  it('lets the newest text survive', () => {
    const newer = memory('b', { writtenAt: new Date(Date.UTC(2026, 5, 1)) });
    const [cluster] = planConsolidation([memory('a'), newer], [pair('a', 'b')], WITHIN).clusters;
    expect(cluster).toMatchObject({ survivor: { id: 'b' }, merged: [{ id: 'a' }], similarity: 0.95 });
    expect(newestFirst([memory('b'), memory('a'), newer]).map(({ id }) => id)).toEqual(['b', 'a', 'b']);
  });

  it('gives the same clusters in whatever order it is told, each pair near, alike and of one audience', () => {
    fc.assert(
      fc.property(world, ({ memories, pairs, acrossAuthors, shuffled }) => {
        const found = planConsolidation(memories, pairs, { acrossAuthors, guard: remembered });
        const turned = pairs.map(({ a, b, ...rest }) => ({ ...rest, a: b, b: a }));
        const again = planConsolidation(shuffled(memories), shuffled(turned), { acrossAuthors, guard: remembered });
        expect(JSON.stringify(again)).toBe(JSON.stringify(found));
        const near = new Set(pairs.filter(({ cosine }) => cosine >= 0.9).map(({ a, b }) => `${a} ${b}`));
        const seen = new Set<string>();
        for (const { survivor, merged } of found.clusters) {
          for (const { id } of [survivor, ...merged]) {
            if (seen.has(id)) throw new Error(`${id} is in two clusters`);
            seen.add(id);
          }
          for (const one of merged) {
            // The audience of what survives is that of each source: nobody new sees it.
            const isHeld = one.audience === survivor.audience && one.kind === survivor.kind;
            const isByOne = acrossAuthors || one.ownerId === survivor.ownerId;
            expect(isHeld && isByOne && one.writtenAt <= survivor.writtenAt).toBe(true);
            for (const other of [survivor, ...merged].filter(({ id }) => id !== one.id)) {
              const isNear = near.has(`${one.id} ${other.id}`) || near.has(`${other.id} ${one.id}`);
              expect(isNear && one.fullText.replace('!', '.') === other.fullText.replace('!', '.')).toBe(true);
            }
          }
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('merging and undoing', () => {
  const list = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 5 });

  it('is an identity in whatever order the merged ones leave, and keeps what was added meanwhile', () => {
    fc.assert(
      fc.property(
        list,
        fc.array(list, { maxLength: 4 }),
        fc.infiniteStream(fc.nat({ max: 99 })),
        (own, sources, order) => {
          const joined = [...new Set([...own, ...sources.flat()])];
          const leaving = sources.map((items) => ({ items, at: order.next().value ?? 0 }));
          leaving.sort((one, other) => one.at - other.at);
          const added = [...joined, 'by hand'];
          const left = leaving.reduce((current, { items }, n) => {
            const stays = leaving.slice(n + 1).flatMap((source) => source.items);
            return withoutLeaving(current, { leaving: items, kept: [...own, ...stays] });
          }, added);
          expect(left).toEqual([...own, 'by hand']);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('counts one person once, however many of the merged memories they voted on', () => {
    const at = new Date(Date.UTC(2026, 5, 1));
    const vote = (id: string): Parameters<typeof countVotes>[0][number] => ({
      ...{ user: 'ben', at, id, helpful: true, isOlder: false },
    });
    const once = weighVotes([countVotes([vote('1')], false)]);
    expect(weighVotes([countVotes([vote('1'), vote('2')], false)])).toEqual(once);
  });
});

describe('stale', () => {
  const LIMITS = { ageDays: 30, utility: 0.2 };
  it.each([
    [true, { daysSinceUseful: 31, utility: 0.1, pinned: false }],
    [false, { daysSinceUseful: 30, utility: 0.1, pinned: false }],
    [false, { daysSinceUseful: 31, utility: 0.2, pinned: false }],
    [false, { daysSinceUseful: 31, utility: 0.1, pinned: true }],
  ])('is %s for %o', (expected, given) => expect(isStale(given, LIMITS)).toBe(expected));
});
