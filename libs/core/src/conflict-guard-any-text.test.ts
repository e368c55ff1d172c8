import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayMerge } from './conflict-guard.js';

describe('for any texts', () => {
  const words = [
    'the',
    'cache',
    'not',
    'is',
    '30',
    's',
    'min',
    'v1.2',
    'src/a.ts',
    'Alice',
    '`npm ci`',
    '不',
    '启用',
    '三次',
    '✅',
    '->',
    '<',
    'by',
    'to',
    'from',
  ];
  const text = fc.oneof(
    fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((parts) => parts.join(' ')),
    fc.string({ unit: 'grapheme' }),
  );

  it('a text never conflicts with itself', () => {
    fc.assert(fc.property(text, (one) => mayMerge(one, one)));
  });

  it('it does not matter which text came first', () => {
    fc.assert(fc.property(text, text, (one, other) => mayMerge(one, other) === mayMerge(other, one)));
  });

  it('nor where their words differ in several places', () => {
    const words = fc.array(fc.constantFrom('queue', 'worker', 'store', 'red', 'blue', 'job', 'lock'), { maxLength: 9 });
    const sentence = words.map((parts) => parts.join(' '));
    fc.assert(
      fc.property(sentence, sentence, (one, other) => mayMerge(one, other) === mayMerge(other, one)),
      { numRuns: 1000 },
    );
  });

  it('another number in a sentence is always a conflict', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (one, other) => {
        fc.pre(one !== other);
        return (
          !mayMerge(`The queue holds ${one} jobs`, `The queue holds ${other} jobs`) &&
          !mayMerge(`队列容量为${one}`, `队列容量为${other}`)
        );
      }),
    );
  });

  it('another case, spacing or closing mark is never a conflict', () => {
    fc.assert(fc.property(text, (one) => mayMerge(one, `  ${one.replaceAll(' ', '   ')}`)));
  });
});

describe('a long text', () => {
  const timeOf = (unit: string, length: number, before = ''): number => {
    const text = before + unit.repeat(Math.ceil(length / unit.length));
    const started = performance.now();
    mayMerge(text, `${text} b`);
    return performance.now() - started;
  };

  it.each([
    ...[
      'a',
      'a.',
      '不',
      '1',
      '1,',
      'word ',
      '/a',
      '`a',
      "'",
      '-',
      '-b',
      'A b ',
      '千',
      '$',
      '"a',
      'not ',
      'to a ',
      '不a',
      '一百',
    ],
    ...[
      ' ',
      '1 ',
      '没有',
      'git push ',
      '`a b`',
      'ない',
      '안 ',
      'a1 ',
      '「a',
      '.',
      '没 ',
      '✅',
      '->',
      '~~a',
      '~~',
      '<',
      '+',
      '=',
      '> ',
      '[x] ',
      '<https://',
      'is by a ',
      'ไม่',
    ],
  ])('takes time in proportion to its length, repeating %j', (unit) => {
    // Eight times the text; what is quadratic takes 64 times as long, and takes it every time, whatever else runs.
    const limit = 40 * Math.max(timeOf(unit, 4096), 8);
    const isQuick = (): boolean => timeOf(unit, 32_768) < limit;
    expect(isQuick() || isQuick() || isQuick()).toBe(true);
  });

  it('takes time in proportion to its length, opening a block of code that never ends', () => {
    const limit = 40 * Math.max(timeOf('a', 4096, '```'), 8);
    const isQuick = (): boolean => timeOf('a', 65_000, '```') < limit;
    expect(isQuick() || isQuick() || isQuick()).toBe(true);
  });
});
