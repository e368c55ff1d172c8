import { cjkTerms } from './cjk-terms.js';
import { identifierTerms } from './identifier-terms.js';
import { wordTerm } from './word-term.js';

/** A text as keyword search sees it. */
export interface Keywords {
  /** Term → how often it occurs. Terms hold letters, digits and `. _ - + # / : @` only. */
  readonly terms: ReadonlyMap<string, number>;
  /** Number of term occurrences, for BM25's length normalisation. */
  readonly length: number;
}

/** Scripts written without spaces between words, with the marks that belong to them. */
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]`;
const LETTER = String.raw`(?:(?!${UNSPACED})[\p{L}\p{M}\p{N}_])`;
/** Letters and digits, joined by signs that occur inside identifiers, paths, versions and contractions. */
const CHUNK = new RegExp(`(?<unspaced>${UNSPACED}+)|${LETTER}+(?:['’./:@+#\\\\-]+${LETTER}+)*(?:\\+\\+|#)?`, 'gu');

/** Beyond it a chunk is data (base64, a hash list), of which only the parts are kept. */
const MAX_TERM_CHARACTERS = 100;
/** A text of 64 KiB has a few thousand; the limit bounds the stored size whatever is sent. */
const MAX_DISTINCT_TERMS = 20_000;

/**
 * Terms of a document or a question, the same way for both: words lower-cased and stemmed, identifiers whole and in
 * parts, numbers, Chinese, Japanese and Korean by single characters and pairs. Linear in the length of the text.
 */
export function toKeywords(text: string): Keywords {
  const terms = new Map<string, number>();
  let length = 0;
  for (const match of text.normalize('NFKC').matchAll(CHUNK)) {
    const chunk = match[0];
    for (const term of match.groups?.['unspaced'] ? cjkTerms(chunk) : chunkTerms(chunk)) {
      const count = terms.get(term);
      if (count === undefined && terms.size >= MAX_DISTINCT_TERMS) continue;
      terms.set(term, (count ?? 0) + 1);
      length += 1;
    }
  }
  return { terms, length };
}

function chunkTerms(chunk: string): Set<string> {
  const spelled = identifierTerms(chunk.replaceAll('\\', '/').replace(/['’]s?(?!\p{L})|['’]/gu, ''));
  return new Set(spelled.filter((term) => term.length <= MAX_TERM_CHARACTERS).map(wordTerm));
}
