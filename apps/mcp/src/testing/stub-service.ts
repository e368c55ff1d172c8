import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildSchema, graphql, GraphQLError } from 'graphql';

/*
 * A service for the tests of the client: the committed schema over HTTP, answered from memory. What the client sends is
 * checked by the same schema as in the real service; what is behind it here is only enough to see how the client behaves.
 */

const schema = buildSchema(readFileSync(new URL('../../../api/schema.graphql', import.meta.url), 'utf8'));
const MINUTE_MS = 60_000;

/** An error as the service formats it. */
export const refusal = (code: string, message: string, reason?: string): GraphQLError =>
  new GraphQLError(message, {
    extensions: { code, requestId: 'req-1', ...(reason === undefined ? {} : { details: { reason } }) },
  });

/** What a test can see and change. */
export interface StubState {
  /** One-time codes that are good. */
  readonly codes: Set<string>;
  /** Refresh tokens that were traded, in order. */
  readonly refreshed: string[];
  /** The refresh token that is good now, and the one before it. */
  current: string;
  previous: string | null;
  /** Access tokens that are good, and how many were ever made. */
  readonly accessTokens: Set<string>;
  accessTokensMade: number;
  accessLifeMs: number;
  /** Answers by field; each gets the operation's arguments. */
  readonly answers: Record<string, (args: Record<string, unknown>) => unknown>;
  /** Every operation that came with a good token. */
  readonly asked: { field: string; args: Record<string, unknown> }[];
  /** What the next polls of a device are told, as OAuth's words; `ok` logs it in. Empty: pending for ever. */
  readonly deviceAnswers: string[];
  /** What it says to whoever asks whether it is ready. */
  readiness: { status: number; body: unknown };
  /** The ids that requests came with, oldest first. */
  readonly requestIds: string[];
  /** Forms that came to OAuth's routes, by path. */
  readonly forms: { path: string; fields: Record<string, string> }[];
  /** Called before each answer; may delay it. */
  before: () => Promise<void>;
}

const USER = {
  id: '11111111-0000-4000-8000-000000000001',
  displayName: 'Ana',
  email: null,
  role: 'MEMBER',
  createdAt: '2026-01-01T00:00:00Z',
};
const TENANT = {
  id: '22222222-0000-4000-8000-000000000002',
  name: 'Acme',
  timeZone: 'UTC',
  createdAt: '2026-01-01T00:00:00Z',
};
const PROJECT = {
  id: '33333333-0000-4000-8000-000000000003',
  slug: 'web-shop',
  name: 'Web Shop',
  remotes: ['git.example.com/acme/web-shop'],
  members: [],
  myRole: 'CONTRIBUTOR',
  createdAt: '2026-01-01T00:00:00Z',
};

const sessionOf = (state: StubState): Record<string, unknown> => {
  state.accessTokensMade += 1;
  const accessToken = `access-${state.accessTokensMade}`;
  state.accessTokens.add(accessToken);
  return {
    accessToken,
    accessExpiresAt: new Date(Date.now() + state.accessLifeMs).toISOString(),
    refreshToken: state.current,
    refreshExpiresAt: new Date(Date.now() + 30 * 24 * 60 * MINUTE_MS).toISOString(),
    user: USER,
    tenant: TENANT,
  };
};

/** As the real service does: a parent always yields the same child, and is good until the child has been used. */
const refresh = (state: StubState, token: string): Record<string, unknown> => {
  state.refreshed.push(token);
  if (token === state.current) {
    state.previous = token;
    state.current = `${token}+`;
    return sessionOf(state);
  }
  if (token === state.previous) return sessionOf(state);
  throw refusal('UNAUTHENTICATED', 'The session has ended.');
};

