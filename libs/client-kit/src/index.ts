export { AppError, errorTable, isAppError, kindOfGraphqlCode } from './app-error.js';
export type { AppErrorKind, AppErrorOptions, ErrorRule, GraphqlErrorCode } from './app-error.js';
export { makeEnvelope, withoutRecalled } from './envelope.js';
export type { Envelope, EnvelopeLabel } from './envelope.js';
export { BLOCK_BUDGET, promptBlock, sessionBlock } from './injection/injected-block.js';
export type { BlockTools } from './injection/injected-block.js';
export { promptInjectionView, sessionStartView } from './injection/injected-view.js';
export type { InjectedItem, PromptInjectionView, SessionStartView } from './injection/injected-view.js';
export { saidWords } from './injection/said-words.js';
export type {
  BriefRequest,
  CaptureRequest,
  FeedbackRequest,
  ManageRequest,
  MemoryBackend,
  RecallFilter,
  RecallQuestion,
} from './memory-backend.js';
export {
  briefView,
  captureAnswer,
  feedbackAnswer,
  memoryDetail,
  memoryList,
  propagationPreview,
  removedSecrets,
  retrieveAnswer,
  runView,
  statusAnswer,
} from './memory-view.js';
export type {
  BriefAnswer,
  CaptureAnswer,
  FeedbackAnswer,
  MemoryDetail,
  MemoryList,
  MemoryName,
  MemoryView,
  PropagationPreview,
  RetrieveAnswer,
  RunView,
  RetrieveHit,
  StatusAnswer,
} from './memory-view.js';
export { cleanupAnswer, consolidateAnswer, reviewAnswer } from './review-view.js';
export type {
  CleanupAnswer,
  ClusterView,
  ConsolidateAnswer,
  JudgedView,
  ReviewAnswer,
  UpkeepRequest,
} from './review-view.js';
export { normaliseRemote, slugFromRemote } from './project-key.js';
export { idForm, readMoment } from './tools/arguments.js';
export {
  actedHeading,
  lookedText,
  mergedSection,
  prunedSection,
  sectionParts,
  upkeepPlace,
} from './tools/review-text.js';
export type { Section } from './tools/review-text.js';
export { statsAnswer, trendsAnswer } from './stats-view.js';
export type { StatsAnswer, TrendsAnswer, TrendsRequest } from './stats-view.js';
export type { Glyphs } from './tools/chart.js';
export { toolByName, toolCatalogue } from './tools/catalogue.js';
export type { CatalogueTool } from './tools/catalogue.js';
export { toldSchema } from './tools/told-schema.js';
export { answerForAgent } from './tools/tool.js';
export type { AnswerPart, ToolAnswer, ToolContext } from './tools/tool.js';
export { tellError } from './tools/tool-error.js';
export type { ErrorReader, ToldError } from './tools/tool-error.js';
export { cutToTokens, estimateTokens } from './tools/memory-text.js';
export { structuredHere, waitingLines } from './tools/waiting-here.js';
export type { WaitingHere } from './tools/waiting-here.js';
export { SERVER_INSTRUCTIONS } from './tools/texts.js';
export { isVisible, turnsDirection } from './visible-text.js';
export { readsLikeInstruction } from './instruction-like.js';
export { cutText, neutralise, neutraliseLine, plainLine } from './untrusted-text.js';
export { withoutPrivate } from './redaction/private-spans.js';
export { findSecrets } from './redaction/find-secrets.js';
export { REDACTION_RULES, REDACTION_TYPES, redact, rulesFor } from './redaction/redact.js';
export type { Redacted, Removed } from './redaction/redact.js';
export { redactValues } from './redaction/redact-values.js';
export type { RedactedValue } from './redaction/redact-values.js';
export { removedLine, sumRemoved } from './redaction/removed.js';
export type { Finding as SecretFinding, Rule as RedactionRule } from './redaction/rule.js';
export { CHANGED_FIELDS, CONFLICT_FIELDS, PLACE_FIELDS } from './graphql/change-operations.js';
export {
  EDIT_MEMORY,
  FORGET_MEMORY,
  READ_REVISION,
  REFUTE_MEMORY,
  RESOLVE_CONFLICT,
  RESTORE_MEMORY,
  SET_PINNED,
  SHARE_MEMORY,
} from './graphql/change-operations.js';
export type { GraphqlAsker } from './graphql/graphql-asker.js';
export { GraphqlBackend } from './graphql/graphql-backend.js';
export { graphqlAnswer, readField, refusalIn } from './graphql/read-answer.js';
export type { GraphqlAnswer } from './graphql/read-answer.js';
export {
  BRIEF,
  CAPTURE,
  FEEDBACK,
  MEMORIES,
  MEMORY,
  OWN_PROJECTS,
  RETRIEVE,
  STATUS,
} from './graphql/recall-operations.js';
export { CLEANUP, CONSOLIDATE, REVIEW } from './graphql/upkeep-operations.js';
export { COMMAND_NAME, runnable, runnableAnswer } from './tools/runnable.js';

export { TranscriptReader } from './transcripts/transcript-reader.js';
export type { TranscriptCounts, TranscriptTool, TranscriptTurn } from './transcripts/transcript-reader.js';
