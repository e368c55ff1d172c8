import { createTenant, type GraphQLClient, invite } from '../support/graphql-client.js';
import { startTestApi, type TestApi, type TestApiOptions } from '../support/api.js';

/** A memory as these tests read it. */
export interface MemoryView {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly scope: string;
  readonly revision: number;
  readonly proofCount: number;
  readonly tags: string[];
  readonly embeddingState: string;
  readonly sessionId: string | null;
  readonly mine: boolean;
  readonly author: { readonly displayName: string };
  readonly project: { readonly slug: string } | null;
}

export interface NearView {
  readonly memory: { readonly id: string };
  readonly similarity: number;
  readonly differences: string[];
}

export interface CapturedView {
  readonly status: string;
  readonly sessionId: string | null;
  readonly memory: MemoryView;
  readonly near: NearView[];
  readonly conflicts: NearView[];
}

export interface HitView {
  readonly place: number;
  readonly similarity: number;
  readonly score: number;
  readonly memory: MemoryView;
  readonly sessionMates: { readonly id: string }[];
  readonly explanation: {
    readonly cosine: number | null;
    readonly keyword: number;
    readonly relevance: number;
    readonly trust: number;
    readonly context: number;
    readonly contextPeople: number | null;
    readonly gain: number;
    readonly placeWithoutLearning: number;
    readonly utility: { readonly utility: number; readonly evidence: number; readonly helpfulPeople: number | null };
  };
}

export interface AnswerView {
  readonly retrievalId: string;
  readonly mode: string;
  readonly emptyReason: string | null;
  readonly searchedScopes: string[];
  readonly hits: HitView[];
}

const MEMORY = `id title text scope revision proofCount tags embeddingState sessionId mine
  author { displayName } project { slug }`;
const CAPTURED = `status sessionId memory { ${MEMORY} } near { memory { id } similarity differences }
  conflicts { memory { id } similarity differences }`;
export const CAPTURE = `mutation ($input: CaptureInput!) { capture(input: $input) { ${CAPTURED} } }`;
export const RETRIEVE = `mutation ($input: RetrieveInput!) { retrieve(input: $input) {
  retrievalId mode emptyReason searchedScopes
  hits { place similarity score memory { ${MEMORY} } sessionMates { id }
    explanation { cosine keyword relevance trust context contextPeople gain placeWithoutLearning
      utility { utility evidence helpfulPeople } } } } }`;
export const FEEDBACK = `mutation ($input: FeedbackInput!) {
  feedback(input: $input) { recorded rejected { id reason } } }`;

type Arguments = Readonly<Record<string, unknown>>;

export const capture = async (person: GraphQLClient, input: string | Arguments): Promise<CapturedView> => {
  const given = typeof input === 'string' ? { text: input } : input;
  return (await person.send<{ capture: CapturedView }>(CAPTURE, { input: given })).capture;
};

export const retrieve = async (person: GraphQLClient, query: string, more: Arguments = {}): Promise<AnswerView> =>
  (await person.send<{ retrieve: AnswerView }>(RETRIEVE, { input: { query, ...more } })).retrieve;

export const feedback = async (
  person: GraphQLClient,
  input: Arguments,
): Promise<{ recorded: string[]; rejected: { id: string; reason: string }[] }> =>
  (
    await person.send<{ feedback: { recorded: string[]; rejected: { id: string; reason: string }[] } }>(FEEDBACK, {
      input,
    })
  ).feedback;

export const readMemory = async (person: GraphQLClient, id: string): Promise<MemoryView> =>
  (await person.send<{ memory: MemoryView }>(`query ($id: ID!) { memory(id: $id) { ${MEMORY} } }`, { id })).memory;

/** A running API with one tenant: its owner, two developers of project `shop`, and one of none. */
export interface MemoryWorld {
  readonly api: TestApi;
  readonly owner: GraphQLClient;
  readonly ada: GraphQLClient;
  readonly ben: GraphQLClient;
  readonly cleo: GraphQLClient;
  readonly close: () => Promise<void>;
}

export const openMemoryWorld = async (options: TestApiOptions = {}): Promise<MemoryWorld> => {
  const api = await startTestApi(options);
  const operator = await api.operator();
  const owner = await createTenant(operator, 'Acme');
  await owner.send('mutation { createProject(input: { slug: "shop", name: "Shop" }) { id } }');
  const ada = await invite(owner, { displayName: 'Ada', project: 'shop', projectRole: 'CONTRIBUTOR' });
  const ben = await invite(owner, { displayName: 'Ben', project: 'shop', projectRole: 'CONTRIBUTOR' });
  const cleo = await invite(owner, { displayName: 'Cleo' });
  return { api, owner, ada, ben, cleo, close: api.close };
};
