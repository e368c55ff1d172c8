import { expect, it } from 'vitest';
import { REDACTION_RULES } from './redact.js';
import { WordTree } from './word-tree.js';

it('finds the words of a list in just those texts in which each alone is found', () => {
  const words = REDACTION_RULES.flatMap(({ allowlists = [] }) => allowlists.flatMap(({ stopwords = [] }) => stopwords));
  expect(words.length).toBeGreaterThan(1_000);
  const tree = new WordTree(words);
  // Enough texts for the tree to be built on the way, each with pieces of words and some with whole ones.
  const texts = words.flatMap((word, at) => [
    `q9${word.slice(0, -1)}z7`,
    `${at}${word}`,
    word.slice(1),
    `${word.slice(0, 2)}${words[at + 1] ?? ''}`,
  ]);
  const wrong = texts.filter((text) => tree.isIn(text) !== words.some((word) => text.includes(word)));
  expect(wrong).toEqual([]);
  expect([new WordTree([]), tree].map((one) => one.isIn(''))).toEqual([false, false]);
});