const OPEN_FIELDS = (state: StubState): Record<string, (args: Record<string, unknown>) => unknown> => ({
  login: ({ input }) => {
    const code = String(Reflect.get(Object(input), 'code'));
    if (!state.codes.delete(code)) throw refusal('UNAUTHENTICATED', 'The code is unknown, used or expired.');
    return sessionOf(state);
  },
  refresh: ({ input }) => refresh(state, String(Reflect.get(Object(input), 'refreshToken'))),
  operatorLogin: ({ code }) => {
    if (!state.codes.delete(String(code))) throw refusal('UNAUTHENTICATED', 'The code is unknown, used or expired.');
    const { accessToken, accessExpiresAt } = sessionOf(state);
    return { accessToken, expiresAt: accessExpiresAt };
  },
  exchangeToken: () => {
    const { accessToken, accessExpiresAt } = sessionOf(state);
    return { accessToken, accessExpiresAt };
  },
  service: () => ({
    version: '0.1.0',
    encoders: [{ name: 'bge-small-en-v1.5', ready: true, detail: '' }],
    maxTextBytes: 65536,
    maxPageSize: 100,
  }),
});

const CLOSED_FIELDS: StubState['answers'] = {
  me: () => ({ user: USER, tenant: TENANT, memberships: [{ role: 'CONTRIBUTOR', project: PROJECT }] }),
  projects: () => ({ nodes: [PROJECT], pageInfo: { hasNextPage: false, endCursor: null } }),
  logout: () => ({ sessionsEnded: 1 }),
};

const rootOf = (state: StubState, token: string | undefined): Record<string, unknown> => {
  const guarded = Object.entries({ ...CLOSED_FIELDS, ...state.answers }).map(([field, answer]) => [
    field,
    (args: Record<string, unknown>): unknown => {
      if (token === undefined || !state.accessTokens.has(token)) throw refusal('UNAUTHENTICATED', 'Not logged in.');
      state.asked.push({ field, args });
      return answer(args);
    },
  ]);
  return { ...OPEN_FIELDS(state), ...Object.fromEntries(guarded) };
};

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
};

/** The device login of RFC 8628, with answers as the test wrote them. */
const handleForm = (state: StubState, path: string, text: string): { status: number; body: unknown } => {
  state.forms.push({ path, fields: Object.fromEntries(new URLSearchParams(text)) });
  if (path === '/oauth/device_authorization') {
    const body = { device_code: 'device-1', user_code: 'BCDF-GHJK', verification_uri: 'https://x.test/device' };
    return { status: 200, body: { ...body, expires_in: 600, interval: 5 } };
  }
  const answer = state.deviceAnswers.shift() ?? 'authorization_pending';
  if (answer !== 'ok') return { status: 400, body: { error: answer, error_description: `It is ${answer}.` } };
  const { accessToken, refreshToken } = sessionOf(state);
  const body = { access_token: accessToken, token_type: 'Bearer', expires_in: 600 };
  return { status: 200, body: { ...body, refresh_token: refreshToken, refresh_token_expires_in: 86_400 } };
};

const handle = async (state: StubState, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const text = await textOf(request);
  if (request.url === '/readyz') {
    const { status, body } = state.readiness;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return;
  }
  if (request.url?.startsWith('/oauth/') === true) {
    const { status, body } = handleForm(state, request.url, text);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return;
  }
  const { query, variables } = JSON.parse(text) as { query: string; variables: Record<string, unknown> };
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  state.requestIds.push(String(request.headers['x-request-id']));
  await state.before();
  const result = await graphql({ schema, source: query, rootValue: rootOf(state, token), variableValues: variables });
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
};

/** A running stub. */
export interface StubService {
  readonly url: string;
  readonly state: StubState;
  close(): Promise<void>;
}

/** Starts a stub on a free port of the loopback interface. */
export const startStubService = async (over: Partial<StubState> = {}): Promise<StubService> => {
  const state: StubState = {
    codes: new Set(['good-code']),
    refreshed: [],
    current: 'refresh-1',
    previous: null,
    accessTokens: new Set(),
    accessTokensMade: 0,
    accessLifeMs: 10 * MINUTE_MS,
    answers: {},
    asked: [],
    deviceAnswers: [],
    forms: [],
    readiness: { status: 200, body: { status: 'ready' } },
    requestIds: [],
    before: () => Promise.resolve(),
    ...over,
  };
  const server: Server = createServer((request, response) => {
    handle(state, request, response).catch(() => response.writeHead(500).end('broken'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    state,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
