export { rankCandidates, type RankedMemory, type RankingContext } from './rank-candidates.js';
export type { LikeQuestionVote, MemoryStanding, SearchCandidate } from './search-candidate.js';
export type { QuestionVector, SearchFilter, SearchRequest } from './search-request.js';
export { toVectorLiteral } from './vector-literal.js';
