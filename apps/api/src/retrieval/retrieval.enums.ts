import { registerEnumType } from '@nestjs/graphql';

/** How an answer is looked for; `keyword` too while no encoder is ready. */
export const SEARCH_MODES = ['vector_and_keyword', 'vector', 'keyword'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

export const SearchModeEnum = {
  VECTOR_AND_KEYWORD: 'vector_and_keyword',
  VECTOR: 'vector',
  KEYWORD: 'keyword',
} as const;
export const RetrievalKindEnum = { ASKED: 'asked', INJECTED: 'injected' } as const;

registerEnumType(SearchModeEnum, {
  name: 'SearchMode',
  description: 'By meaning and words, by meaning alone, or by words alone (names, codes, error texts).',
});
registerEnumType(RetrievalKindEnum, { name: 'RetrievalKind' });
