import {
  type BriefAnswer,
  type BriefRequest,
  briefView,
  captureAnswer,
  type CaptureAnswer,
  type CaptureRequest,
  feedbackAnswer,
  type FeedbackAnswer,
  type FeedbackRequest,
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
import { BRIEF, CAPTURE, FEEDBACK, MEMORIES, MEMORY, RETRIEVE, STATUS } from './operations.js';
import type { ServiceClient } from './service-client.js';

/** The memory as a service offers it over GraphQL. */
export class GraphqlBackend implements MemoryBackend {
  constructor(private readonly client: ServiceClient) {}

  // Not repeated: each answer is recorded, and a lost one would count twice.
  retrieve(question: RecallQuestion): Promise<RetrieveAnswer> {
    return this.client.ask(RETRIEVE, { input: question }, 'retrieve', retrieveAnswer, false);
  }

  brief(request: BriefRequest): Promise<BriefAnswer> {
    return this.client.ask(BRIEF, { input: request }, 'brief', briefView, true);
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

  feedback(request: FeedbackRequest): Promise<FeedbackAnswer> {
    return this.client.ask(FEEDBACK, { input: request }, 'feedback', feedbackAnswer, true);
  }

  status(project: string | null): Promise<StatusAnswer> {
    return this.client.ask(STATUS, { project }, 'status', statusAnswer, true);
  }
}
