import { registerEnumType } from '@nestjs/graphql';

/** How an answer was found; `keyword` while no encoder is ready. */
export const SEARCH_MODES = ['vector_and_keyword', 'keyword'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

export const SearchModeEnum = { VECTOR_AND_KEYWORD: 'vector_and_keyword', KEYWORD: 'keyword' } as const;
export const RetrievalKindEnum = { ASKED: 'asked', INJECTED: 'injected' } as const;

registerEnumType(SearchModeEnum, { name: 'SearchMode' });
registerEnumType(RetrievalKindEnum, { name: 'RetrievalKind' });
