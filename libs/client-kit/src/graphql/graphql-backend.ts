import { z } from 'zod';
import type {
  BriefRequest,
  CaptureRequest,
  FeedbackRequest,
  ManageRequest,
  MemoryBackend,
  RecallFilter,
  RecallQuestion,
} from '../memory-backend.js';
import {
  type BriefAnswer,
  briefView,
  type CaptureAnswer,
  captureAnswer,
  type FeedbackAnswer,
  feedbackAnswer,
  type MemoryDetail,
  memoryDetail,
  type MemoryList,
  memoryList,
  type PropagationPreview,
  propagationPreview,
  type RetrieveAnswer,
  retrieveAnswer,
  type RunView,
  runView,
  type StatusAnswer,
  statusAnswer,
} from '../memory-view.js';
import { redactValues } from '../redaction/redact-values.js';
import { sumRemoved } from '../redaction/removed.js';
import {
  type CleanupAnswer,
  cleanupAnswer,
  type ConsolidateAnswer,
  consolidateAnswer,
  type ReviewAnswer,
  reviewAnswer,
  type UpkeepRequest,
} from '../review-view.js';
import { type StatsAnswer, statsAnswer, type TrendsAnswer, trendsAnswer, type TrendsRequest } from '../stats-view.js';
import {
  EDIT_MEMORY,
  FORGET_MEMORY,
  READ_REVISION,
  REFUTE_MEMORY,
  RESOLVE_CONFLICT,
  RESTORE_MEMORY,
  SET_PINNED,
  SHARE_MEMORY,
} from './change-operations.js';
import type { GraphqlAsker } from './graphql-asker.js';
import { BRIEF, CAPTURE, FEEDBACK, MEMORIES, MEMORY, RETRIEVE, STATUS } from './recall-operations.js';
import {
  CLEANUP,
  CONSOLIDATE,
  PREVIEW_PROPAGATION,
  PROPAGATE,
  REVIEW,
  RUN_REPORT,
  STATS,
  TRENDS,
} from './upkeep-operations.js';

/** The memory is read again after a change, so what the change answers is not needed. */
const anything = z.unknown();
const revisionShape = z.object({ revision: z.number() });
const sharedShape = z.object({ proposal: z.object({ id: z.string() }).nullable() });

type Operation = readonly [query: string, variables: Readonly<Record<string, unknown>>, field: string];
const CHANGES: Readonly<Record<'pin' | 'unpin' | 'forget' | 'restore', (id: string) => Operation>> = {
  pin: (id) => [SET_PINNED, { id, pinned: true }, 'setPinned'],
  unpin: (id) => [SET_PINNED, { id, pinned: false }, 'setPinned'],
  forget: (id) => [FORGET_MEMORY, { id }, 'forgetMemory'],
  restore: (id) => [RESTORE_MEMORY, { id }, 'restoreMemory'],
};

/** The memory as a service offers it by GraphQL: over HTTP to its clients, in process to its own MCP endpoint. */
export class GraphqlBackend implements MemoryBackend {
  constructor(private readonly client: GraphqlAsker) {}

  // Not repeated: each answer is recorded, and a lost one would count twice.
  retrieve(question: RecallQuestion): Promise<RetrieveAnswer> {
    return this.client.ask(RETRIEVE, { input: redactValues(question).value }, 'retrieve', retrieveAnswer, false);
  }

  brief(request: BriefRequest): Promise<BriefAnswer> {
    return this.client.ask(BRIEF, { input: redactValues(request).value }, 'brief', briefView, true);
  }

  memory(id: string): Promise<MemoryDetail> {
    return this.client.ask(MEMORY, { id }, 'memory', memoryDetail, true);
  }

  memories(first: number, filter: RecallFilter): Promise<MemoryList> {
    return this.client.ask(MEMORIES, { first, filter }, 'memories', memoryList, true);
  }

  async capture(request: CaptureRequest): Promise<CaptureAnswer> {
    const { value: input, removed } = redactValues(request, ['idempotencyKey', 'sessionKey', 'promptKey']);
    const answer = await this.client.ask(CAPTURE, { input }, 'capture', captureAnswer, true);
    return { ...answer, redacted: sumRemoved([removed, answer.redacted]) };
  }

  feedback(request: FeedbackRequest): Promise<FeedbackAnswer> {
    return this.client.ask(FEEDBACK, { input: redactValues(request).value }, 'feedback', feedbackAnswer, true);
  }

  async manage(asked: ManageRequest): Promise<{ readonly proposalId: string | null }> {
    const { value: request } = redactValues(asked);
    const { id } = request;
    switch (request.action) {
      case 'edit': {
        const { revision } = await this.client.ask(READ_REVISION, { id }, 'memory', revisionShape, true);
        const variables = { id, expectedRevision: revision, input: request.edit };
        // Not repeated: the second time it would find the revision that the first one made.
        await this.client.ask(EDIT_MEMORY, variables, 'editMemory', anything, false);
        break;
      }
      case 'share': {
        const input = { memoryId: id, ...request.audience };
        const { proposal } = await this.client.ask(SHARE_MEMORY, { input }, 'shareMemory', sharedShape, true);
        return { proposalId: proposal?.id ?? null };
      }
      case 'refute': {
        const { by = null, reason = null } = request;
        await this.client.ask(REFUTE_MEMORY, { id, by, reason }, 'refuteMemory', anything, true);
        break;
      }
      case 'resolve': {
        const { other, resolution, text, reason } = request;
        const input = { first: id, second: other, resolution, text: text ?? null, reason: reason ?? null };
        await this.client.ask(RESOLVE_CONFLICT, { input }, 'resolveConflict', anything, true);
        break;
      }
      default:
        await this.client.ask(...CHANGES[request.action](id), anything, true);
    }
    return { proposalId: null };
  }

  status(project: string | null): Promise<StatusAnswer> {
    return this.client.ask(STATUS, { project }, 'status', statusAnswer, true);
  }

  review(project: string | null): Promise<ReviewAnswer> {
    return this.client.ask(REVIEW, { project }, 'review', reviewAnswer, true);
  }

  // Repeated, what was done is not done again, but its run would not be told.
  consolidate(input: UpkeepRequest): Promise<ConsolidateAnswer> {
    return this.client.ask(CONSOLIDATE, { input }, 'consolidate', consolidateAnswer, !input.execute);
  }

  cleanup(input: UpkeepRequest): Promise<CleanupAnswer> {
    return this.client.ask(CLEANUP, { input }, 'cleanup', cleanupAnswer, !input.execute);
  }

  // Asked again, an unfinished run of the day is answered instead of a second.
  startRun(kind: 'NIGHTLY' | 'PROPAGATE'): Promise<RunView> {
    return this.client.ask(PROPAGATE, { kind }, 'runMaintenance', runView, true);
  }

  run(id: string): Promise<RunView> {
    return this.client.ask(RUN_REPORT, { id }, 'maintenanceRun', runView, true);
  }

  previewPropagation(project: string | null): Promise<PropagationPreview> {
    return this.client.ask(PREVIEW_PROPAGATION, { project }, 'propagationPreview', propagationPreview, true);
  }

  stats(project: string | null): Promise<StatsAnswer> {
    return this.client.ask(STATS, { project }, 'stats', statsAnswer, true);
  }

  trends(request: TrendsRequest): Promise<TrendsAnswer> {
    return this.client.ask(TRENDS, { ...request }, 'trends', trendsAnswer, true);
  }
}
