import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asId, MEMORY_KINDS, SCOPES, type UserId } from './memory.js';
import {
  judgeByRules,
  MAX_RULE_BOOST,
  orderByRules,
  type RecallRule,
  type RuledMemory,
  SHIPPED_RULES,
} from './recall-rules.js';

const author = asId<UserId>('ana');
const memory: RuledMemory = {
  kind: 'decision',
  tags: ['db', 'pool'],
  scope: 'project',
  authorId: author,
  files: ['src/db/pool.ts'],
  pinned: false,
  ageDays: 10,
  near: true,
};
const exclude = (conditions: RecallRule['conditions']): RecallRule => ({ name: 'r', conditions, effect: 'exclude' });

const anyMemory: fc.Arbitrary<RuledMemory> = fc.record({
  kind: fc.constantFrom(...MEMORY_KINDS),
  tags: fc.subarray(['a', 'b', 'c']),
  scope: fc.constantFrom(...SCOPES),
  authorId: fc.constantFrom('u', 'v').map((id) => asId<UserId>(id)),
  files: fc.subarray(['x.ts', 'src/x.ts', 'y.ts']),
  pinned: fc.boolean(),
  ageDays: fc.double({ min: 0, max: 400, noNaN: true }),
  near: fc.boolean(),
});
const anyConditions: fc.Arbitrary<RecallRule['conditions']> = fc.record(
  {
    kinds: fc.subarray([...MEMORY_KINDS], { minLength: 1 }),
    tags: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
    pinned: fc.boolean(),
    maxAgeDays: fc.integer({ min: 1, max: 400 }),
  },
  { requiredKeys: [] },
);
const anyRule: fc.Arbitrary<RecallRule> = fc.oneof(
  fc.record({
    name: fc.string(),
    conditions: anyConditions,
    effect: fc.constantFrom('first' as const, 'exclude' as const),
  }),
  fc.record({
    name: fc.string(),
    conditions: anyConditions,
    effect: fc.constant('boost' as const),
    factor: fc.double({ min: 1, max: 1.2, noNaN: true }),
  }),
  fc.record({
    name: fc.string(),
    conditions: anyConditions,
    effect: fc.constant('limit' as const),
    maxItems: fc.integer({ min: 1, max: 5 }),
  }),
);
const anyItems = fc
  .array(fc.record({ memory: anyMemory, score: fc.double({ min: 0, max: 1, noNaN: true }) }), { maxLength: 30 })
  .map((items) => items.map((item, index) => ({ ...item, id: String(index).padStart(3, '0') })));

const ruled = (items: readonly { id: string; memory: RuledMemory; score: number }[], rules: readonly RecallRule[]) =>
  orderByRules(
    items.map((item) => ({ ...item, judgement: judgeByRules(rules, item.memory) })),
    ({ score, judgement }) => score * judgement.factor,
  );

describe('conditions', () => {
  it.each<[RecallRule['conditions'], boolean]>([
    [{}, true],
    [{ kinds: ['decision', 'todo'] }, true],
    [{ kinds: ['todo'] }, false],
    [{ tags: ['pool', 'x'] }, true],
    [{ tags: ['Pool'] }, false],
    [{ scopes: ['private'] }, false],
    [{ authors: [author] }, true],
    [{ authors: [asId<UserId>('ben')] }, false],
    [{ files: ['pool.ts'] }, true],
    [{ files: ['/home/ada/src/db/pool.ts'] }, true],
    [{ files: ['ool.ts'] }, false],
    [{ pinned: true }, false],
    [{ minAgeDays: 10, maxAgeDays: 10 }, true],
    [{ minAgeDays: 11 }, false],
    [{ maxAgeDays: 9.9 }, false],
    [{ kinds: ['decision'], tags: ['x'] }, false],
  ])('%j match: %s', (conditions, expected) =>
    expect(judgeByRules([exclude(conditions)], memory).isExcluded).toBe(expected),
  );
});

describe('rules', () => {
  it('never lift a score by more than a fifth, however many there are, and never lower one', () => {
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 20 }), anyMemory, (rules, one) => {
        const { factor } = judgeByRules(rules, one);
        expect(factor).toBeGreaterThanOrEqual(1);
        expect(factor).toBeLessThanOrEqual(MAX_RULE_BOOST);
      }),
    );
  });

  it('give one order whatever order the memories come in', () => {
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 6 }), anyItems, (rules, items) => {
        const ids = ruled(items, rules).map(({ id }) => id);
        expect(ruled([...items].reverse(), rules).map(({ id }) => id)).toEqual(ids);
      }),
    );
  });

  it('show nothing twice, nothing excluded, what is first before the rest, and no more than a limit', () => {
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 6 }), anyItems, (rules, items) => {
        const shown = ruled(items, rules);
        expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
        expect(shown.every(({ judgement }) => !judgement.isExcluded)).toBe(true);
        const classes = shown.map(({ judgement }) => Number(judgement.isFirst));
        expect(classes).toEqual([...classes].sort((one, other) => other - one));
        for (const rule of rules) {
          const taken = shown.filter(({ judgement }) => judgement.limits.includes(rule)).length;
          expect(taken).toBeLessThanOrEqual(rule.maxItems ?? Infinity);
        }
      }),
    );
  });

  it('take out nothing but what is excluded or over a limit', () => {
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 6 }), anyItems, (rules, items) => {
        const soft = rules.filter(({ effect }) => effect === 'first' || effect === 'boost');
        expect(ruled(items, soft)).toHaveLength(items.length);
      }),
    );
  });

  it('explain themselves by name, in order', () => {
    const rules = [...SHIPPED_RULES, { name: 'ours', conditions: {}, effect: 'first' as const }];
    expect(judgeByRules(rules, { ...memory, pinned: true, ageDays: 1 }).names).toEqual([
      'pinned first',
      'new ahead of equals',
      'ours',
    ]);
  });

  it('that are shipped put a pin first only where it is near', () => {
    const pinned = { ...memory, pinned: true };
    expect(judgeByRules(SHIPPED_RULES, pinned).isFirst).toBe(true);
    expect(judgeByRules(SHIPPED_RULES, { ...pinned, near: false }).isFirst).toBe(false);
  });
});
