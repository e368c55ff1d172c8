import { z } from 'zod';

/*
 * What clients read of the service's answers. The schemas parse an answer once, at the edge; keys the client does not
 * ask for are dropped. Names and units are those of the GraphQL contract.
 */

/** Every id of the service is a UUID; people and agents mostly see its first eight characters. */
const id = z.guid();
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const share = z.number();

const person = z.object({ displayName: z.string() });

const utilityView = z.object({
  utility: share,
  evidence: share,
  helpfulWeight: z.number(),
  unhelpfulWeight: z.number(),
  foundHelpful: z.boolean(),
  helpfulPeople: z.number().nullable(),
  credit: share,
  lent: share,
  lentFrom: id.nullable(),
  fade: share,
  retrievals: z.number(),
});

/** One memory as the tools show it. */
export const memoryView = z.object({
  id,
  kind: z.string(),
  scope: z.string(),
  state: z.string(),
  stateReason: z.string().nullable(),
  refutedBy: id.nullable(),
  title: z.string(),
  text: z.string(),
  project: z.object({ slug: z.string() }).nullable(),
  group: z.object({ slug: z.string() }).nullable(),
  author: person,
  mine: z.boolean(),
  taskType: z.string().nullable(),
  outcome: z.string().nullable(),
  tags: z.array(z.string()),
  filesModified: z.array(z.string()),
  errorsResolved: z.array(z.object({ error: z.string(), resolution: z.string().nullable() })),
  alternatives: z.array(z.object({ approach: z.string(), whyNot: z.string(), revisitIf: z.string().nullable() })),
  validity: z.string(),
  verification: z.string(),
  pinned: z.boolean(),
  expiresAt: moment.nullable(),
  validTo: moment.nullable(),
  revision: z.number(),
  proofCount: z.number(),
  createdAt: moment,
  updatedAt: moment,
  utility: utilityView,
});

/** Enough of a memory to name it. */
export const memoryName = z.object({ id, title: z.string() });

/** One memory with what surrounds it. */
export const memoryDetail = memoryView.extend({
  contributors: z.array(person),
  history: z.array(z.object({ revision: z.number(), reason: z.string(), author: person, createdAt: moment })),
  related: z.array(z.object({ kind: z.string(), weight: z.number(), memory: memoryName })),
});

const explanationView = z.object({
  cosine: z.number().nullable(),
  keyword: z.number(),
  relevance: share,
  ownRelevance: share,
  trust: share,
  context: z.number(),
  contextPeople: z.number().nullable(),
  gain: z.number(),
  recency: share,
  score: z.number(),
  placeWithoutLearning: z.number(),
});

/** The recorded answer to one question. */
export const retrieveAnswer = z.object({
  retrievalId: id,
  hits: z.array(
    z.object({
      memory: memoryView,
      place: z.number(),
      similarity: share,
      score: z.number(),
      explanation: explanationView,
      sessionMates: z.array(memoryName),
    }),
  ),
  searchedScopes: z.array(z.string()),
  emptyReason: z.string().nullable(),
  mode: z.string(),
  /** The moment that was asked about, and how such an answer was found. */
  asOf: moment.nullable(),
  note: z.string().nullable(),
});

/** What stands on the label of a memory's envelope. */
const labelledMemory = memoryView
  .pick({ id: true, kind: true, scope: true, title: true, project: true, group: true, author: true, mine: true })
  .extend({
    verification: z.string(),
    proofCount: z.number(),
    createdAt: moment,
    utility: utilityView.pick({ foundHelpful: true, helpfulPeople: true }),
  });

/** What is worth knowing before a task. */
export const briefView = z.object({
  retrievalId: id,
  items: z.array(z.object({ part: z.string(), text: z.string(), why: z.array(z.string()), memory: labelledMemory })),
  leftOut: z.number(),
  tokens: z.number(),
  correctionCategories: z.array(z.object({ name: z.string(), count: z.number() })),
  searchedScopes: z.array(z.string()),
});

