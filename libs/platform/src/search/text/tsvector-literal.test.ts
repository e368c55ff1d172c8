import { describe, expect, it } from 'vitest';
import { toKeywords } from './keywords.js';
import { toTsqueryLiteral, toTsvectorLiteral } from './tsvector-literal.js';

const keywords = (entries: [string, number][]): { terms: Map<string, number>; length: number } => ({
  terms: new Map(entries),
  length: entries.length,
});

describe('a tsvector literal', () => {
  it('carries the count of a term as its positions, at most 255', () => {
    expect(toTsvectorLiteral(keywords([['cach', 3]]))).toBe("'cach':1,2,3");
    expect(toTsvectorLiteral(keywords([['cach', 1_000]])).split(',')).toHaveLength(255);
  });

  it('quotes what would end a lexeme', () => {
    expect(toTsvectorLiteral(keywords([["it's", 1]]))).toBe("'it''s':1");
    expect(toTsvectorLiteral(keywords([['a\\', 1]]))).toBe("'a\\\\':1");
  });

  it('leaves out what Postgres would refuse and stays under its size', () => {
    expect(
      toTsvectorLiteral(
        keywords([
          ['', 1],
          ['a\0b', 1],
          ['x'.repeat(3_000), 1],
          ['ok', 1],
        ]),
      ),
    ).toBe("'ok':1");
    const many = Array.from({ length: 20_000 }, (_, index): [string, number] => [`${'é'.repeat(50)}${index}`, 1]);
    expect(Buffer.byteLength(toTsvectorLiteral(keywords(many)))).toBeLessThan(1_000_000);
  });

  it('is empty without terms', () => {
    expect(toTsvectorLiteral(toKeywords('!!!'))).toBe('');
    expect(toTsqueryLiteral([])).toBe('');
  });
});

describe('a tsquery literal', () => {
  it('asks for any of the terms, once each, operators being letters like others', () => {
    expect(toTsqueryLiteral(['a', 'b & !c', 'a'])).toBe("'a' | 'b & !c'");
  });
});
