/*
 * Answers of the stub service as the schema shapes them.
 */

/** A memory with every field that a client may ask for. */
export const stubMemory = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  id: 'a1b2c3d4-0000-4000-8000-000000000001',
  kind: 'EPISODE',
  scope: 'PROJECT',
  state: 'ACTIVE',
  title: 'Pool exhausted under load',
  text: 'Raised the pool to 20 and closed clients in finally.',
  project: { slug: 'web-shop' },
  group: null,
  author: { displayName: 'Ana' },
  mine: true,
  taskType: 'BUGFIX',
  outcome: 'SUCCESS',
  tags: ['postgres'],
  filesModified: [],
  errorsResolved: [],
  alternatives: [],
  validity: 'NONE',
  verification: 'UNTESTED',
  pinned: false,
  expiresAt: null,
  validTo: null,
  stateReason: null,
  refutedBy: null,
  revision: 1,
  proofCount: 1,
  embeddingState: 'READY',
  createdAt: '2026-11-27T12:00:00.000Z',
  updatedAt: '2026-11-27T12:00:00.000Z',
  utility: {
    utility: 0.5,
    evidence: 0.5,
    helpfulWeight: 0,
    unhelpfulWeight: 0,
    foundHelpful: false,
    helpfulPeople: null,
    credit: 0,
    lent: 0,
    lentFrom: null,
    fade: 1,
    retrievals: 0,
  },
  history: [],
  related: [],
  ...over,
});

/** The answer to a question, with these memories as hits. */
export const stubRetrieval = (memories: readonly Record<string, unknown>[]): Record<string, unknown> => ({
  retrievalId: 'c3d4e5f6-0000-4000-8000-000000000003',
  searchedScopes: ['private', 'project web-shop', 'tenant'],
  emptyReason: memories.length === 0 ? 'Nothing is near enough.' : null,
  mode: 'VECTOR_AND_KEYWORD',
  asOf: null,
  note: null,
  hits: memories.map((memory, index) => ({
    memory,
    place: index + 1,
    similarity: 0.87,
    score: 0.7,
    sessionMates: [],
    explanation: {
      cosine: 0.8,
      keyword: 0,
      relevance: 0.8,
      ownRelevance: 0.8,
      trust: 1,
      context: 0,
      contextPeople: null,
      utility: memory['utility'],
      gain: 0,
      recency: 1,
      score: 0.7,
      placeWithoutLearning: index + 1,
    },
  })),
});

/** What became of a capture. */
export const stubCaptured = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  status: 'CREATED',
  memory: stubMemory(),
  sessionId: 'd4e5f6a7-0000-4000-8000-000000000004',
  near: [],
  conflicts: [],
  superseded: [],
  proposal: null,
  ...over,
});
