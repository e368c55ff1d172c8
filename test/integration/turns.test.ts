import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { createTenant, type GraphQLClient } from '../support/graphql-client.js';

let api: TestApi;
let owner: GraphQLClient;
beforeAll(async () => {
  api = await startTestApi();
  owner = await createTenant(await api.operator(), 'Hasty');
});
afterAll(() => api.close());

const ASK = `mutation ($input: RetrieveInput!) { retrieve(input: $input) { hits { memory { id } } } }`;
const ask = (client: GraphQLClient): Promise<unknown> =>
  client.send(ASK, { input: { query: 'how are queues drained?' } });

it('requests that fail, or whose client leaves, keep no turn', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000';
  const failing = [
    () => owner.send('mutation ($id: ID!) { archiveMemory(id: $id) { id } }', { id: unknown }),
    () => owner.send(ASK, { input: { query: 'x', project: 'no-such-project' } }),
    () => owner.send(ASK, { input: { query: '' } }),
    () => owner.send('{ operators { nodes { id } } }'),
  ];
  for (let round = 0; round < 4; round += 1) {
    const outcomes = await Promise.allSettled(failing.map((send) => send()));
    expect(outcomes.map(({ status }) => status)).toEqual(failing.map(() => 'rejected'));
  }
  const token = (await owner.token()) ?? '';
  const leave = async (): Promise<void> => {
    const left = new AbortController();
    const sent = fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: ASK, variables: { input: { query: 'how are queues drained?' } } }),
      signal: left.signal,
    });
    await new Promise((resolve) => setImmediate(resolve));
    left.abort();
    await sent.catch(() => undefined);
  };
  await Promise.all(Array.from({ length: 12 }, leave));
  expect(await Promise.all(Array.from({ length: 8 }, () => ask(owner)))).toHaveLength(8);
});
