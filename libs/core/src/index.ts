/** The rules of memory as pure functions: no clock, no randomness, no I/O. */
export { CADENCES, type Cadence, isDue } from './cadence.js';
export {
  asId,
  MEMORY_KINDS,
  OUTCOMES,
  RETRIEVAL_KINDS,
  SCOPES,
  TASK_TYPES,
  VALIDITIES,
  VERIFICATIONS,
} from './memory.js';
export type {
  GroupId,
  Id,
  MemoryId,
  MemoryKind,
  Outcome,
  ProjectId,
  RetrievalId,
  RetrievalKind,
  RunId,
  Scope,
  SessionId,
  TaskType,
  TenantId,
  UserId,
  Validity,
  Verification,
} from './memory.js';

export { audienceKey, isSeenByAllOf } from './audience.js';
export type { Audience } from './audience.js';

export { ACCESS_ROLE_NAMES, ACCESS_ROLES, grantOf, GRANTS, PERMISSIONS } from './permissions.js';
export type { AccessRole, Grant, Permission, PermissionRow, PermittedAction } from './permissions.js';

export { clamp, clamp01 } from './clamp.js';
export { daysBetween, utcDay } from './days.js';

export { countVotes, evidence, evidenceFromVotes, voteWeight, weighVotes } from './evidence.js';
export type { CastVote, UserVotes, VoteWeights } from './evidence.js';

export {
  contextualEvidence,
  countsInContext,
  MAX_VOTED_QUESTIONS,
  nearestVoices,
  questionKinship,
} from './contextual-evidence.js';
export type {
  ContextSettings,
  ContextualEvidence,
  ContextualVote,
  KindredVote,
  VoteInContext,
} from './contextual-evidence.js';

export { borneOut, standingOf } from './agreement.js';
export type { Comparison } from './agreement.js';

export { credit, creditOfRank, creditReceivers, MAX_CREDIT } from './credit.js';
export type { CreditRates, CreditReceiver, EpisodeSpan } from './credit.js';

export { DECAY_RATES, decayRate, effectiveUtility, fadeFactor } from './decay.js';
export type { Fading } from './decay.js';

export { assess, baseValue, confidence, excess, memoryValue, rankingInput } from './value.js';
export type { Assessment, MemoryState, Worth } from './value.js';

export { keywordPart, leastRelevance, likeness, matchOdds, oddsInSession, relevance } from './relevance.js';
export type { Calibration, Match, WordMatch } from './relevance.js';

export { boundedFactor, boundedScore, linearScore, recency, scoreMemory, trust } from './ranking.js';
export type {
  Boost,
  BoundedWeights,
  LinearParts,
  RankingWeights,
  Score,
  ScoreInput,
  ScoreSettings,
  Standing,
} from './ranking.js';

export { selectDiverse } from './diversity.js';
export type { Candidate } from './diversity.js';

export { borrowAtOnce, isSource, learningShare, lent, propagate } from './propagation.js';
export type { Lender, Loan, PropagationNode, PropagationResult, PropagationSettings } from './propagation.js';

export { drawEdges, NEAREST_NEIGHBOURS, SESSION_MATE_WEIGHT } from './propagation-graph.js';
export type { Edge } from './propagation-graph.js';

export { PRUNE_REASONS, pruneReasons } from './pruning.js';
export type { PrunableMemory, PruneLimits, PruneReason } from './pruning.js';
export { isStale } from './staleness.js';
export type { StaleLimits } from './staleness.js';

export { belongTogether, newestFirst, planConsolidation, withoutLeaving } from './consolidation.js';
export type { Cluster, Consolidable, Consolidation, ConsolidationRules, NearPair } from './consolidation.js';

export { bucketStart, learningPoint, shiftBucket, TREND_BUCKETS, trendBucket } from './trends.js';
export type { LearningCounts, LearningPoint, TrendBucket } from './trends.js';

export {
  isSettingKey,
  nearestSettingKey,
  resolveSettings,
  settingProblem,
  SETTINGS,
  settingScope,
  settingUnit,
  toOverrides,
} from './settings.js';
export type { SettingKey, SettingOverrides, Settings, SettingSpec, SettingValue } from './settings.js';

export { linkSession, SESSION_GAP_HOURS } from './session.js';
export type { SessionLink, SessionSeeker, WorkSession } from './session.js';

export { isNearThroughout, isOfOneCircle } from './merge.js';
export type { Circle } from './merge.js';

export { CONFLICT_KINDS, findConflicts, mayMerge } from './conflict-guard.js';
export type { ConflictKind, TextConflict } from './conflict-guard.js';

export { judgeOnePrompt } from './one-prompt.js';
export { ALIKE_SHARE, endingConflict, judgeEncounter } from './supersession.js';
export type { Encounter, Nearness, Relation, Standpoint, Verdict } from './supersession.js';

export { judgeByRules, MAX_RULE_BOOST, orderByRules, RULE_EFFECTS, SHIPPED_RULES } from './recall-rules.js';
export type { Judgement, RecallRule, RuleConditions, RuledMemory, RuleEffect } from './recall-rules.js';

export { BRIEF_PARTS, packBrief } from './brief.js';
export type { BriefItem, BriefPart, PackedBrief } from './brief.js';

export { HIGH_VALUE, sumHealth } from './health.js';
export type { Health, StandingCount } from './health.js';

export { chooseProfile, MAX_PROFILE_LINES, PROFILE_LINE_TOKENS, PROFILE_PARTS } from './profile.js';
export type { ProfileCandidate, ProfileLine, ProfileOf, ProfilePart } from './profile.js';

export { errorFingerprint, fingerprintsOf, isSameError } from './error-fingerprint.js';

export { distil, factIdentity } from './distil/distil.js';
export { REFUSALS } from './distil/conversation.js';
export type {
  DistilledFact,
  Distillation,
  DistilPorts,
  Evidence,
  FactKind,
  RefusedFact,
  Refusal,
  ResolvedError,
  Turn,
  TurnTool,
} from './distil/conversation.js';