/** The newest memories, without a question. */
export const memoryList = z.object({ nodes: z.array(memoryView), totalCount: z.number() });

const nearMemory = z.object({ memory: memoryName, similarity: share, differences: z.array(z.string()) });

/** Secrets that were taken out of what came in. */
export const removedSecrets = z.array(z.object({ type: z.string(), count: z.number() }));

/** What became of a capture. */
export const captureAnswer = z.object({
  status: z.string(),
  memory: z.object({
    id,
    title: z.string(),
    kind: z.string(),
    state: z.string(),
    stateReason: z.string().nullable(),
    scope: z.string(),
    project: z.object({ slug: z.string() }).nullable(),
    group: z.object({ slug: z.string() }).nullable(),
    revision: z.number(),
    proofCount: z.number(),
    expiresAt: moment.nullable(),
    embeddingState: z.string(),
  }),
  sessionId: id.nullable(),
  near: z.array(nearMemory),
  conflicts: z.array(nearMemory),
  superseded: z.array(nearMemory),
  /** Where the project reviews what is shared: what waits for a maintainer. */
  proposal: z.object({ id }).nullable(),
  redacted: removedSecrets.default([]),
});

/** Which votes were taken, and why others were not. */
export const feedbackAnswer = z.object({
  recorded: z.array(z.string()),
  rejected: z.array(z.object({ id: z.string(), reason: z.string() })),
});

/** One execution of maintenance. */
export const runView = z.object({
  id,
  runDate: z.string(),
  status: z.string(),
  requestedAt: moment,
  finishedAt: moment.nullable(),
  failure: z.string().nullable(),
  report: z
    .object({
      credited: z.number(),
      sources: z.number(),
      hops: z.number(),
      touched: z.number(),
      residual: z.number(),
      converged: z.boolean(),
    })
    .nullable(),
});

/** What lending would do, for who may only look. */
export const propagationPreview = z.object({
  sources: z.number(),
  hops: z.number(),
  touched: z.number(),
  residual: z.number(),
  converged: z.boolean(),
});

/** Health of a project's memory, or of everything the caller sees. */
export const statusAnswer = z.object({
  project: z.string().nullable(),
  memories: z.number(),
  ownMemories: z.number(),
  sharedMemories: z.number(),
  awaitingEmbedding: z.number(),
  lastCaptureAt: moment.nullable(),
  retrievals: z.number(),
  helpfulVotes: z.number(),
  unhelpfulVotes: z.number(),
  feedbackRate: share,
  highValue: z.number(),
  neverRetrieved: z.number(),
  neverRetrievedShare: share,
  stale: z.number(),
  conflicts: z.number(),
  proposals: z.number(),
  lastRun: runView.nullable(),
  meanUtility: share,
  advice: z.array(z.string()),
});

/** One memory as the tools show it. */
export type MemoryView = z.output<typeof memoryView>;
/** Enough of a memory to name it. */
export type MemoryName = z.output<typeof memoryName>;
/** One memory with what surrounds it. */
export type MemoryDetail = z.output<typeof memoryDetail>;
/** The recorded answer to one question. */
export type RetrieveAnswer = z.output<typeof retrieveAnswer>;
/** One hit of a recorded answer. */
export type RetrieveHit = RetrieveAnswer['hits'][number];
/** The newest memories, without a question. */
export type MemoryList = z.output<typeof memoryList>;
/** What became of a capture. */
export type CaptureAnswer = z.output<typeof captureAnswer>;
/** Which votes were taken, and why others were not. */
export type FeedbackAnswer = z.output<typeof feedbackAnswer>;
/** What lending would do. */
export type PropagationPreview = z.output<typeof propagationPreview>;
/** One execution of maintenance. */
export type RunView = z.output<typeof runView>;
/** Health of a project's memory. */
export type StatusAnswer = z.output<typeof statusAnswer>;
export type BriefAnswer = z.output<typeof briefView>;
export type LabelledMemory = z.output<typeof labelledMemory>;
