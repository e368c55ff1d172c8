import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText } from './split-text.js';

const splitText = (text: string, partTokens: number, countTokens: (text: string) => number): string[] =>
  [...cutText(text, partTokens, countTokens)].filter((part) => part !== null);

const countWords = (text: string): number => text.match(/\S+/g)?.length ?? 0;
const countCharacters = (text: string): number => [...text].length;

describe('the parts of a text', () => {
  it('are the text itself where it fits, and none where it is blank', () => {
    expect(splitText('one two', 2, countWords)).toEqual(['one two']);
    expect(splitText(' \n', 2, countWords)).toEqual([]);
  });

  it('fit the window and joined give the text again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.integer({ min: 1, max: 40 }), (text, window) => {
        const parts = splitText(text, window, countCharacters);
        for (const part of parts)
          expect(countCharacters(part) <= window || part.length < 2 || countCharacters(part) === 1).toBe(true);
        const blank = parts.join('').length < text.length;
        if (!blank) expect(parts.join('')).toBe(text);
        expect(parts.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      }),
    );
  });

  it('are cut at a paragraph rather than inside a sentence', () => {
    const first = 'alpha beta. gamma delta.\n\n';
    expect(splitText(`${first}epsilon zeta. eta theta.`, 4, countWords)[0]).toBe(first);
  });

  it('never cut a character in two', () => {
    for (const part of splitText('🙂'.repeat(50), 7, countCharacters)) expect(part).toMatch(/^(?:🙂)+$/u);
  });
});
