import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { TestBrowser } from '../support/browser.js';
import { asSuperuser } from '../support/cluster.js';
import { pollDevice, startDevice } from '../support/device.js';
import { createTenant, type GraphQLClient, invitationCode, invite } from '../support/graphql-client.js';

let api: TestApi;
let owner: GraphQLClient;

beforeAll(async () => {
  api = await startTestApi();
  owner = await createTenant(await api.operator(), 'Acme');
});
afterAll(() => api.close());
afterEach(() => sql('truncate attempt, device_code'));

const sql = (statement: string, values: unknown[] = []): Promise<unknown> =>
  asSuperuser(api.database.adminUrl, (client) => client.query(statement, values));
const newBrowser = (origin = api.settings.publicUrl): TestBrowser => new TestBrowser(api.url, origin);
const loginCode = async (person: GraphQLClient): Promise<string> =>
  (await person.send<{ createLoginCode: { code: string } }>('mutation { createLoginCode { code } }')).createLoginCode
    .code;
const signedIn = async (person = owner): Promise<{ browser: TestBrowser; csrf: string }> => {
  const browser = newBrowser();
  const page = await browser.post('/sign-in', { code: await loginCode(person) });
  return { browser, csrf: page.hidden['csrf'] ?? '' };
};
const errorOf = async (deviceCode: string): Promise<unknown> => (await pollDevice(api.url, deviceCode)).body['error'];

describe('letting a device in on the page', () => {
  it('asks who is there, then for the code, shows who asks, and lets it in', async () => {
    const ann = await invite(owner, { displayName: '<b>Ann</b>' });
    const grant = await startDevice(api.url, '"><script>alert(1)</script>');
    const browser = newBrowser();
    expect((await browser.get('/device')).text).toContain('name="code"');
    const start = await browser.post('/sign-in', { code: await loginCode(ann) });
    expect(start.text).toContain('&lt;b&gt;Ann&lt;/b&gt;');
    const csrf = start.hidden['csrf'] ?? '';
    const confirm = await browser.post('/device/check', { csrf, user_code: grant.user_code.toLowerCase() });
    expect(confirm.text).toContain(`<code class="code">${grant.user_code}</code>`);
    expect(confirm.text).toContain('127.0.0.1');
    expect(confirm.text).toContain('&lt;script&gt;alert(1)');
    expect(confirm.text).not.toContain('<script>');
    expect(await errorOf(grant.device_code)).toBe('authorization_pending');
    const done = await browser.post('/device/approve', confirm.hidden);
    expect(done).toMatchObject({ status: 200 });
    expect((await pollDevice(api.url, grant.device_code)).status).toBe(200);
  });

  it('accepts an invitation in the browser and makes the person', async () => {
    const browser = newBrowser();
    const page = await browser.post('/sign-in', { code: await invitationCode(owner, { displayName: 'Newcomer' }) });
    expect(page.text).toContain('Newcomer');
  });

  it('sends a device away', async () => {
    const { browser, csrf } = await signedIn();
    const grant = await startDevice(api.url);
    await browser.post('/device/deny', { csrf, user_code: grant.user_code });
    expect(await errorOf(grant.device_code)).toBe('access_denied');
  });

  it('asks again for a code that leads nowhere, and locks after five', async () => {
    const { browser, csrf } = await signedIn();
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess += 1) {
      statuses.push((await browser.post('/device/check', { csrf, user_code: 'BBBB-BBBB' })).status);
    }
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429]);
  });
});

describe('attack 2.11: approval takes a form of ours, posted by a browser that is signed in', () => {
  const rejected = async (
    path: string,
    change: { origin?: string; csrf?: string; headers?: Record<string, string> },
  ): Promise<number> => {
    const { browser, csrf } = await signedIn();
    const grant = await startDevice(api.url);
    const headers = { origin: change.origin ?? browser.origin, ...change.headers };
    const fields = { csrf: change.csrf ?? csrf, user_code: grant.user_code };
    const { status } = await browser.post(path, fields, headers);
    expect(await errorOf(grant.device_code)).toBe('authorization_pending');
    return status;
  };

  it('answers GET with 405', async () => {
    const { browser } = await signedIn();
    for (const path of ['/device/approve', '/device/deny', '/device/check', '/sign-in', '/sign-out']) {
      const answer = await browser.get(path);
      expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, 'POST']);
    }
  });

  it.each(['/device/approve', '/device/deny'])('refuses %s from another page, or from none', async (path) => {
    expect(await rejected(path, { origin: 'https://evil.test' })).toBe(403);
    expect(await rejected(path, { origin: 'null' })).toBe(403);
    expect(await rejected(path, { origin: '' })).toBe(403);
    expect(await rejected(path, { headers: { 'sec-fetch-site': 'cross-site' } })).toBe(403);
    expect(await rejected(path, { headers: { 'sec-fetch-site': 'same-site' } })).toBe(403);
  });

  it.each(['/device/approve', '/device/deny'])('refuses %s without the word that only our page holds', async (path) => {
    const other = await signedIn();
    for (const csrf of ['', 'x', other.csrf]) expect(await rejected(path, { csrf })).toBe(403);
  });

  it('refuses one who is not signed in, or no longer', async () => {
    const { browser, csrf } = await signedIn();
    const grant = await startDevice(api.url);
    const fields = { csrf, user_code: grant.user_code };
    await sql(`update login_session set expires_at = now() where kind = 'browser'`);
    expect((await browser.post('/device/approve', fields)).status).toBe(401);
    browser.forgetCookies();
    expect((await browser.post('/device/approve', fields)).status).toBe(401);
    expect(await errorOf(grant.device_code)).toBe('authorization_pending');
  });

  it('refuses to sign in from another page, with a wrong code, and twice with one code', async () => {
    const code = await loginCode(owner);
    expect((await newBrowser('https://evil.test').post('/sign-in', { code })).status).toBe(403);
    expect((await newBrowser().post('/sign-in', { code: 'x'.repeat(5_000) })).status).toBe(401);
    expect((await newBrowser().post('/sign-in', { code })).status).toBe(200);
    expect((await newBrowser().post('/sign-in', { code })).status).toBe(401);
  });
});

