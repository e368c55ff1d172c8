import { expect, it } from 'vitest';
import { listBytes, notesBytes, thatFit } from './memory-size.js';

const NOTES = {
  tags: ['漢字'],
  filesModified: ['a.ts'],
  errorsResolved: [{ error: 'one', resolution: null }],
  alternatives: [{ approach: 'x', whyNot: 'yy', revisitIf: 'zzz' }],
};

it('measures notes in bytes of UTF-8, absent parts as nothing', () => {
  expect(notesBytes(NOTES)).toBe(6 + 4 + 3 + 6);
  expect(listBytes([])).toBe(0);
});

it('keeps what fits, in order', () => {
  expect(thatFit(['aaa', 'bbb', 'ccc'], 6)).toEqual(['aaa', 'bbb']);
  expect(thatFit(['aaa'], 2)).toEqual([]);
});
