export { bm25, BM25, type Bm25Term, termRarity } from './bm25.js';
export { type Keywords, toKeywords } from './keywords.js';
export { questionTerms } from './question-terms.js';
export { toTsqueryLiteral, toTsvectorLiteral } from './tsvector-literal.js';
