import type { MemoryBackend } from '../memory-backend.js';
import type {
  CaptureAnswer,
  MemoryDetail,
  MemoryView,
  RetrieveAnswer,
  RetrieveHit,
  StatusAnswer,
} from '../memory-view.js';
import type { ToolContext } from './tool.js';

/*
 * Answers as the service gives them, for the tests of the tools. The backend here is the port filled with given answers;
 * it records what the tools asked of it.
 */

export const NOW = new Date('2026-11-30T12:00:00Z');

export const memoryOf = (over: Partial<MemoryView> = {}): MemoryView => ({
  id: 'a1b2c3d4-0000-4000-8000-000000000001',
  kind: 'EPISODE',
  scope: 'PROJECT',
  state: 'ACTIVE',
  title: 'Pool exhausted under load',
  text: 'Raised the pool to 20 and closed clients in finally.',
  project: { slug: 'web-shop' },
  group: null,
  author: { displayName: 'Ana' },
  mine: false,
  taskType: 'BUGFIX',
  outcome: 'SUCCESS',
  tags: ['postgres'],
  filesModified: ['src/db.ts'],
  errorsResolved: [{ error: 'timeout acquiring client', resolution: 'close in finally' }],
  alternatives: [{ approach: 'a bigger server', whyNot: 'hides the leak', revisitIf: null }],
  validity: 'NONE',
  verification: 'UNTESTED',
  pinned: false,
  expiresAt: null,
  validTo: null,
  stateReason: null,
  refutedBy: null,
  revision: 1,
  proofCount: 1,
  createdAt: new Date('2026-11-27T12:00:00Z'),
  updatedAt: new Date('2026-11-27T12:00:00Z'),
  utility: {
    utility: 0.61,
    evidence: 0.67,
    helpfulWeight: 1,
    unhelpfulWeight: 0,
    foundHelpful: true,
    helpfulPeople: null,
    credit: 0,
    lent: 0,
    lentFrom: null,
    fade: 0.98,
    retrievals: 4,
  },
  ...over,
});

export const hitOf = (memory: MemoryView, place: number): RetrieveHit => ({
  memory,
  place,
  similarity: 0.87,
  score: 0.71,
  sessionMates: [{ id: 'b2c3d4e5-0000-4000-8000-000000000002', title: 'Measured the pool' }],
  explanation: {
    cosine: 0.81,
    keyword: 0.3,
    relevance: 0.8,
    ownRelevance: 0.8,
    trust: 0.9,
    context: 0.2,
    contextPeople: null,
    gain: 0.1,
    recency: 0.93,
    score: 0.71,
    placeWithoutLearning: 2,
  },
});

export const retrieveAnswerOf = (memories: readonly MemoryView[]): RetrieveAnswer => ({
  retrievalId: 'c3d4e5f6-0000-4000-8000-000000000003',
  hits: memories.map((memory, index) => hitOf(memory, index + 1)),
  searchedScopes: ['private', 'project web-shop', 'tenant'],
  emptyReason: memories.length === 0 ? 'nothing near enough' : null,
  mode: 'VECTOR_AND_KEYWORD',
  asOf: null,
  note: null,
});

export const captureAnswerOf = (over: Partial<CaptureAnswer> = {}): CaptureAnswer => ({
  status: 'CREATED',
  memory: {
    id: 'a1b2c3d4-0000-4000-8000-000000000001',
    title: 'Pool exhausted',
    kind: 'EPISODE',
    state: 'ACTIVE',
    stateReason: null,
    scope: 'PROJECT',
    project: { slug: 'web-shop' },
    group: null,
    revision: 1,
    proofCount: 1,
    expiresAt: null,
    embeddingState: 'READY',
  },
  sessionId: 'd4e5f6a7-0000-4000-8000-000000000004',
  near: [],
  conflicts: [],
  superseded: [],
  proposal: null,
  redacted: [],
  ...over,
});

export const statusAnswer: StatusAnswer = {
  project: 'web-shop',
  memories: 12,
  ownMemories: 5,
  sharedMemories: 10,
  awaitingEmbedding: 1,
  lastCaptureAt: new Date('2026-11-29T12:00:00Z'),
  retrievals: 9,
  helpfulVotes: 3,
  unhelpfulVotes: 1,
  feedbackRate: 0.33,
  highValue: 2,
  neverRetrieved: 4,
  neverRetrievedShare: 1 / 3,
  stale: 2,
  conflicts: 1,
  proposals: 0,
  lastRun: null,
  meanUtility: 0.52,
  advice: ['Vote more.\u001b[31m'],
};

/** The port, answering what a test gives it; what is not given must not be asked. */
export const backendOf = (answers: Partial<MemoryBackend>): MemoryBackend => {
  const unasked = (what: string) => (): Promise<never> => Promise.reject(new Error(`${what} was not expected`));
  return {
    retrieve: unasked('retrieve'),
    brief: unasked('brief'),
    memory: unasked('memory'),
    memories: unasked('memories'),
    capture: unasked('capture'),
    feedback: unasked('feedback'),
    manage: unasked('manage'),
    status: unasked('status'),
    review: unasked('review'),
    consolidate: unasked('consolidate'),
    cleanup: unasked('cleanup'),
    startRun: unasked('startRun'),
    run: unasked('run'),
    previewPropagation: unasked('previewPropagation'),
    stats: unasked('stats'),
    trends: unasked('trends'),
    ...answers,
  };
};

export const contextOf = (answers: Partial<MemoryBackend>, over: Partial<ToolContext> = {}): ToolContext => ({
  backend: backendOf(answers),
  boundProject: 'web-shop',
  sessionKey: null,
  source: 'MCP',
  now: () => NOW,
  wait: () => Promise.resolve(),
  newId: () => 'e5f6a7b8-0000-4000-8000-000000000005',
  randomHex: () => '00000000000000ab',
  ...over,
});

export const detailOf = (memory: MemoryView): MemoryDetail => ({
  ...memory,
  contributors: [memory.author],
  history: [],
  related: [],
});
