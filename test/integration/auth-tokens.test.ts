import { currentSigningKey } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { createTenant, GraphQLClient, invitationCode } from '../support/graphql-client.js';
import { createOperatorCode } from '../../prisma/operator-code.js';
import { claimZoo, decodeToken, type GoodToken, signedWith, tokenZoo } from './token-zoo.js';

let api: TestApi;
let good: GoodToken;

interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const login = async (owner: GraphQLClient, displayName: string): Promise<Pair> => {
  const code = await invitationCode(owner, { displayName });
  const query = 'mutation ($code: String!) { login(input: { code: $code }) { accessToken refreshToken } }';
  return (await new GraphQLClient(api.url).send<{ login: Pair }>(query, { code })).login;
};

beforeAll(async () => {
  api = await startTestApi();
  const owner = await createTenant(await api.operator(), 'Acme');
  const first = await login(owner, 'Anna');
  const second = await login(owner, 'Ben');
  const anna = new GraphQLClient(api.url, () => Promise.resolve(first.accessToken));
  const { issueToken } = await anna.send<{ issueToken: { secret: string } }>(
    'mutation { issueToken(input: { name: "ci" }) { secret } }',
  );
  const { operatorLogin } = await new GraphQLClient(api.url).send<{ operatorLogin: { accessToken: string } }>(
    'mutation ($code: String!) { operatorLogin(code: $code) { accessToken } }',
    { code: await createOperatorCode(api.database.urls.migrator, 'zoo') },
  );
  good = {
    token: first.accessToken,
    issuer: api.settings.tokenIssuer,
    audience: api.settings.tokenAudience,
    keys: api.keys,
    otherToken: second.accessToken,
    refreshToken: first.refreshToken,
    personalToken: issueToken.secret,
    operatorToken: operatorLogin.accessToken,
    strangerToken: (await (await createTenant(await api.operator(), 'Strangers')).token()) ?? '',
  };
});
afterAll(() => api.close());

interface Answer {
  readonly status: number;
  readonly body: string;
}

const ask = async (authorization: string): Promise<Answer> => {
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': 'token-zoo', authorization },
    body: JSON.stringify({ query: '{ me { user { id } } }' }),
  });
  return { status: response.status, body: await response.text() };
};

const refuseAll = async (number: string, zoo: ReadonlyMap<string, string>, least: number): Promise<void> => {
  const accepted: string[] = [];
  const bodies = new Set<string>();
  for (const [name, token] of zoo) {
    const { status, body } = await ask(`Bearer ${token}`);
    if (!body.includes('"errors"')) accepted.push(name);
    // An operator's token holds, for operators: its refusal is the guard's, after GraphQL began.
    if (name !== "an operator's token") {
      expect({ name, status }).toEqual({ name, status: 401 });
      bodies.add(body);
    }
  }
  reportAttack(number, zoo.size, { accepted: accepted.length, 'other answers': bodies.size - 1 });
  expect(accepted).toEqual([]);
  expect(bodies.size).toBe(1);
  expect(zoo.size).toBeGreaterThanOrEqual(least);
};

describe('tokens that are not ours', () => {
  it('lets the good token in, so that a refusal below means something', async () => {
    expect((await ask(`Bearer ${good.token}`)).status).toBe(200);
    expect((await ask(`Bearer ${good.otherToken}`)).status).toBe(200);
  });

  it('attack 2.2: accepts an audience list that holds ours, and nothing else is told from it', async () => {
    const { header, claims } = decodeToken(good.token);
    const token = signedWith(currentSigningKey(api.keys), header, {
      ...claims,
      aud: ['http://other.test', good.audience],
    });
    const answer = await ask(`Bearer ${token}`);
    expect(answer.body).toContain('"data"');
  });

  it('attack 2.1: every kind of wrong token is refused with one and the same answer', () =>
    refuseAll('2.1', tokenZoo(good), 60));

  it('attack 2.2: every kind of wrong claim is refused with one and the same answer', () =>
    refuseAll('2.2', claimZoo(good), 40));

  it('takes a token from the Authorization header as Bearer and from nowhere else', async () => {
    const others = ['Basic', 'JWT', 'Token'].map((scheme) => ask(`${scheme} ${good.token}`));
    for (const { status } of await Promise.all([...others, ask(good.token), ask('Bearer'), ask('')])) {
      expect(status).not.toBe(200);
    }
    const inUrl = await fetch(`${api.url}/graphql?access_token=${good.token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ me { user { id } } }', access_token: good.token }),
    });
    expect(await inUrl.text()).toContain('UNAUTHENTICATED');
  });

  it('refuses a key id of 64 KiB without reading it', async () => {
    const { header, claims } = decodeToken(good.token);
    const kid = 'x'.repeat(64 * 1024);
    const { status } = await ask(`Bearer ${signedWith(currentSigningKey(api.keys), { ...header, kid }, claims)}`);
    expect(status).toBe(431);
  });

  it('attack 2.15: a header that names another tenant is ignored', async () => {
    const response = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${good.token}`,
        'x-tenant-id': '00000000-0000-4000-8000-000000000000',
      },
      body: JSON.stringify({ query: '{ me { tenant { name } } }' }),
    });
    expect(await response.text()).toContain('Acme');
  });

  it("attack 2.15: a tenant's id beside a session of another opens nothing, however well it is signed", async () => {
    const { claims: stranger } = decodeToken(good.strangerToken);
    const { header, claims } = decodeToken(good.token);
    const key = currentSigningKey(api.keys);
    const mixtures = ['tid', 'sub', 'sid'].flatMap((name) => [
      signedWith(key, header, { ...claims, [name]: stranger[name] }),
      signedWith(key, header, { ...stranger, [name]: claims[name] }),
    ]);
    const accepted = [];
    for (const token of mixtures) if ((await ask(`Bearer ${token}`)).status !== 401) accepted.push(token);
    reportAttack('2.15', mixtures.length + 1, { accepted: accepted.length });
    expect(accepted).toEqual([]);
    expect((await ask(`Bearer ${good.strangerToken}`)).status).toBe(200);
  });
});

describe('attack 2.18: logs', () => {
  it('hold none of the tokens that were issued or shown', () => {
    const logged = api.logged();
    const secrets = [good.token, good.otherToken, good.refreshToken, good.personalToken, good.operatorToken];
    const parts = secrets.flatMap((secret) => [secret, secret.split('.').at(-1) ?? secret]);
    const found = parts.filter((part) => logged.includes(part));
    reportAttack('2.18', parts.length, { 'in the log': found.length }, 'API');
    expect(found).toEqual([]);
  });
});
