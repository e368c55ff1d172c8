import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MEMORY_KINDS, VALIDITIES } from './memory.js';
import { pruneReasons, type PrunableMemory } from './pruning.js';

const LIMITS = { maxAgeDays: 180, minUtility: 0.05, minRetrievals: 2 };
const USELESS: PrunableMemory = {
  kind: 'episode',
  validity: 'none',
  open: false,
  pinned: false,
  ageDays: 400,
  utility: 0.01,
  helpfulVotes: 0,
  askedRetrievals: 0,
};

describe('pruning', () => {
  it('gives both reasons, age first', () => expect(pruneReasons(USELESS, LIMITS)).toEqual(['age', 'utility']));

  it.each<[string, Partial<PrunableMemory>]>([
    ['is pinned', { pinned: true }],
    ['helped once', { helpfulVotes: 1 }],
    ['is asked for', { askedRetrievals: 2 }],
    ['is valid for ever', { validity: 'forever' }],
    ['is a decision', { kind: 'decision' }],
    ['is a todo still open', { kind: 'todo', open: true }],
    ['stands at both limits', { ageDays: 180, utility: 0.05 }],
  ])('keeps a memory that %s', (_, reason) => {
    expect(pruneReasons({ ...USELESS, ...reason }, LIMITS)).toEqual([]);
  });

  it('lets a todo go once it is done', () => {
    expect(pruneReasons({ ...USELESS, kind: 'todo' }, LIMITS)).toEqual(['age', 'utility']);
  });

  it('never takes what helped somebody, whatever else is true', () => {
    const memory = fc.record({
      kind: fc.constantFrom(...MEMORY_KINDS),
      validity: fc.constantFrom(...VALIDITIES),
      open: fc.boolean(),
      pinned: fc.boolean(),
      ageDays: fc.nat({ max: 9999 }),
      utility: fc.double({ min: 0, max: 1, noNaN: true }),
      helpfulVotes: fc.integer({ min: 1, max: 9 }),
      askedRetrievals: fc.nat({ max: 9 }),
    });
    fc.assert(fc.property(memory, (given) => pruneReasons(given, LIMITS).length === 0));
  });
});
