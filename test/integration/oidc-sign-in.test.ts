import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { type PageAnswer, TestBrowser } from '../support/browser.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, type GraphQLClient, invitationCode, invite } from '../support/graphql-client.js';
import { startTestProvider, type TestProvider } from '../support/oidc-provider.js';

const PUBLIC_URL = 'http://api.test';
const CALLBACK = `${PUBLIC_URL}/auth/oidc/callback`;

let folder: string;
let provider: TestProvider;
let otherProvider: TestProvider;
let api: TestApi;
let owner: GraphQLClient;

const settingsOf = async ({ issuer, clientId, clientSecret }: TestProvider): Promise<TestApi['settings']['oidc']> => {
  const clientSecretFile = join(folder, `${new URL(issuer).port}.secret`);
  await writeFile(clientSecretFile, `${clientSecret}\n`, { mode: 0o600 });
  return { issuer, clientId, clientSecretFile, label: 'Example ID' };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tempera-oidc-'));
  [provider, otherProvider] = [await startTestProvider(CALLBACK), await startTestProvider(CALLBACK)];
  api = await startTestApi({ oidc: await settingsOf(provider) });
  owner = await createTenant(await api.operator(), 'Acme');
});
afterAll(async () => {
  reportAttack('2.14', attempts, { accepted: 0 });
  await api.close();
  await provider.close();
  await otherProvider.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => {
  provider.onTheWay = () => undefined;
});

const sql = async (statement: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  asSuperuser(api.database.adminUrl, async (client) => (await client.query(statement, values)).rows as never);
const newBrowser = (url = api.url): TestBrowser => new TestBrowser(url, PUBLIC_URL);
const be = (subject: string, email = `${subject}@example.org`, emailVerified = true, at = provider): void => {
  at.user = { subject, email, emailVerified };
};
/** Where a page that leads on by itself leads. */
const onward = (page: PageAnswer): string => /url=([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? 'nowhere';
const signIn = (browser = newBrowser()): Promise<PageAnswer> => browser.get('/auth/oidc/start');
const accept = async (code: string, browser = newBrowser()): Promise<PageAnswer> =>
  browser.get(onward(await browser.post('/auth/oidc/start', { code })));
const identitiesOf = (subject: string): Promise<Record<string, unknown>[]> =>
  sql(
    'select u.display_name as name from login_identity l join app_user u on (u.tenant_id, u.id) = (l.tenant_id, l.user_id) where subject = $1 order by 1',
    [subject],
  );
const loginCode = async (person: GraphQLClient): Promise<string> =>
  (await person.send<{ createLoginCode: { code: string } }>('mutation { createLoginCode { code } }')).createLoginCode
    .code;

describe('signing in with another provider', () => {
  it('links by an invitation, and signs in ever after', async () => {
    be('ann');
    const browser = newBrowser();
    const accepted = await accept(await invitationCode(owner, { displayName: 'Ann' }), browser);
    expect(accepted).toMatchObject({ status: 200 });
    expect(onward(accepted)).toBe('/device');
    expect((await browser.get('/device')).text).toContain('<strong>Ann</strong>');
    const later = newBrowser();
    expect(onward(await signIn(later))).toBe('/device');
    expect((await later.get('/device')).text).toContain('<strong>Ann</strong>');
    const audit = await sql(`select action from audit where subject_kind = 'identity' order by seq`);
    expect(audit.map(({ action }) => action)).toEqual(['identity.linked', 'session.opened']);
  });

  it('links with whoever is signed in on the browser, and unlinks again', async () => {
    be('bob');
    const bob = await invite(owner, { displayName: 'Bob' });
    const browser = newBrowser();
    const page = await browser.post('/sign-in', { code: await loginCode(bob) });
    expect(page.text).toContain('Link with Example ID');
    const linked = await browser.get(onward(await browser.post('/auth/oidc/link', page.hidden)));
    expect(linked.text).toContain('Linked');
    expect(onward(await signIn())).toBe('/device');
    const LIST = '{ identities(first: 5) { nodes { id issuer subject } } }';
    const { identities } = await bob.send<{ identities: { nodes: { id: string; issuer: string; subject: string }[] } }>(
      LIST,
    );
    expect(identities.nodes).toEqual([{ id: expect.any(String), issuer: provider.issuer, subject: 'bob' }]);
    const UNLINK = 'mutation ($id: ID!) { unlinkIdentity(id: $id) { id } }';
    const id = identities.nodes[0]?.id;
    const cay = await invite(owner, { displayName: 'Cay' });
    expect((await cay.refused(UNLINK, { id })).code).toBe('NOT_FOUND');
    await bob.send(UNLINK, { id });
    expect((await bob.refused(UNLINK, { id })).code).toBe('NOT_FOUND');
    expect((await signIn()).status).toBe(401);
  });

  it('asks in which tenant where there are several, and takes the answer of that browser alone', async () => {
    be('dee');
    const other = await createTenant(await api.operator(), 'Second');
    await accept(await invitationCode(owner, { displayName: 'Dee of Acme' }));
    await accept(await invitationCode(other, { displayName: 'Dee of Second' }));
    const browser = newBrowser();
    const choice = await signIn(browser);
    expect(choice.text).toContain('Acme');
    const tenants = await sql('select id from tenant where name = $1', ['Second']);
    const tenant = String(tenants[0]?.['id']);
    const proof = choice.hidden['proof'] ?? '';
    expect((await newBrowser().post('/auth/oidc/tenant', { proof, tenant })).status).toBe(401);
    expect((await browser.post('/auth/oidc/tenant', { proof: `${proof}x`, tenant })).status).toBe(401);
    expect((await browser.post('/auth/oidc/tenant', { proof, tenant }, { origin: 'https://evil.test' })).status).toBe(
      403,
    );
    const third = await createTenant(await api.operator(), 'Third');
    const foreign = (await third.send<{ me: { tenant: { id: string } } }>('{ me { tenant { id } } }')).me.tenant.id;
    for (const wrong of [foreign, 'x', '']) {
      expect((await browser.post('/auth/oidc/tenant', { proof, tenant: wrong })).status).toBe(401);
    }
    await browser.post('/auth/oidc/tenant', { proof, tenant });
    expect((await browser.get('/device')).text).toContain('Dee of Second');
    // The cookie that the choice was bound to is gone.
    expect((await browser.post('/auth/oidc/tenant', { proof, tenant })).status).toBe(401);
  });

  it('keeps the code good when the identity is somebody’s in the tenant already', async () => {
    be('eve');
    await accept(await invitationCode(owner, { displayName: 'Eve' }));
    const code = await invitationCode(owner, { displayName: 'Second Eve' });
    expect((await accept(code)).status).toBe(409);
    expect(await identitiesOf('eve')).toEqual([{ name: 'Eve' }]);
    be('fay');
    expect(onward(await accept(code))).toBe('/device');
  });

  it('ends with the person: who was removed is known no more', async () => {
    be('gus');
    await accept(await invitationCode(owner, { displayName: 'Gus' }));
    await sql(`update app_user set status = 'removed' where display_name = 'Gus'`);
    expect((await signIn()).status).toBe(401);
  });
});

let attempts = 0;
const isRefused = ({ status }: PageAnswer, expected: number): void => {
  attempts += 1;
  expect(status).toBe(expected);
};

describe('attack 2.14: an e-mail address is nobody', () => {
  const outsiders = [
    ['another user with the same address', 'thief', true],
    ['another user with the same address, unverified', 'thief', false],
  ] as const;

  it.each(outsiders)('neither links nor signs in %s', async (_what, subject, verified) => {
    const code = await invitationCode(owner, { displayName: 'Hal', email: 'hal@example.org' });
    be('hal', 'hal@example.org');
    await accept(code);
    be(subject, 'hal@example.org', verified);
    isRefused(await signIn(), 401);
    expect(await identitiesOf(subject)).toEqual([]);
    await sql(`delete from login_identity where subject = 'hal'`);
  });

  it('neither links nor signs in the same subject of another issuer', async () => {
    be('ida', 'ida@example.org');
    await accept(await invitationCode(owner, { displayName: 'Ida' }));
    await sql(
      `insert into login_identity (tenant_id, user_id, issuer, subject)
      select tenant_id, user_id, $1, subject from login_identity where subject = 'ida'`,
      ['http://127.0.0.1:1'],
    );
    await sql(`delete from login_identity where subject = 'ida' and issuer = $1`, [provider.issuer]);
    isRefused(await signIn(), 401);
  });

  it('refuses the answer of one provider as that of another', async () => {
    be('jon');
    await accept(await invitationCode(owner, { displayName: 'Jon' }));
    be('jon', 'jon@example.org', true, otherProvider);
    // The browser is sent to the wrong provider, which knows the same client and the same subject.
    const browser = newBrowser();
    const start = await fetch(`${api.url}/auth/oidc/start`, { redirect: 'manual' });
    const away = new URL(start.headers.get('location') ?? '');
    for (const line of start.headers.getSetCookie()) browser.keep(line);
    const wrong = new URL(away.pathname + away.search, otherProvider.issuer);
    isRefused(await browser.get(wrong.href), 401);
  });
});

describe('attack 2.14: an answer fits one question', () => {
  /** The provider's answer, not yet brought back. */
  const answered = async (browser: TestBrowser): Promise<string> => {
    browser.stopAt = '/auth/oidc/callback';
    const { location } = await signIn(browser);
    browser.stopAt = null;
    return location ?? '';
  };

  it('is good once: the same address again, or the same state with a new code, opens nothing', async () => {
    be('kim');
    await accept(await invitationCode(owner, { displayName: 'Kim' }));
    const browser = newBrowser();
    browser.stopAt = provider.issuer;
    const question = (await signIn(browser)).location ?? '';
    browser.stopAt = '/auth/oidc/callback';
    const answer = (await browser.get(question)).location ?? '';
    browser.stopAt = null;
    const cookie = browser.cookie('tempera_oidc') ?? '';
    expect(onward(await browser.get(answer))).toBe('/device');
    const before = provider.exchanges();
    for (const again of [answer, question]) {
      browser.keep(`tempera_oidc=${cookie}`);
      isRefused(await browser.get(again), 401);
    }
    expect(provider.exchanges()).toBe(before);
  });

  it.each([
    ['nonce', 401],
    ['state', 401],
    ['code_challenge', 401],
  ])('refuses one whose %s was changed on the way', async (name, status) => {
    be('lea');
    await accept(await invitationCode(owner, { displayName: `Lea ${name}` }));
    provider.onTheWay = (query) => query.set(name, 'x'.repeat(43));
    isRefused(await signIn(), status);
    provider.onTheWay = () => undefined;
    await sql(`delete from login_identity where subject = 'lea'`);
  });

  it('refuses one that another browser asked for, or none, or too long ago', async () => {
    be('max');
    await accept(await invitationCode(owner, { displayName: 'Max' }));
    const victim = newBrowser();
    isRefused(await victim.get(await answered(newBrowser())), 401);
    isRefused(await victim.get('/auth/oidc/callback?code=x&state=y'), 401);
    isRefused(await victim.get('/auth/oidc/callback'), 401);
    const slow = newBrowser();
    const late = await answered(slow);
    await sql(`update oidc_flow set expires_at = now()`);
    isRefused(await slow.get(late), 401);
  });

  it('links nothing once the session that asked for it has ended', async () => {
    be('ned');
    const ned = await invite(owner, { displayName: 'Ned' });
    const browser = newBrowser();
    const page = await browser.post('/sign-in', { code: await loginCode(ned) });
    const away = onward(await browser.post('/auth/oidc/link', page.hidden));
    await ned.send('mutation { logout(everywhere: true) { sessionsEnded } }');
    isRefused(await browser.get(away), 401);
    expect(await identitiesOf('ned')).toEqual([]);
  });

  it('links for nobody who is not signed in, and from no other page', async () => {
    const browser = newBrowser();
    isRefused(await browser.post('/auth/oidc/link', { csrf: 'x' }), 401);
    const code = await loginCode(owner);
    const page = await browser.post('/sign-in', { code });
    isRefused(await browser.post('/auth/oidc/link', page.hidden, { origin: 'https://evil.test' }), 403);
    isRefused(await browser.post('/auth/oidc/link', { csrf: 'x' }), 403);
    isRefused(await browser.get('/auth/oidc/link'), 405);
  });
});

describe('a provider that is not there', () => {
  it('is no fault of the caller, and is asked again', async () => {
    const gone = await startTestProvider(CALLBACK);
    const apart = await startTestApi({ oidc: await settingsOf(gone) });
    await gone.close();
    const answer = await newBrowser(apart.url).get('/auth/oidc/start');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    await apart.close();
  });

  it('is not offered: no button, no route', async () => {
    const without = await startTestApi();
    const browser = newBrowser(without.url);
    expect((await browser.get('/device')).text).not.toContain('oidc');
    expect((await browser.get('/auth/oidc/start')).status).toBe(404);
    await without.close();
  });

  it('keeps the API from starting when its secret is open to others', async () => {
    const oidc = await settingsOf(provider);
    const clientSecretFile = join(folder, 'open.secret');
    await writeFile(clientSecretFile, 'x', { mode: 0o644 });
    await expect(startTestApi({ oidc: { ...(oidc as object), clientSecretFile } as never })).rejects.toThrow(
      'chmod 600',
    );
  });
});
