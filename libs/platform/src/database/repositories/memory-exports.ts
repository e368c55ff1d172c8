export {
  type BriefCandidate,
  type BriefScope,
  type BriefSubject,
  correctionCategories,
  findBriefed,
  findErrorsInWords,
} from './brief-read.js';
export {
  completeOutbox,
  type MemoryToEmbed,
  postponeOutbox,
  promiseEmbedding,
  readMemoryToEmbed,
} from './embedding-job.js';
export { findNear, type NearMemory, type NearRequest } from './embedding-near.js';
export { insertEmbeddings, type NewEmbeddings } from './embedding-write.js';
export {
  findIdempotencyKey,
  type IdempotentRequest,
  insertIdempotencyKey,
  type KnownRequest,
  lockCaptures,
} from './idempotency-key.js';
export { insertLinks, type LinkKind, type NewLink } from './link-write.js';
export { borrowLoans, holdLending, lendAtOnce } from './loan-write.js';
export { audienceName, type MemoryAudience } from './memory-audience.js';
export {
  type PastRevision,
  type RelationKind,
  readRelated,
  readRevisions,
  type RelatedMemory,
} from './memory-history.js';
export { countMemories, listMemories, type MemoryListFilter, type MemoryListPosition } from './memory-list.js';
export { hasOverlap, type OverlapRequest } from './memory-overlap.js';
export {
  findProjectAccess,
  findProjectAccessById,
  myRights,
  mySlugs,
  type ProjectAccess,
  type TenantRights,
} from './memory-project.js';
export { findByIdPrefix, readMemories } from './memory-read.js';
export {
  type Alternative,
  EMBEDDING_STATES,
  type EmbeddingState,
  type ErrorResolution,
  MEMORY_STATES,
  type MemoryContent,
  type MemoryRecord,
  type MemoryState,
  type Verification,
  VERIFICATIONS,
  type WrittenAs,
} from './memory-record.js';
export {
  isPastRestoring,
  type LockedMemory,
  lockMemory,
  setPinned,
  lockVerdicts,
  setRefuted,
  setState,
  setVerification,
} from './memory-change.js';
export { liftSupersession, lockDecisions, lockRetirable, type Retirement, supersede } from './memory-supersession.js';
export {
  type ConflictChoice,
  type ConflictLink,
  type ConflictPosition,
  findConflict,
  listConflicts,
  lockMaintained,
  setResolution,
} from './conflict.repository.js';
export { findTextsThen, readTextsThen, type TextThen } from './retrieval-past.js';
export {
  countPending,
  countStatus,
  groupByStanding,
  type MemoryCounts,
  type PendingCounts,
  type StandingGroup,
} from './memory-status.js';
export { type JoinedMemory, joinMemory, type NextText, replaceText } from './memory-merge.js';
export { type Contributor, readContributors } from './memory-contributors.js';
export {
  addProof,
  findOfOnePrompt,
  type NewProof,
  notePrompt,
  type OnePromptRequest,
  type SessionPrompt,
} from './memory-proof.js';
export {
  CAPTURE_SOURCES,
  type CaptureSource,
  insertMemory,
  type NewMemory,
  setEmbeddingState,
} from './memory-write.js';
export { findRefutedTexts, findSameText, type SameTextRequest } from './memory-twin.js';
export { findCandidates } from './retrieval-candidates.js';
export {
  latestRetrievals,
  type NewRetrieval,
  readQuestion,
  recordRetrieval,
  shownBy,
  type ShownMemory,
} from './retrieval-record.js';
export { findOrStartSession, type SessionRequest } from './session-find.js';
export { findSessionMates } from './session-mates.js';
export { latestVotes, type NewVote, recordVote, rememberQuestion, type VoteKey, withdrawVote } from './vote-write.js';
export {
  type BucketCounts,
  capturesByBucket,
  type DayCounts,
  type DomainCount,
  type DomainGrowth,
  groupMemories,
  growthOfDomains,
  largestDomains,
  type MemoryGroup,
  type StatsOf,
  sumDays,
  sumDaysByBucket,
  type TrendSpan,
} from './memory-trends.js';
