import { randomUUID } from 'node:crypto';
import { startTestApi, type TestApi } from '../support/api.js';
import { createTenant, type GraphQLClient, RefusedError } from '../support/graphql-client.js';

/** A tenant whose every text holds a word that no other tenant has. */
export interface Canary {
  readonly word: string;
  readonly owner: GraphQLClient;
  readonly memoryIds: readonly string[];
}

/** One API with many such tenants behind a small pool. */
export interface CanaryTown {
  readonly api: TestApi;
  readonly canaries: readonly Canary[];
}

const CAPTURE = 'mutation ($input: CaptureInput!) { capture(input: $input) { memory { id } } }';

const settle = async (operator: GraphQLClient, n: number): Promise<Canary> => {
  const word = `canary${n}x${randomUUID().slice(0, 8)}`;
  const owner = await createTenant(operator, `Tenant ${word}`);
  await owner.send(`mutation { createProject(input: { slug: "main", name: "Project ${word}" }) { id } }`);
  const memoryIds: string[] = [];
  for (const scope of ['PRIVATE', 'PROJECT', 'TENANT']) {
    const input = {
      text: `The deploy key of ${word} is kept by ${scope}.`,
      scope,
      tags: [word],
      ...(scope === 'PROJECT' ? { project: 'main' } : {}),
    };
    memoryIds.push((await owner.send<{ capture: { memory: { id: string } } }>(CAPTURE, { input })).capture.memory.id);
  }
  return { word, owner, memoryIds };
};

export const openCanaryTown = async (tenants: number): Promise<CanaryTown> => {
  const api = await startTestApi();
  const operator = await api.operator();
  const canaries: Canary[] = [];
  for (let n = 0; n < tenants; n++) canaries.push(await settle(operator, n));
  return { api, canaries };
};

const MEMORY = 'id title text tags author { displayName } project { name }';

/** What a tenant's agent does all day, and what a curious one tries with ids that are not its own. */
const operations: readonly ((
  own: Canary,
  foreign: Canary,
) => { query: string; variables?: Record<string, unknown> })[] = [
  () => ({ query: `{ memories(first: 20) { nodes { ${MEMORY} } } }` }),
  ({ memoryIds }) => ({ query: `query ($id: ID!) { memory(id: $id) { ${MEMORY} } }`, variables: { id: memoryIds[0] } }),
  (_own, { memoryIds }) => ({
    query: `query ($id: ID!) { memory(id: $id) { ${MEMORY} } }`,
    variables: { id: memoryIds[2] },
  }),
  () => ({
    query: `mutation { retrieve(input: { query: "who keeps the deploy key?" }) { retrievalId hits { memory { ${MEMORY} } } } }`,
  }),
  (_own, { word }) => ({
    query: `mutation ($q: String!) { retrieve(input: { query: $q }) { hits { memory { ${MEMORY} } } } }`,
    variables: { q: word },
  }),
  (_own, { memoryIds }) => ({
    query: 'mutation ($input: FeedbackInput!) { feedback(input: $input) { recorded rejected { id reason } } }',
    variables: { input: { helpful: true, memoryIds: [memoryIds[1]] } },
  }),
  () => ({ query: '{ me { tenant { name } user { displayName } } projects(first: 10) { nodes { name slug } } }' }),
  () => ({
    query: '{ status { memories ownMemories sharedMemories } users(first: 10) { nodes { displayName email } } }',
  }),
  ({ word }) => ({
    query:
      'mutation ($input: CaptureInput!) { capture(input: $input) { memory { id text } near { memory { text } } } }',
    variables: { input: { text: `Note ${randomUUID()} of ${word}: the deploy key was renewed.` } },
  }),
];

/** What a visit may be disturbed by. */
export type Disturbance = 'none' | 'hang-up' | 'bad-input';

export interface Visit {
  readonly leaks: readonly string[];
  readonly outcome: 'answered' | 'refused' | 'hung-up' | 'unavailable';
}

const CANARY = /canary\d+x[0-9a-f]{8}/g;

/** A token that had to be refreshed may be shed like anything else. */
const shedding = (error: unknown): null => {
  if (error instanceof RefusedError && error.code === 'UNAVAILABLE') return null;
  throw error;
};

/** One operation of one tenant; whatever comes back, errors too, is searched for others' words. */
export const visit = async (town: CanaryTown, turn: number, disturbance: Disturbance = 'none'): Promise<Visit> => {
  const { canaries, api } = town;
  const own = canaries[turn % canaries.length];
  const foreign = canaries[(turn * 7 + 1) % canaries.length];
  const make = operations[(turn * 5 + Math.floor(turn / canaries.length)) % operations.length];
  if (own === undefined || foreign === undefined || make === undefined) throw new Error('an empty town');
  const { query, variables = {} } = make(own, foreign);
  const token = await own.owner.token().catch(shedding);
  if (token === null) return { leaks: [], outcome: 'unavailable' };
  const controller = new AbortController();
  const answered = fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token ?? ''}` },
    body: JSON.stringify({ query: disturbance === 'bad-input' ? query.replace('{', '{ nothing ') : query, variables }),
    signal: controller.signal,
  });
  // The request is on its way, and its work begun, when the client goes.
  if (disturbance === 'hang-up') setTimeout(() => controller.abort(), turn % 25);
  try {
    const response = await answered;
    const text = await response.text();
    // What the tenant itself asked for may come back in an answer that quotes the question.
    const leaks = [...text.matchAll(CANARY)].map(([word]) => word).filter((word) => word !== own.word);
    const code = /"code":"(\w+)"/.exec(text)?.[1];
    return { leaks, outcome: outcomeOf(code, disturbance, text) };
  } catch (error) {
    if (controller.signal.aborted) return { leaks: [], outcome: 'hung-up' };
    if (isReset(error)) return { leaks: [], outcome: 'unavailable' };
    throw error;
  }
};

/** A kept connection ended while a question was on its way over it: nothing was answered, so nothing leaked. */
const isReset = (error: unknown): boolean =>
  error instanceof TypeError &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  ['ECONNRESET', 'UND_ERR_SOCKET'].includes(String(error.cause.code));

/** A refusal counts only where it is the expected one: a misspelt operation would reach nothing and find no leak. */
const outcomeOf = (code: string | undefined, disturbance: Disturbance, text: string): Visit['outcome'] => {
  if (code === undefined) return 'answered';
  if (code === 'UNAVAILABLE') return 'unavailable';
  if (code === 'NOT_FOUND' || disturbance === 'bad-input') return 'refused';
  throw new Error(`an operation was refused as ${code}: ${text.slice(0, 300)}`);
};

/** Runs `turns` visits, `width` at a time. */
export const visits = async (
  turns: number,
  width: number,
  one: (turn: number) => Promise<Visit>,
): Promise<{ readonly leaks: string[]; readonly outcomes: Record<Visit['outcome'], number> }> => {
  const leaks: string[] = [];
  const outcomes = { answered: 0, refused: 0, 'hung-up': 0, unavailable: 0 };
  let next = 0;
  const walk = async (): Promise<void> => {
    while (next < turns) {
      const { leaks: found, outcome } = await one(next++);
      leaks.push(...found);
      outcomes[outcome]++;
    }
  };
  await Promise.all(Array.from({ length: width }, walk));
  return { leaks, outcomes };
};
