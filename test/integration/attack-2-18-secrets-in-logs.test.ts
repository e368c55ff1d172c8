import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOperatorCode } from '../../prisma/operator-code.js';
import { startTestApi, type TestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { TestBrowser } from '../support/browser.js';
import { pollDevice, postOauth, startDevice } from '../support/device.js';
import { GraphQLClient } from '../support/graphql-client.js';
import { IssuedSecrets } from '../support/issued-secrets.js';
import { startTestProvider, type TestProvider } from '../support/oidc-provider.js';

const PUBLIC_URL = 'http://api.test';
const PAIR = 'accessToken refreshToken';

let folder: string;
let provider: TestProvider;
let api: TestApi;
const secrets = new IssuedSecrets();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tempera-logs-'));
  provider = await startTestProvider(`${PUBLIC_URL}/auth/oidc/callback`);
  const clientSecretFile = join(folder, 'secret');
  await writeFile(clientSecretFile, secrets.note('client secret', provider.clientSecret), { mode: 0o600 });
  const { issuer, clientId } = provider;
  api = await startTestApi({ oidc: { issuer, clientId, clientSecretFile, label: 'Example ID' } });
});
afterAll(async () => {
  await api.close();
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

const as = (token: string): GraphQLClient => new GraphQLClient(api.url, () => Promise.resolve(token));
const nobody = (): GraphQLClient => new GraphQLClient(api.url);

interface Pair {
  accessToken: string;
  refreshToken: string;
}
const noted = (name: string, { accessToken, refreshToken }: Pair): GraphQLClient => {
  secrets.note(`${name}: refresh token`, refreshToken);
  return as(secrets.note(`${name}: access token`, accessToken));
};
const logIn = async (name: string, code: string): Promise<GraphQLClient> => {
  const { login } = await nobody().send<{ login: Pair }>(
    `mutation ($code: String!) { login(input: { code: $code, client: "tour" }) { ${PAIR} } }`,
    { code },
  );
  const { refresh } = await nobody().send<{ refresh: Pair }>(
    `mutation ($t: String!) { refresh(input: { refreshToken: $t }) { ${PAIR} } }`,
    { t: login.refreshToken },
  );
  noted(`${name} at first`, login);
  return noted(name, refresh);
};

/** An operator makes a tenant, its owner joins. */
const openTenant = async (): Promise<GraphQLClient> => {
  const code = secrets.note('operator code', await createOperatorCode(api.database.urls.migrator, 'tour'));
  const { operatorLogin } = await nobody().send<{ operatorLogin: { accessToken: string } }>(
    'mutation ($code: String!) { operatorLogin(code: $code) { accessToken } }',
    { code },
  );
  const { createTenant } = await as(secrets.note('operator token', operatorLogin.accessToken)).send<{
    createTenant: { ownerInvitation: { code: string } };
  }>('mutation { createTenant(input: { name: "Tour", ownerName: "Olga" }) { ownerInvitation { code link } } }');
  return logIn('owner', secrets.note('first invitation', createTenant.ownerInvitation.code));
};

/** A machine's token, exchanged. */
const machineTour = async (owner: GraphQLClient): Promise<string> => {
  const { issueToken } = await owner.send<{ issueToken: { secret: string } }>(
    'mutation { issueToken(input: { name: "tour" }) { secret } }',
  );
  const token = secrets.note('personal access token', issueToken.secret);
  const { exchangeToken } = await nobody().send<{ exchangeToken: { accessToken: string } }>(
    'mutation ($token: String!) { exchangeToken(token: $token) { accessToken } }',
    { token },
  );
  await as(secrets.note('machine token', exchangeToken.accessToken)).send('{ me { user { id } } }');
  return token;
};

/** A browser signs in by code, lets a device in, signs out. */
const deviceTour = async (owner: GraphQLClient): Promise<void> => {
  const browser = new TestBrowser(api.url, PUBLIC_URL);
  const { createLoginCode } = await owner.send<{ createLoginCode: { code: string } }>(
    'mutation { createLoginCode { code } }',
  );
  const start = await browser.post('/sign-in', { code: secrets.note('login code', createLoginCode.code) });
  secrets.note('browser cookie', browser.cookie('tempera_browser'));
  secrets.note('form word', start.hidden['csrf']);
  const grant = await startDevice(api.url, 'tour');
  secrets.note('device code', grant.device_code);
  secrets.note('user code', grant.user_code);
  await pollDevice(api.url, grant.device_code);
  await browser.post('/device/check', { ...start.hidden, user_code: 'BBBB-BBBB' });
  const confirm = await browser.post('/device/check', { ...start.hidden, user_code: grant.user_code });
  await browser.post('/device/approve', confirm.hidden);
  const { body } = await pollDevice(api.url, grant.device_code);
  secrets.note('device access token', String(body['access_token']));
  secrets.note('device refresh token', String(body['refresh_token']));
  await pollDevice(api.url, grant.device_code);
  await browser.post('/sign-out', start.hidden);
};

/** An invitation is accepted through the provider; the answer is brought back twice. */
const providerTour = async (owner: GraphQLClient): Promise<void> => {
  provider.user = { subject: 'tourist', email: 'tourist@example.org', emailVerified: true };
  const { inviteUser } = await owner.send<{ inviteUser: { code: string } }>(
    'mutation { inviteUser(input: { displayName: "Tourist" }) { code } }',
  );
  const browser = new TestBrowser(api.url, PUBLIC_URL);
  await browser.get('/invite');
  const code = secrets.note('invitation', inviteUser.code);
  const away = await browser.post('/auth/oidc/start', { code });
  secrets.note('provider cookie', browser.cookie('tempera_oidc'));
  browser.stopAt = '/auth/oidc/callback';
  const question = /url=([^"]*)"/.exec(away.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  for (const name of ['state', 'nonce', 'code_challenge']) {
    secrets.note(`provider ${name}`, new URL(question).searchParams.get(name) ?? undefined);
  }
  const answer = (await browser.get(question)).location ?? '';
  secrets.note('provider code', new URL(answer).searchParams.get('code') ?? undefined);
  browser.stopAt = null;
  expect((await browser.get(answer)).status).toBe(200);
  expect((await browser.get(answer)).status).toBe(401);
  secrets.note('linked browser cookie', browser.cookie('tempera_browser'));
};

/** Secrets where they do not belong, so that something is refused with them in hand. */
const misplaced = async (owner: GraphQLClient, secret: string): Promise<void> => {
  const token = (await owner.token()) ?? '';
  const post = (body: string, headers: Record<string, string> = {}, query = ''): Promise<Response> =>
    fetch(`${api.url}/graphql${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  await post(`{"query":"${secret}`);
  await post(JSON.stringify({ query: `{ me { ${secret.replaceAll('-', '_')} } }` }));
  await post(
    JSON.stringify({ query: 'query ($x: Int!) { users(first: $x) { nodes { id } } }', variables: { x: secret } }),
  );
  await post(
    JSON.stringify({ query: `mutation { login(input: { code: "${secret}", client: "${secret}" }) { accessToken } }` }),
  );
  await post(JSON.stringify({ query: '{ me { user { id } } }' }, null, 1), { authorization: `Bearer ${token}x` });
  await post(JSON.stringify({ query: '{ me { user { id } } }' }), { authorization: `Basic ${secret}` });
  await post(JSON.stringify({ query: '{ me { user { id } } }' }), { 'x-request-id': secret });
  await post('{}', {}, `?access_token=${token}&code=${secret}`);
  await fetch(`${api.url}/device?user_code=${secret}`, { headers: { cookie: `tempera_browser=${secret}` } });
  await fetch(`${api.url}/auth/oidc/callback?code=${secret}&state=${secret}`);
  await fetch(`${api.url}/${secret}`);
  await postOauth(api.url, 'token', { grant_type: secret, device_code: secret, client_id: secret });
  await postOauth(api.url, 'token', `device_code=${secret}&device_code=${secret}`);
};

it('attack 2.18: after a tour of every way in, the log holds none of the secrets that were issued or shown', async () => {
  const owner = await openTenant();
  const personal = await machineTour(owner);
  await deviceTour(owner);
  await providerTour(owner);
  await misplaced(owner, personal);
  await owner.send(
    '{ sessions(first: 50) { nodes { id } } tokens(first: 5) { nodes { prefix } } auditLog(first: 50) { nodes { action } } }',
  );
  await owner.send('mutation { logout(everywhere: true) { sessionsEnded } }');
  const logged = api.logged();
  const found = secrets.foundIn(logged);
  reportAttack('2.18', secrets.count, { 'in the log': found.length }, 'every way in');
  expect(found).toEqual([]);
  // Something was logged of each way, or nothing was searched.
  for (const word of ['login', '/oauth/token', '/device/approve', '/auth/oidc/callback', 'exchangeToken']) {
    expect(logged).toContain(word);
  }
});
