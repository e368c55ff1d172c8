import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BRIEF_PARTS, type BriefItem, packBrief } from './brief.js';

const items = fc.array(
  fc.record({
    id: fc.constantFrom(...'abcdefghijklmnop'),
    part: fc.constantFrom(...BRIEF_PARTS),
    weight: fc.constantFrom(0, 0.5, 1),
    tokens: fc.integer({ min: 1, max: 300 }),
  }),
  { maxLength: 30 },
);

describe('a brief', () => {
  it('never exceeds its budget, tells each item once, counts what it leaves out, and leaves out nothing that fits', () => {
    fc.assert(
      fc.property(
        items,
        fc.integer({ min: 0, max: 1_500 }),
        fc.integer({ min: 1, max: 8 }),
        (given, budget, perPart) => {
          const { shown, leftOut, tokens } = packBrief(given, budget, perPart);
          expect(tokens).toBeLessThanOrEqual(budget);
          expect(tokens).toBe(shown.reduce((sum, item) => sum + item.tokens, 0));
          expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
          expect(shown.length + leftOut).toBe(new Set(given.map(({ id }) => id)).size);
          if (tokens + 300 <= budget && perPart === 8) {
            for (const part of BRIEF_PARTS) {
              const count = shown.filter((item) => item.part === part).length;
              const first = new Map<string, BriefItem>();
              for (const item of [...given].sort((a, b) => BRIEF_PARTS.indexOf(a.part) - BRIEF_PARTS.indexOf(b.part)))
                if (!first.has(item.id)) first.set(item.id, item);
              expect(count).toBe(Math.min(8, [...first.values()].filter((item) => item.part === part).length));
            }
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('lets no part crowd out another, takes the weightiest of each, and reads in the order of the parts', () => {
    const many: BriefItem[] = ['a', 'b', 'c'].map((id, index) => ({ id, part: 'todo', weight: index, tokens: 40 }));
    const { shown, leftOut } = packBrief([...many, { id: 'd', part: 'correction', weight: 0, tokens: 40 }], 100, 5);
    expect(shown.map(({ id }) => id)).toEqual(['d', 'c']);
    expect(leftOut).toBe(2);
  });
});
