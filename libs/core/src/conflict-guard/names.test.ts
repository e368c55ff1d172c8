import { describe, expect, it } from 'vitest';
import { mentionsOf, MentionIndex } from './names.js';

describe('the mentions of a text', () => {
  it('count a command without a Latin letter by its words', () => {
    const [command] = mentionsOf('先跑 `部署 服务`');
    const has = (text: string): boolean => command !== undefined && new MentionIndex(text).has(command);
    expect([has('用 `部署 服务` 发布'), has('用 `停止 服务` 发布')]).toEqual([true, false]);
  });

  it.each<[string, (words: number) => string, (words: number) => string]>([
    ['one span of code', (words) => `\`${'a '.repeat(words)}b\``, (words) => 'a '.repeat(2 * words)],
    [
      'many spans that begin alike',
      (words) => Array.from({ length: words }, (_, index) => `\`a b${index}\``).join(' '),
      (words) => 'a c '.repeat(words),
    ],
  ])('is searched for %s, in time proportional to both', (_, codeOf, textOf) => {
    const timeOfSearch = (words: number): number => {
      const index = new MentionIndex(textOf(words));
      const mentions = mentionsOf(codeOf(words)).filter(({ kind }) => kind === 'command');
      expect(mentions.length).toBeGreaterThan(0);
      const started = performance.now();
      expect(mentions.filter((mention) => index.has(mention))).toEqual([]);
      return performance.now() - started;
    };
    // Sixteen times the text; what is quadratic takes 256 times as long.
    const limit = 64 * Math.max(timeOfSearch(2_000), 8);
    const isQuick = (): boolean => timeOfSearch(32_000) < limit;
    expect(isQuick() || isQuick() || isQuick()).toBe(true);
  });
});
