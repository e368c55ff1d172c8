import { request as rawRequest } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { toldSchema, toolCatalogue } from '@tempera/client-kit';
import { currentSigningKey } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { createTenant, type GraphQLClient, invite, machineOf } from '../support/graphql-client.js';
import { freePort } from '../support/programs.js';
import { claimZoo, decodeToken, signedWith, tokenZoo } from './token-zoo.js';

const ERAS = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
] as const;
const SECRET = `ghp_${'A1b2C3d4E5f6'.repeat(3)}`;

let api: TestApi;
let owner: GraphQLClient;
let anna: GraphQLClient;
let ben: GraphQLClient;
const open: Client[] = [];

beforeAll(async () => {
  api = await startTestApi({ port: await freePort() });
  owner = await createTenant(await api.operator(), 'Remote');
  for (const slug of ['web-shop', 'secret'])
    await owner.send('mutation ($slug: String!) { createProject(input: { slug: $slug, name: "P" }) { id } }', { slug });
  const contributor = { project: 'web-shop', projectRole: 'CONTRIBUTOR' };
  anna = await invite(owner, { displayName: 'Anna', ...contributor });
  ben = await invite(owner, { displayName: 'Ben', ...contributor });
});
afterAll(async () => {
  for (const client of open) await client.close();
  await api.close();
});

const mcpToken = async (person: GraphQLClient): Promise<string> =>
  (await person.send<{ issueMcpToken: { accessToken: string } }>('mutation { issueMcpToken { accessToken } }'))
    .issueMcpToken.accessToken;

const connect = async (
  person: GraphQLClient,
  mode: (typeof ERAS)[number][1] = 'legacy',
  headers: Record<string, string> = {},
): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const authorization = `Bearer ${await mcpToken(person)}`;
  open.push(client);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`), {
      requestInit: { headers: { authorization, ...headers } },
    }),
  );
  return client;
};

interface Called {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: Record<string, unknown>;
}
const call = async (client: Client, name: string, args: Record<string, unknown>): Promise<Called> => {
  const { content, isError, structuredContent } = await client.callTool({ name, arguments: args });
  const [first] = content;
  const text = first?.type === 'text' ? first.text : '';
  return { text, isError: isError === true, structured: (structuredContent ?? {}) as Record<string, unknown> };
};

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const post = (token: string | null, over: RequestInit = {}, path = '/mcp'): Promise<Response> =>
  fetch(`${api.url}${path}`, {
    method: 'POST',
    body: JSON.stringify(LIST),
    ...over,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(over.headers as Record<string, string> | undefined),
    },
  });

describe.each(ERAS)('the remote endpoint, spoken to in the era of %s', (version, mode) => {
  it('C1, E4: lists the tools of the stdio server, byte for byte, and answers each that it lists', async () => {
    const client = await connect(anna, mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const { tools } = await client.listTools();
    const told = tools.map(({ name, title, description, inputSchema, annotations }) =>
      JSON.stringify({ name, title, description, inputSchema, annotations }),
    );
    const known = toolCatalogue.map((tool) =>
      JSON.stringify({
        ...{ name: tool.name, title: tool.title, description: tool.description },
        ...{ inputSchema: toldSchema(tool.inputSchema), annotations: tool.annotations },
      }),
    );
    expect(told).toEqual(known);
    expect(Buffer.byteLength(JSON.stringify(tools.map(({ inputSchema }) => inputSchema)))).toBeLessThan(6 * 1024);
    for (const { name } of tools) {
      const answer = await call(client, name, { no_such_argument: 1 });
      expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('no_such_argument') as string });
    }
    await expect(client.callTool({ name: 'tempera_nothing', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });

  it('captures, recalls and votes as the person, with secrets removed on the way in', async () => {
    const client = await connect(anna, mode);
    const text = `Since ${version} the pool of connections holds twenty; the key was ${SECRET}.`;
    const captured = await call(client, 'tempera_capture', { summary: text, tags: [SECRET] });
    expect(captured).toMatchObject({ isError: false, structured: { status: 'created' } });
    const { structured } = await call(await connect(ben, mode), 'tempera_retrieve', { query: `pool since ${version}` });
    expect(JSON.stringify(structured)).toContain('holds twenty');
    expect(JSON.stringify(structured)).not.toContain(SECRET);
    const vote = { episode_ids: [captured.structured['id']], helpful: true };
    expect(await call(await connect(ben, mode), 'tempera_feedback', vote)).toMatchObject({ isError: false });
    const { memory } = await anna.send<{ memory: { scope: string; tags: string[]; project: { slug: string } } }>(
      'query ($id: ID!) { memory(id: $id) { scope tags project { slug } } }',
      { id: captured.structured['id'] },
    );
    expect(memory).toMatchObject({ scope: 'PROJECT', project: { slug: 'web-shop' } });
  });
});

it('C7: what is outside of a membership answers like what does not exist, by argument and by header', async () => {
  const client = await connect(anna);
  const foreign = await call(client, 'tempera_retrieve', { query: 'x', project: 'secret' });
  const missing = await call(client, 'tempera_retrieve', { query: 'x', project: 'nowhere' });
  expect(foreign.isError).toBe(true);
  expect(foreign.text.replaceAll('secret', 'nowhere')).toBe(missing.text);
  const steered = await connect(anna, 'legacy', { 'x-tempera-project': 'secret' });
  expect(await call(steered, 'tempera_capture', { summary: 'steered' })).toMatchObject({ isError: true });
  const bound = await connect(owner, 'legacy', { 'x-tempera-project': 'web-shop' });
  expect(await call(bound, 'tempera_capture', { summary: 'Bound by its folder.' })).toMatchObject({ isError: false });
  const unbound = await call(await connect(owner), 'tempera_capture', { summary: 'For which?' });
  expect(unbound).toMatchObject({ isError: true });
  expect(unbound.text).toMatch(/secret.*web-shop|web-shop.*secret/);
  expect(await call(await connect(owner), 'tempera_retrieve', { query: 'folder' })).toMatchObject({ isError: false });
});

describe('attack 2.16: a token for the endpoint', () => {
  it('opens GraphQL no more than a token for GraphQL, an operator, or any forgery opens the endpoint', async () => {
    const token = await mcpToken(anna);
    expect((await post(token)).status).toBe(200);
    const asked = { body: JSON.stringify({ query: '{ me { user { id } } }' }) };
    const atGraphql = await post(token, asked, '/graphql');
    expect(atGraphql.status).toBe(401);
    const accessToken = (await anna.token()) ?? '';
    const good = {
      ...{ token, issuer: api.settings.tokenIssuer, audience: `${api.settings.publicUrl}/mcp`, keys: api.keys },
      ...{ otherToken: await mcpToken(ben), refreshToken: 'x', personalToken: 'x' },
      ...{ operatorToken: (await (await api.operator()).token()) ?? '', strangerToken: 'x' },
    };
    const forged = [...claimZoo(good), ...tokenZoo(good)].filter(([, animal]) => /^[\x21-\x7e]+$/.test(animal));
    const animals = [['for GraphQL', accessToken], ['an operator’s', good.operatorToken], ...forged] as const;
    const accepted: string[] = [];
    for (const [name, animal] of animals) if ((await post(animal)).status !== 401) accepted.push(name);
    expect(accepted).toEqual(forged.filter(([name]) => name.includes('holds ours')).map(([name]) => name));
    reportAttack('2.16', animals.length + 1, { accepted: accepted.length }, 'the MCP endpoint');
  });

  it('is refused with where to get one, and ends with its session; a machine does what its scopes name', async () => {
    const nobody = await post(null);
    const metadata = `${api.settings.publicUrl}/.well-known/oauth-protected-resource/mcp`;
    expect(nobody.status).toBe(401);
    expect(nobody.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadata}"`);
    for (const url of [metadata, metadata.replace('/mcp', '')])
      expect(await (await fetch(url)).json()).toMatchObject({ resource: `${api.settings.publicUrl}/mcp` });
    const reader = await connect(await machineOf(anna, ['READ']));
    expect(await call(reader, 'tempera_retrieve', { query: 'pool' })).toMatchObject({ isError: false });
    expect((await call(reader, 'tempera_capture', { summary: 'smuggled' })).text).toContain('scope write');
    const leaver = await invite(owner, { displayName: 'Leaver' });
    const token = await mcpToken(leaver);
    expect((await post(token)).status).toBe(200);
    await leaver.send('mutation { logout(everywhere: false) { sessionsEnded } }');
    const refused = await post(token);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });
});

