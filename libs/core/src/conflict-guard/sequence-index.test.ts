import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SequenceIndex } from './sequence-index.js';

const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 14 });

describe('an index of a sequence', () => {
  it('knows exactly what stands in it without a gap', () => {
    fc.assert(
      fc.property(words, words, (text, asked) => {
        const stands = ` ${text.join(' ')} `.includes(asked.length === 0 ? ' ' : ` ${asked.join(' ')} `);
        expect(new SequenceIndex(text).has(asked)).toBe(stands);
      }),
      { numRuns: 1_000 },
    );
  });

  it('finds every piece of it', () => {
    fc.assert(
      fc.property(words, fc.nat(14), fc.nat(14), (text, from, to) => new SequenceIndex(text).has(text.slice(from, to))),
    );
  });
});
