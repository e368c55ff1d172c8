import {
  captureAnswer,
  type CaptureAnswer,
  type CaptureRequest,
  feedbackAnswer,
  type FeedbackAnswer,
  type FeedbackRequest,
  isAppError,
  type MemoryBackend,
  memoryDetail,
  type MemoryDetail,
  memoryList,
  type MemoryList,
  type RecallFilter,
  type RecallQuestion,
  retrieveAnswer,
  type RetrieveAnswer,
  statusAnswer,
  type StatusAnswer,
} from '@tempera/client-kit';
import { z } from 'zod';
import { CAPTURE, FEEDBACK, MEMORIES, MEMORY, MEMORY_ID, RETRIEVE, STATUS } from './operations.js';
import type { ServiceClient } from './service-client.js';

const SHORT_ID_LENGTH = 8;

/** The memory as a service offers it over GraphQL. */
export class GraphqlBackend implements MemoryBackend {
  constructor(private readonly client: ServiceClient) {}

  // Not repeated: each answer is recorded, and a lost one would count twice.
  retrieve(question: RecallQuestion): Promise<RetrieveAnswer> {
    return this.client.ask(RETRIEVE, { input: question }, 'retrieve', retrieveAnswer, false);
  }

  memory(id: string): Promise<MemoryDetail> {
    return this.client.ask(MEMORY, { id }, 'memory', memoryDetail, true);
  }

  memories(first: number, filter: RecallFilter): Promise<MemoryList> {
    return this.client.ask(MEMORIES, { first, filter }, 'memories', memoryList, true);
  }

  capture(request: CaptureRequest): Promise<CaptureAnswer> {
    return this.client.ask(CAPTURE, { input: request }, 'capture', captureAnswer, true);
  }

  /** Short ids are looked up first, since a vote goes to one memory and no other. */
  async feedback(request: FeedbackRequest): Promise<FeedbackAnswer> {
    const found = await Promise.all(request.memoryIds.map(async (id) => ({ id, full: await this.fullId(id) })));
    const memoryIds = found.flatMap(({ full }) => (full === null ? [] : [full]));
    const unknown = found.filter(({ full }) => full === null).map(({ id }) => ({ id, reason: 'no such memory' }));
    if (memoryIds.length === 0) return { recorded: [], rejected: unknown };
    const input = { ...request, memoryIds };
    const answer = await this.client.ask(FEEDBACK, { input }, 'feedback', feedbackAnswer, true);
    return { recorded: answer.recorded, rejected: [...answer.rejected, ...unknown] };
  }

  status(project: string | null): Promise<StatusAnswer> {
    return this.client.ask(STATUS, { project }, 'status', statusAnswer, true);
  }

  private async fullId(id: string): Promise<string | null> {
    if (id.length !== SHORT_ID_LENGTH) return id;
    try {
      const { id: full } = await this.client.ask(MEMORY_ID, { id }, 'memory', z.object({ id: z.guid() }), true);
      return full;
    } catch (error) {
      if (isAppError(error) && (error.kind === 'not-found' || error.kind === 'conflict')) return null;
      throw error;
    }
  }
}
