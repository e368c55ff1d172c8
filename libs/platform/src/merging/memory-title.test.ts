import { describe, expect, it } from 'vitest';
import { fullTextOf, titleOf } from './memory-title.js';

describe('a title made from a text', () => {
  it.each([
    ['The cache is cold. Warm it first.', 'The cache is cold'],
    ['# Notes\n\nMore.', 'Notes'],
    ['- use `v1.5` of the client! It is faster.', 'use `v1.5` of the client!'],
    ['缓存是冷的。先预热。', '缓存是冷的。'],
    ['\n\n  one line  \n', 'one line'],
    ['...', '...'],
    ['#', '#'],
  ])('of %j is %j', (text, title) => {
    expect(titleOf(text)).toBe(title);
  });

  it('is cut at a word, and within a character never', () => {
    const long = titleOf('word '.repeat(60));
    expect([...long].length).toBeLessThanOrEqual(120);
    expect(long).toMatch(/^(word )+word…$/);
    const emoji = titleOf('😀'.repeat(200));
    expect([...emoji].every((character) => character === '😀' || character === '…')).toBe(true);
  });
});

describe('the full text', () => {
  it('has the title before it where that says more, and not where it repeats', () => {
    expect(fullTextOf({ title: 'Deploys', text: 'They go out on Tuesdays.' })).toBe(
      'Deploys\nThey go out on Tuesdays.',
    );
    const text = 'The cache is cold. Warm it first.';
    expect(fullTextOf({ title: titleOf(text), text })).toBe(text);
    const long = 'word '.repeat(60);
    expect(fullTextOf({ title: titleOf(long), text: long })).toBe(long);
  });
});