/** Node's fetch writes the host itself. */
const statusUnder = (host: string, token: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/json', authorization: `Bearer ${token}` };
    rawRequest(`${api.url}/mcp`, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .once('error', reject)
      .end(JSON.stringify(LIST));
  });

it('attack 3.4: another host name, a page of another origin and what is no message are refused, and it lives on', async () => {
  const token = await mcpToken(anna);
  const { port } = new URL(api.url);
  for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', '127.0.0.1:1'])
    expect(await statusUnder(host, token)).toBe(403);
  for (const origin of ['http://evil.example', 'null', `http://127.0.0.1:${Number(port) + 1}`])
    expect((await post(token, { headers: { origin } })).status).toBe(403);
  expect((await post(token, { headers: { origin: `http://127.0.0.1:${port}` } })).status).toBe(200);
  const bodies: readonly (readonly [number, number, RequestInit])[] = [
    [400, -32700, { body: '{"jsonrpc"' }],
    [413, -32600, { body: JSON.stringify({ ...LIST, params: { x: 'x'.repeat(2_000_000) } }) }],
    [415, -32600, { body: Buffer.from([0x22, 0xff, 0x22]) }],
    [400, -32600, { body: JSON.stringify([LIST, LIST]) }],
    [404, -32601, { body: JSON.stringify({ ...LIST, method: 'subscriptions/listen' }) }],
  ];
  for (const [status, code, over] of bodies) {
    const answer = await post(token, over);
    expect([answer.status, ((await answer.json()) as { error: { code: number } }).error.code]).toEqual([status, code]);
  }
  expect((await post(token, { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  for (const body of ['{}', '{"jsonrpc":"2.0","id":1}', '"text"', JSON.stringify({ ...LIST, method: 'no/such' })]) {
    const answer = await post(token, { body });
    expect(await answer.text()).toContain('"error"');
    expect(answer.status).toBeLessThan(500);
  }
  expect((await fetch(`${api.url}/mcp`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(405);
  expect((await post(token)).status).toBe(200);
  expect(api.logged()).not.toContain(token);
});

it('J6: a token past its time is refused, and whoever comes with a fresh one goes on without a new session', async () => {
  let token = await mcpToken(ben);
  const client = new Client({ name: 'test', version: '1' });
  open.push(client);
  const send: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`), { fetch: send }));
  const { header, claims } = decodeToken(token);
  const past = Math.floor(Date.now() / 1000) - 40 * 60;
  token = signedWith(currentSigningKey(api.keys), header, { ...claims, iat: past - 600, exp: past });
  await expect(client.callTool({ name: 'tempera_status', arguments: {} })).rejects.toThrow();
  token = await mcpToken(ben);
  expect(await call(client, 'tempera_status', {})).toMatchObject({ isError: false });
});
