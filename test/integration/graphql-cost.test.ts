import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as operations from '../../apps/mcp/src/graphql/operations.js';
import { startTestApi, type TestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { createTenant, type GraphQLClient } from '../support/graphql-client.js';
import { makeMemory } from '../support/memories.js';

const MAX_COST = 5_000;
const MIB = 1024 * 1024;

let api: TestApi;
let owner: GraphQLClient;

beforeAll(async () => {
  api = await startTestApi({ profile: 'production' });
  owner = await createTenant(await api.operator(), 'Acme');
});
afterAll(() => api.close());

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: {
    data?: Record<string, unknown> | null;
    errors?: { message: string; extensions: { code: string; details?: { reason?: string; cost?: number } } }[];
    extensions?: { cost?: { points: number; maximum: number } };
  };
  readonly milliseconds: number;
}

const ask = async (query: string, variables: unknown = {}): Promise<Answer> => {
  const token = (await owner.token()) ?? '';
  const start = performance.now();
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  const milliseconds = performance.now() - start;
  return { status: response.status, text, body: JSON.parse(text) as Answer['body'], milliseconds };
};

const repeat = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

const capture = { text: 'x', scope: 'PRIVATE' };
const EVERYTHING = '{ id text tags filesModified errorsResolved { error } alternatives { approach } }';

describe('attack 3.1: answers that would be too large', () => {
  const documents: Record<string, [string, unknown?]> = {
    'fifteen pages of texts': [`{ ${repeat(15, (i) => `a${i}: memories(first: 100) { nodes { text } }`)} }`],
    'a page of texts with all their former texts': ['{ memories(first: 100) { nodes { text history { text } } } }'],
    'a page of related texts': ['{ memories(first: 100) { nodes { related { memory { text } } } } }'],
    'fourteen texts of each memory of a page': [
      `{ memories(first: 100) { nodes { ${repeat(14, (i) => `t${i}: text`)} } } }`,
    ],
    'the same through fragments': [
      `query ($n: Int!) { a: memories(first: $n) { ...P } b: memories(first: $n) { ...P } }
       fragment P on MemoryPage { nodes { ...M } x: nodes { ...M } } fragment M on Memory { text ...H } fragment H on Memory { h: text }`,
      { n: 100 },
    ],
    'the members of the projects of a page': [
      '{ memories(first: 100) { nodes { project { members { user { displayName } } } } } }',
    ],
    'answers of a retrieval with the former texts': [
      'mutation { retrieve(input: { query: "x", limit: 50 }) { hits { memory { history { text } } } } }',
    ],
    'a hundred captures with all that lies near': [
      `mutation ($inputs: [CaptureInput!]!) { captureMany(inputs: $inputs) { results { captured { near { memory ${EVERYTHING} } } } } }`,
      { inputs: Array.from({ length: 100 }, () => capture) },
    ],
    'a hundred captures, fifteen times': [
      `mutation ($inputs: [CaptureInput!]!) { ${repeat(15, (i) => `a${i}: captureMany(inputs: $inputs) { captured }`)} }`,
      { inputs: Array.from({ length: 100 }, () => capture) },
    ],
  };

  it('refuses each before any resolver, and says the cost and the bound', async () => {
    const times: number[] = [];
    for (const [name, [query, variables]] of Object.entries(documents)) {
      const answer = await ask(query, variables);
      const [error] = answer.body.errors ?? [];
      expect({ name, status: answer.status, code: error?.extensions.code }).toEqual({
        name,
        status: 400,
        code: 'BAD_USER_INPUT',
      });
      expect(error?.extensions.details?.reason).toBe('query-cost');
      expect(error?.extensions.details?.cost).toBeGreaterThan(MAX_COST);
      expect(error?.message).toMatch(/may cost \d+ points and at most 5000/);
      expect(answer.body.data).toBeUndefined();
      times.push(answer.milliseconds);
    }
    const kept = await owner.send<{ memories: { totalCount: number } }>('{ memories(first: 1) { totalCount } }');
    expect(kept.memories.totalCount).toBe(0);
    times.sort((a, b) => a - b);
    const median = times[times.length >> 1] ?? 0;
    reportAttack('3.1', times.length, { accepted: 0 }, `cost; median ${Math.round(median)} ms`);
    expect(median).toBeLessThan(500);
  });

  it('refuses a list variable of more than a thousand items, whatever it is for', async () => {
    const vote = 'mutation ($ids: [ID!]!) { feedback(input: { memoryIds: $ids, helpful: true }) { recorded } }';
    const answer = await ask(vote, { ids: Array.from({ length: 500_000 }, () => 1) });
    expect(answer.status).toBe(400);
    expect(answer.body.errors?.[0]?.message).toContain('more than 1000 items');
  });

  it('keeps the largest answer it allows to 20 MiB of text', async () => {
    const { me } = await owner.send<{ me: { user: { id: string }; tenant: { id: string } } }>(
      '{ me { user { id } tenant { id } } }',
    );
    const author = { tenantId: me.tenant.id, userId: me.user.id };
    for (let i = 0; i < 100; i += 1) await makeMemory(api.database.doors, author, { text: 'x'.repeat(65_536) });
    const largest = (last: number): string =>
      `{ a: memories(first: 100) { nodes { text } } b: memories(first: 100) { nodes { text } } c: memories(first: ${last}) { nodes { text } } }`;
    const answer = await ask(largest(93));
    expect(answer.body.errors).toBeUndefined();
    const megabytes = answer.text.length / MIB;
    process.stdout.write(
      `largest answer: ${answer.body.extensions?.cost?.points} points, ${megabytes.toFixed(1)} MiB in ${Math.round(answer.milliseconds)} ms\n`,
    );
    expect(megabytes).toBeGreaterThan(15);
    expect(megabytes).toBeLessThan(20);
    expect((await ask(largest(94))).status).toBe(400);
  });
});

