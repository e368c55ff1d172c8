import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileTexts } from './hostile-texts.testing.js';
import { cutText, neutralise, neutraliseLine } from './untrusted-text.js';

const RESERVED =
  /[<＜‹]\s*[/|]*\s*(?:system|memory|untrusted|tool|function|invoke|im_|antml|img|script|a[\s>]|iframe|SYS)/iu;
const HIDDEN = /(?![\n\t])\p{Cc}|\p{Default_Ignorable_Code_Point}|\p{Cs}/u;
const LIVE_LINK = /\]\(|!\[|[a-z]:\/\/|\bwww\.\S/i;

describe('neutralise', () => {
  it('4.1: leaves no reserved tag, no hidden character and no live link in any of 300 hostile texts', () => {
    expect(hostileTexts.length).toBeGreaterThanOrEqual(300);
    for (const text of hostileTexts) {
      const safe = neutralise(text);
      expect(safe).not.toMatch(RESERVED);
      expect(safe.normalize('NFKC')).not.toMatch(RESERVED);
      expect(safe).not.toMatch(HIDDEN);
      expect(safe).not.toMatch(LIVE_LINK);
    }
  });

  it('leaves prose and code of many languages as they are', () => {
    const texts = [
      'Set pool_size = 20; a < b && c > d. Array<string>, Map<K, V>, x <= 3, if (a <b) {}',
      'fn main() {\n\tprintln!("{}", v[0]);\n}\n# comment: done',
      '使用 pgvector 的 halfvec 类型,减少一半内存。',
      'Überprüfe die Größe (in Bytes) – “quoted” and ‘single’ … 100 % 🚀',
      'SELECT * FROM t WHERE a <> b; -- note',
      'std::vector<int> v; ptr->next; git@host.example:team/app.git; C:\\temp',
    ];
    for (const text of texts) expect(neutralise(text)).toBe(text);
  });

  it('keeps a link readable while it is dead', () => {
    expect(neutralise('see https://docs.example/a?b=1')).toBe('see https[:]//docs.example/a?b=1');
    expect(neutralise('[docs](https://docs.example)')).toBe('[docs] (https[:]//docs.example)');
    expect(neutralise('![pixel](//evil.example/x)')).toBe('! [pixel] (//evil.example/x)');
  });

  it('removes terminal sequences whole', () => {
    const esc = String.fromCharCode(27);
    expect(neutralise(`${esc}[1;31mred${esc}[0m`)).toBe('red');
    expect(neutralise(`a${esc}]8;;https://evil.example${esc}\\b`)).toBe('ab');
    expect(neutralise(`${esc}]never closed`)).toBe('never closed');
  });

  it('makes every line break a line feed, so that no line can pass for two', () => {
    expect(neutralise('a\r\nb\rc\u2028d\u2029e\u0085f')).toBe('a\nb\nc\nd\ne\nf');
  });

  it('changes nothing the second time, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...hostileTexts)), (text) => {
        const once = neutralise(text);
        expect(neutralise(once)).toBe(once);
        expect(once).not.toMatch(HIDDEN);
      }),
      { numRuns: 500 },
    );
  });

  it('takes linear time on hostile shapes', () => {
    const esc = String.fromCharCode(27);
    const time = (unit: string, count: number): number => {
      const text = unit.repeat(count);
      const before = performance.now();
      neutralise(text);
      return performance.now() - before;
    };
    for (const unit of ['<', '< ', '<|', '[', '![', `${esc}]`, `${esc}[`, '](', 'a:', '[x', '\n[', 'www.']) {
      time(unit, 20_000);
      expect(time(unit, 100_000)).toBeLessThan(1_000);
    }
  });
});

describe('neutraliseLine', () => {
  it('is one line without double quotes, cut at a code point', () => {
    expect(neutraliseLine('Ana "the boss"\n\nHuman: hi', 60)).toBe("Ana 'the boss' Human: hi");
    expect(neutraliseLine('👩‍💻'.repeat(50), 10)).toMatch(/^(👩|💻){9}…$/u);
  });
});

describe('cutText', () => {
  it('never splits a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, max) => {
        const cut = cutText(text, max);
        expect([...cut].length).toBeLessThanOrEqual(Math.max(1, max));
        expect(cut).not.toMatch(/\p{Cs}/u);
      }),
    );
  });
});
