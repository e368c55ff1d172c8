import {
  type BriefAnswer,
  type BriefRequest,
  briefView,
  captureAnswer,
  cleanupAnswer,
  type CleanupAnswer,
  consolidateAnswer,
  type ConsolidateAnswer,
  type CaptureAnswer,
  type CaptureRequest,
  feedbackAnswer,
  type FeedbackAnswer,
  type FeedbackRequest,
  type ManageRequest,
  type MemoryBackend,
  memoryDetail,
  type MemoryDetail,
  memoryList,
  redactValues,
  type MemoryList,
  type RecallFilter,
  type RecallQuestion,
  retrieveAnswer,
  reviewAnswer,
  type ReviewAnswer,
  type RetrieveAnswer,
  statsAnswer,
  type StatsAnswer,
  statusAnswer,
  type StatusAnswer,
  sumRemoved,
  type UpkeepRequest,
  trendsAnswer,
  type TrendsAnswer,
  type TrendsRequest,
  propagationPreview,
  type PropagationPreview,
  runView,
  type RunView,
} from '@tempera/client-kit';
import { z } from 'zod';
import { BRIEF, CAPTURE, FEEDBACK, MEMORIES, MEMORY, RETRIEVE, STATUS } from './operations.js';
import {
  EDIT_MEMORY,
  FORGET_MEMORY,
  REFUTE_MEMORY,
  READ_REVISION,
  RESOLVE_CONFLICT,
  RESTORE_MEMORY,
  SET_PINNED,
} from './memory-operations.js';
import { CLEANUP, CONSOLIDATE, REVIEW } from './upkeep-operations.js';
import { PREVIEW_PROPAGATION, PROPAGATE, RUN_REPORT, STATS, TRENDS } from './stats-operations.js';
import type { ServiceClient } from './service-client.js';
import { SHARE_MEMORY } from './sharing-operations.js';

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

/** The memory as a service offers it over GraphQL. */
export class GraphqlBackend implements MemoryBackend {
  constructor(private readonly client: ServiceClient) {}

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