describe('the session of a browser', () => {
  it('lives in a cookie that no script and no other site reaches, is listed, and ends by signing out', async () => {
    const cay = await invite(owner, { displayName: 'Cay' });
    const browser = newBrowser();
    const first = await fetch(`${api.url}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: browser.origin },
      body: new URLSearchParams({ code: await loginCode(cay) }).toString(),
    });
    expect(first.headers.getSetCookie().join()).toMatch(/HttpOnly; SameSite=Strict/);
    expect(first.headers.getSetCookie().join()).toMatch(/Max-Age=900;/);
    const page = await browser.post('/sign-in', { code: await loginCode(cay) });
    const kinds = await cay.send<{ sessions: { nodes: { kind: string; ended: string | null }[] } }>(
      '{ sessions(first: 9) { nodes { kind ended } } }',
    );
    expect(kinds.sessions.nodes.filter(({ kind }) => kind === 'BROWSER')).toHaveLength(2);
    expect((await browser.post('/sign-out', page.hidden)).text).toContain('name="code"');
    expect(browser.cookie('tempera_browser')).toBeUndefined();
    const after = await cay.send<typeof kinds>('{ sessions(first: 9) { nodes { kind ended } } }');
    expect(after.sessions.nodes.filter(({ ended }) => ended === 'logged out')).toHaveLength(1);
  });

  it('is worth nothing elsewhere: its cookie opens no GraphQL and is no refresh token', async () => {
    const { browser } = await signedIn();
    const cookie = browser.cookie('tempera_browser') ?? '';
    const response = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `tempera_browser=${cookie}` },
      body: JSON.stringify({ query: '{ me { user { id } } }' }),
    });
    expect(await response.text()).toContain('UNAUTHENTICATED');
    const refused = await owner.refused(
      'mutation ($t: String!) { refresh(input: { refreshToken: $t }) { accessToken } }',
      {
        t: cookie,
      },
    );
    expect(refused.code).toBe('UNAUTHENTICATED');
  });

  it('ends from afar within the same breath', async () => {
    const dee = await invite(owner, { displayName: 'Dee' });
    const { browser } = await signedIn(dee);
    await dee.send('mutation { logout(everywhere: true) { sessionsEnded } }');
    expect((await browser.get('/device')).text).toContain('name="code"');
  });
});

describe('the pages', () => {
  it('load nothing from elsewhere, cannot be framed, are kept by no cache, and tell no other site', async () => {
    for (const answer of [await newBrowser().get('/device'), await newBrowser().post('/sign-in', { code: 'x' })]) {
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'/,
      );
      expect(answer.headers.get('x-frame-options')).toBe('DENY');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('referrer-policy')).toBe('same-origin');
      expect(answer.text).not.toMatch(/https?:\/\//);
      expect(answer.text).not.toContain('<script');
      // Else the browser would show the page without its looks.
      const style = createHash('sha256')
        .update(/<style>([^]*)<\/style>/.exec(answer.text)?.[1] ?? '')
        .digest('base64');
      expect(policy).toContain(`'sha256-${style}'`);
    }
  });

  it('never write a code, a cookie or a form word into the log', async () => {
    const code = await loginCode(owner);
    const browser = newBrowser();
    const page = await browser.post('/sign-in', { code });
    const grant = await startDevice(api.url);
    await browser.post('/device/approve', { ...page.hidden, user_code: grant.user_code });
    const secrets = [code, browser.cookie('tempera_browser'), page.hidden['csrf'], grant.device_code, grant.user_code];
    for (const secret of secrets) expect(api.logged()).not.toContain(secret);
  });
});
