import type { CleanupAnswer, ConsolidateAnswer, ReviewAnswer, UpkeepRequest } from './review-view.js';
import type {
  BriefAnswer,
  CaptureAnswer,
  FeedbackAnswer,
  MemoryDetail,
  MemoryList,
  PropagationPreview,
  RetrieveAnswer,
  RunView,
  StatusAnswer,
} from './memory-view.js';
import type { StatsAnswer, TrendsAnswer, TrendsRequest } from './stats-view.js';

/** Filters shared by a search and a list; enum values are those of the GraphQL contract (upper case). */
export interface RecallFilter {
  readonly project?: string;
  readonly group?: string;
  readonly scope?: string;
  readonly kinds?: readonly string[];
  readonly tags?: readonly string[];
  readonly files?: readonly string[];
  /** ISO 8601. */
  readonly since?: string;
  readonly until?: string;
  readonly asOf?: string;
  /** Only what was refuted. */
  readonly refuted?: true;
}

/** A question to the memory. */
export interface RecallQuestion extends RecallFilter {
  readonly query: string;
  readonly limit: number;
}

/** What a brief is for; named as in the GraphQL contract. */
export interface BriefRequest {
  readonly project?: string;
  readonly task?: string;
  readonly files: readonly string[];
  readonly type?: string;
  /** A tag. */
  readonly domain?: string;
  readonly limit: number;
  readonly maxTokens: number;
}

/** What a capture sends; named as in the GraphQL contract. */
export interface CaptureRequest {
  readonly text: string;
  readonly title?: string;
  readonly kind: string;
  /** Absent: with the project where the caller may capture there, else private. */
  readonly scope?: string;
  readonly project?: string;
  /** With scope GROUP; absent: the only group that the project is in. */
  readonly group?: string;
  readonly taskType?: string;
  readonly outcome?: string;
  readonly tags: readonly string[];
  readonly filesModified: readonly string[];
  readonly errorsResolved: readonly { readonly error: string; readonly resolution?: string }[];
  readonly alternatives: readonly { readonly approach: string; readonly whyNot: string; readonly revisitIf?: string }[];
  readonly validity?: string;
  readonly verification?: string;
  readonly pinned?: boolean;
  readonly expiresAt?: string;
  readonly sessionKey?: string;
  readonly promptKey?: string;
  readonly source: 'API' | 'CLI' | 'MCP' | 'HOOK' | 'IMPORT';
  readonly idempotencyKey: string;
  /** The memory whose place it takes. */
  readonly supersedes?: string;
}

/** A change of one memory; ids are full or short. */
export type ManageRequest = { readonly id: string } & (
  | { readonly action: 'pin' | 'unpin' | 'forget' | 'restore' }
  | { readonly action: 'edit'; readonly edit: Readonly<Record<string, unknown>> }
  | {
      readonly action: 'share';
      readonly audience: { readonly scope: string; readonly project?: string };
    }
  | { readonly action: 'refute'; readonly by?: string; readonly reason?: string }
  | {
      readonly action: 'resolve';
      readonly other: string;
      readonly resolution: string;
      readonly text?: string;
      readonly reason?: string;
    }
);

/** Votes on memories by full or short id. */
export interface FeedbackRequest {
  readonly memoryIds: readonly string[];
  readonly helpful: boolean;
  readonly retrievalId?: string;
  readonly note?: string;
  readonly withdraw: boolean;
}

/**
 * What the tools need of a service. The stdio server and the command line fill it over GraphQL; a server of the tools
 * beside the API can fill it directly. Every method throws AppError by kind.
 */
export interface MemoryBackend {
  retrieve(question: RecallQuestion): Promise<RetrieveAnswer>;
  /** What is worth knowing before a task. */
  brief(request: BriefRequest): Promise<BriefAnswer>;
  /** One memory by its full id or its first eight characters. @throws AppError `not-found`, hidden ones included */
  memory(id: string): Promise<MemoryDetail>;
  /** Newest first. */
  memories(first: number, filter: RecallFilter): Promise<MemoryList>;
  capture(request: CaptureRequest): Promise<CaptureAnswer>;
  feedback(request: FeedbackRequest): Promise<FeedbackAnswer>;
  /** Changes one memory; a share that a maintainer has to allow is proposed. */
  manage(request: ManageRequest): Promise<{ readonly proposalId: string | null }>;
  status(project: string | null): Promise<StatusAnswer>;
  /** Without a project: the caller's private memories. */
  review(project: string | null): Promise<ReviewAnswer>;
  consolidate(request: UpkeepRequest): Promise<ConsolidateAnswer>;
  cleanup(request: UpkeepRequest): Promise<CleanupAnswer>;
  /** Asks for a run of the tenant. @throws AppError `forbidden` for who is no owner or admin */
  startRun(kind: 'NIGHTLY' | 'PROPAGATE'): Promise<RunView>;
  run(id: string): Promise<RunView>;
  previewPropagation(project: string | null): Promise<PropagationPreview>;
  stats(project: string | null): Promise<StatsAnswer>;
  trends(request: TrendsRequest): Promise<TrendsAnswer>;
}
