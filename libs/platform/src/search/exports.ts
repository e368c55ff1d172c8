export { rankCandidates, type RankedMemory } from './rank-candidates.js';
export type { RankingContext } from './ranking-context.js';
export type { LikeQuestionVote, MemoryStanding, SearchCandidate } from './search-candidate.js';
export type { PastKeywords, QuestionVector, SearchFilter, SearchRequest } from './search-request.js';
export { toVectorLiteral } from './vector-literal.js';