describe('what clients ask for', () => {
  const largest: [string, string, unknown][] = [
    ['50 hits', operations.RETRIEVE, { input: { query: 'x', limit: 50 } }],
    ['the 50 newest', operations.MEMORIES, { first: 50, filter: {} }],
    ['100 projects', operations.PROJECTS, { first: 100, after: null }],
    ['a capture', operations.CAPTURE, { input: capture }],
    ['100 memories with their texts', '{ memories(first: 100) { totalCount nodes { id text } } }', {}],
    ['who they are', operations.ME, {}],
    ['the service', operations.SERVICE, {}],
  ];

  it.each(largest)('is allowed at its largest: %s', async (_name, query, variables) => {
    const { body } = await ask(query, variables);
    expect(body.errors).toBeUndefined();
    expect(body.extensions?.cost?.points).toBeGreaterThan(0);
    expect(body.extensions?.cost?.points).toBeLessThanOrEqual(MAX_COST);
  });

  it('is allowed for a hundred captures at once', async () => {
    const { body } = await ask(
      `mutation ($inputs: [CaptureInput!]!) { captureMany(inputs: $inputs) {
        failed results { captured { status memory { id embeddingState } } error { code message } } } }`,
      { inputs: Array.from({ length: 100 }, (_, index) => ({ ...capture, text: `fact ${index}`, merge: 'NEVER' })) },
    );
    expect(body.data?.['captureMany']).toMatchObject({ failed: 0 });
  });

  it('is refused where notes on a memory are too long together, with the sizes', async () => {
    const errorsResolved = Array.from({ length: 20 }, () => ({
      error: 'e'.repeat(2_000),
      resolution: 'r'.repeat(2_000),
    }));
    const { body } = await ask(operations.CAPTURE, { input: { ...capture, errorsResolved } });
    expect(body.errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { reason: 'notes-too-long' },
    });
    expect(body.errors?.[0]?.message).toContain('80000');
  });
});
