import { describe, expect, it } from 'vitest';
import { findConflicts } from '../conflict-guard.js';

describe('another wording', () => {
  it('is told in the words of each text, whichever came first', () => {
    const [one, other] = ['The databases are copied nightly', 'The databases are deployed nightly'];
    const wording = (a: string, b: string): unknown => findConflicts(a, b).find(({ kind }) => kind === 'wording');
    expect(wording(one, other)).toEqual({ kind: 'wording', one: ['copied'], other: ['deployed'] });
    expect(wording(other, one)).toEqual({ kind: 'wording', one: ['deployed'], other: ['copied'] });
  });
});
