import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOperatorCode } from '../../prisma/operator-code.js';
import { startTestApi, type TestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { type Answer, postGraphQL } from '../support/raw-graphql.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ profile: 'production' });
});
afterAll(() => api.close());

let attempts = 0;
const post = (body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Answer> => {
  attempts += 1;
  return postGraphQL(api.url, body, headers);
};
const send = (query: string, variables: unknown = {}): Promise<Answer> => post(JSON.stringify({ query, variables }));

describe('attack 3.4: other ways to send', () => {
  const login = (code: string): string => `mutation { operatorLogin(code: "${code}") { accessToken } }`;
  /** A code that works once: whatever way had run the mutation would have used it up. */
  let mutation: string;
  beforeAll(async () => {
    mutation = login(await createOperatorCode(api.database.urls.migrator, 'ways'));
  });

  afterAll(async () => {
    reportAttack('3.4', attempts, { executed: 0 });
    attempts = 0;
    // Nothing above ran it, or this would be refused.
    expect((await send(mutation)).text).toContain('"accessToken"');
  });

  it.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/graphql',
  ])('refuses a POST as %s', async (contentType) => {
    const bodies = [JSON.stringify({ query: mutation }), `query=${encodeURIComponent(mutation)}`, mutation];
    for (const body of bodies) {
      const answer = await post(body, { 'content-type': contentType });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(answer.text).not.toContain('"data"');
    }
  });

  it.each(['https://evil.test', 'null', 'http://api.test.evil.test', ''])(
    'runs nothing for a page of the origin "%s", and our own pages may ask',
    async (origin) => {
      const answer = await post(JSON.stringify({ query: mutation }), { origin });
      expect([answer.status, answer.codes]).toEqual([403, ['FORBIDDEN']]);
      expect(answer.text).not.toContain('"data"');
      const ours = await post('{"query": "{ service { version } }"}', { origin: api.settings.publicUrl });
      expect(ours.status).toBe(200);
    },
  );

  it('gives the preflight of a page of another origin no leave', async () => {
    const headers = {
      origin: 'https://evil.test',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, authorization',
    };
    attempts += 1;
    const preflight = await fetch(`${api.url}/graphql`, { method: 'OPTIONS', headers });
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(preflight.status).toBeGreaterThanOrEqual(400);
  });

  it('refuses a mutation by GET, and a GET without the preflight header', async () => {
    const url = `${api.url}/graphql?query=${encodeURIComponent(mutation)}`;
    expect((await fetch(url, { headers: { 'apollo-require-preflight': '1' } })).status).toBe(405);
    for (const query of [mutation, '{ service { version } }']) {
      const plain = await fetch(`${api.url}/graphql?query=${encodeURIComponent(query)}`);
      expect(plain.status).toBeGreaterThanOrEqual(400);
      expect(await plain.text()).not.toContain('"data"');
    }
    attempts += 3;
  });

  it('refuses a batch', async () => {
    const answer = await post(JSON.stringify([{ query: mutation }, { query: '{ service { version } }' }]));
    expect(answer.status).toBe(400);
    expect(answer.codes).toEqual(['BAD_USER_INPUT']);
  });

  it('refuses persisted queries, which would be stored', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
    expect((await post(JSON.stringify({ query: '{ service { version } }', extensions }))).codes).toEqual([
      'BAD_USER_INPUT',
    ]);
  });

  it.each([
    ['broken JSON', '{"query": '],
    ['a number', '5'],
    ['a text', '"query"'],
    ['null', 'null'],
    ['an empty body', ''],
    ['a query that is a number', '{"query": 5}'],
    ['variables that are a list', '{"query": "{ service { version } }", "variables": [1]}'],
    ['an operation name that is an object', '{"query": "{ service { version } }", "operationName": {}}'],
    ['a name that no operation has', '{"query": "query A { service { version } }", "operationName": "B"}'],
    [
      '100,000 nested lists',
      `{"query": "{ service { version } }", "variables": {"x": ${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    ],
  ])('answers %s with 400 or below', async (_name, body) => {
    const answer = await post(body);
    expect(answer.status).toBeLessThan(500);
    expect(answer.codes).not.toContain('INTERNAL');
    expect(answer.codes).not.toContain('NO JSON');
  });

  it('refuses bytes that are no UTF-8 and other encodings', async () => {
    const query = JSON.stringify({ query: '{ service { version } }', variables: { x: 'é' } });
    const bodies: [Uint8Array, string][] = [
      [Buffer.from(query, 'utf16le'), 'utf-16le'],
      [Buffer.from(query, 'latin1'), 'iso-8859-1'],
      [Buffer.from(query, 'latin1'), 'utf-8'],
    ];
    for (const [body, charset] of bodies) {
      const answer = await post(body, { 'content-type': `application/json; charset=${charset}` });
      expect(answer.status).toBe(415);
      expect(answer.codes).toEqual(['BAD_USER_INPUT']);
    }
    expect((await post(query, { 'content-type': 'application/json; charset=utf-8' })).status).toBe(200);
  });
});

describe('attack 3.5: learning the schema', () => {
  afterAll(() => reportAttack('3.5', attempts, { told: 0 }));

  it('refuses introspection in production', async () => {
    const ways = [
      '{ __schema { types { name } } }',
      '{ __type(name: "User") { fields { name } } }',
      '{ service { version } ...__schema } fragment __schema on Query { s: __schema { queryType { name } } }',
      'mutation { __typename __schema { types { name } } }',
    ];
    for (const query of ways) {
      expect(new Set((await send(query)).codes)).toEqual(new Set(['BAD_USER_INPUT']));
    }
  });

  it('proposes no names for misspelt fields, arguments, types or values', async () => {
    const misspelt = [
      '{ servce { version } }',
      '{ service { versio } }',
      '{ projects(frst: 1) { nodes { id } } }',
      'mutation { inviteUser(input: { displayNme: "x" }) { code } }',
      'mutation { inviteUser(input: { displayName: "x", role: OWNR }) { code } }',
      'query ($x: Strin) { service { version } }',
    ];
    for (const query of misspelt) expect((await send(query)).text).not.toContain('Did you mean');
    const variable = await send(
      'mutation ($role: TenantRole!) { inviteUser(input: { displayName: "x", role: $role }) { code } }',
      {
        role: 'OWNR',
      },
    );
    expect(variable.text).not.toContain('Did you mean');
  });

  it('has no page for browsers', async () => {
    attempts += 1;
    const page = await fetch(`${api.url}/graphql`, { headers: { accept: 'text/html' } });
    expect(page.status).toBeGreaterThanOrEqual(400);
    expect(await page.text()).not.toContain('<html');
    for (const path of ['/', '/graphiql', '/playground', '/voyager', '/altair', '/schema.graphql']) {
      attempts += 1;
      expect((await fetch(api.url + path)).status).toBe(404);
    }
    expect(page.headers.get('x-powered-by')).toBeNull();
  });
});
