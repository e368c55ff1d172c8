import type { Keywords } from './keywords.js';

/** Postgres keeps at most 255 positions of a lexeme, numbered up to 16383. */
const MAX_POSITIONS = 255;
/** Postgres refuses lexemes of 2 KB and vectors of 1 MB (text and positions); half of it leaves room for both. */
const MAX_LEXEME_BYTES = 1_024;
const MAX_VECTOR_BYTES = 512 * 1_024;

/**
 * The text form of a `tsvector`, to be bound as `$1::tsvector`. A term that occurs n times has the positions 1..n: search
 * reads the count from them and nobody asks for phrases.
 */
export function toTsvectorLiteral({ terms }: Keywords): string {
  const lexemes: string[] = [];
  let bytes = 0;
  for (const [term, count] of terms) {
    const positions = Math.min(count, MAX_POSITIONS);
    const size = Buffer.byteLength(term);
    if (!isStorable(term, size)) continue;
    bytes += size + 2 * positions + 8;
    if (bytes > MAX_VECTOR_BYTES) break;
    lexemes.push(`${quoted(term)}:${Array.from({ length: positions }, (_, index) => index + 1).join(',')}`);
  }
  return lexemes.join(' ');
}

/** The text form of a `tsquery` that any of the terms satisfies, to be bound as `$1::tsquery`; empty without terms. */
export function toTsqueryLiteral(terms: Iterable<string>): string {
  const storable = [...new Set(terms)].filter((term) => isStorable(term, Buffer.byteLength(term)));
  return storable.map(quoted).join(' | ');
}

function isStorable(term: string, bytes: number): boolean {
  return bytes > 0 && bytes <= MAX_LEXEME_BYTES && !term.includes('\0');
}

function quoted(term: string): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
