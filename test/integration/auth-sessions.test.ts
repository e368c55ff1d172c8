import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, GraphQLClient, invitationCode, invite, logIn } from '../support/graphql-client.js';

let api: TestApi;
let owner: GraphQLClient;
let anonymous: GraphQLClient;

beforeAll(async () => {
  api = await startTestApi();
  anonymous = new GraphQLClient(api.url);
  owner = await createTenant(await api.operator(), 'Acme');
});
afterAll(() => api.close());

const SESSION = 'accessToken refreshToken refreshExpiresAt user { id displayName role } tenant { id name }';
interface SessionData {
  accessToken: string;
  refreshToken: string;
  refreshExpiresAt: string;
  user: { id: string; displayName: string; role: string };
  tenant: { id: string; name: string };
}
const login = async (code: string): Promise<SessionData> => {
  const data = await anonymous.send<{ login: SessionData }>(
    `mutation ($code: String!) { login(input: { code: $code, client: "test" }) { ${SESSION} } }`,
    { code },
  );
  return data.login;
};
const refresh = async (refreshToken: string): Promise<SessionData> => {
  const data = await anonymous.send<{ refresh: SessionData }>(
    `mutation ($refreshToken: String!) { refresh(input: { refreshToken: $refreshToken }) { ${SESSION} } }`,
    { refreshToken },
  );
  return data.refresh;
};
const REFRESH = 'mutation ($refreshToken: String!) { refresh(input: { refreshToken: $refreshToken }) { accessToken } }';
const withToken = (token: string): GraphQLClient => new GraphQLClient(api.url, () => Promise.resolve(token));
const invited = (displayName: string, role = 'MEMBER'): Promise<string> => invitationCode(owner, { displayName, role });
const ME = '{ me { user { id displayName role } tenant { name } memberships { role project { slug } } } }';

describe('one-time codes', () => {
  it('opens a session with an invitation, once', async () => {
    const code = await invited('Anna');
    const session = await login(code);
    expect(session.user.displayName).toBe('Anna');
    expect(session.user.role).toBe('MEMBER');
    expect(session.tenant.name).toBe('Acme');
    const again = await anonymous.refused(
      'mutation ($code: String!) { login(input: { code: $code }) { accessToken } }',
      { code },
    );
    expect(again.code).toBe('UNAUTHENTICATED');
  });

  it('makes a code with which the same person logs in on another machine', async () => {
    const first = await login(await invited('Ben'));
    const { createLoginCode } = await withToken(first.accessToken).send<{ createLoginCode: { code: string } }>(
      'mutation { createLoginCode { code expiresAt } }',
    );
    const second = await login(createLoginCode.code);
    expect(second.user.id).toBe(first.user.id);
    expect(second.refreshToken).not.toBe(first.refreshToken);
  });

  it('lets nobody invite above their own role, and members nobody at all', async () => {
    const admin = await logIn(api.url, await invited('Ada', 'ADMIN'));
    const member = await logIn(api.url, await invited('Max'));
    const INVITE = 'mutation ($role: TenantRole!) { inviteUser(input: { displayName: "X", role: $role }) { code } }';
    expect((await admin.refused(INVITE, { role: 'OWNER' })).code).toBe('FORBIDDEN');
    expect((await admin.send<{ inviteUser: { code: string } }>(INVITE, { role: 'ADMIN' })).inviteUser.code).toMatch(
      /^tmem_inv_/,
    );
    expect((await member.refused(INVITE, { role: 'VIEWER' })).code).toBe('FORBIDDEN');
  });
});

describe('refresh tokens', () => {
  it('attack 2.7: twenty parallel refreshes get one child', async () => {
    const session = await login(await invited('Carl'));
    const children = await Promise.all(Array.from({ length: 20 }, () => refresh(session.refreshToken)));
    expect(new Set(children.map(({ refreshToken }) => refreshToken)).size).toBe(1);
    reportAttack('2.7', children.length, { 'further children': 0 });
  });

  it('attack 2.9: a parent is answered again until its child was used, so that a lost reply locks nobody out', async () => {
    const session = await login(await invited('Dora'));
    const lost = await refresh(session.refreshToken);
    const retried = await refresh(session.refreshToken);
    expect(retried.refreshToken).toBe(lost.refreshToken);
    await withToken(retried.accessToken).send(ME);
    const again = await anonymous.refused(REFRESH, { refreshToken: session.refreshToken });
    expect(again.code).toBe('UNAUTHENTICATED');
    reportAttack('2.9', 3, { 'locked out': 0 });
  });

  it('attack 2.8: an old token shown again ends the whole family', async () => {
    const session = await login(await invited('Emil'));
    const second = await refresh(session.refreshToken);
    const third = await refresh(second.refreshToken);
    const attempts = [session.refreshToken, second.refreshToken, third.refreshToken];
    for (const refreshToken of attempts) {
      expect((await anonymous.refused(REFRESH, { refreshToken })).code).toBe('UNAUTHENTICATED');
    }
    expect((await withToken(third.accessToken).refused(ME)).code).toBe('UNAUTHENTICATED');
    reportAttack('2.8', attempts.length + 1, { accepted: 0 });
  });

  it('refuses what never was a refresh token', async () => {
    for (const refreshToken of ['', 'x', `tmem_rt_${'A'.repeat(43)}`, 'y'.repeat(5_000)]) {
      expect((await anonymous.refused(REFRESH, { refreshToken })).code).toBe('UNAUTHENTICATED');
    }
  });
});

describe('attack 2.10: sessions that were ended', () => {
  it('refuses the access token of a session that was logged out', async () => {
    const session = await login(await invited('Finn'));
    const client = withToken(session.accessToken);
    await client.send(ME);
    await client.send('mutation { logout { sessionsEnded } }');
    const refused = await client.refused(ME);
    expect(refused.code).toBe('UNAUTHENTICATED');
    expect(refused.status).toBe(401);
  });

  it('logs out everywhere: other machines and personal access tokens too', async () => {
    const first = await login(await invited('Gina'));
    const client = withToken(first.accessToken);
    const { createLoginCode } = await client.send<{ createLoginCode: { code: string } }>(
      'mutation { createLoginCode { code } }',
    );
    const second = await login(createLoginCode.code);
    const { issueToken } = await client.send<{ issueToken: { secret: string } }>(
      'mutation { issueToken(input: { name: "ci" }) { secret } }',
    );
    const out = await client.send<{ logout: { sessionsEnded: number } }>(
      'mutation { logout(everywhere: true) { sessionsEnded } }',
    );
    expect(out.logout.sessionsEnded).toBe(3);
    expect((await withToken(second.accessToken).refused(ME)).code).toBe('UNAUTHENTICATED');
    expect((await anonymous.refused(REFRESH, { refreshToken: second.refreshToken })).code).toBe('UNAUTHENTICATED');
    const exchange = 'mutation ($token: String!) { exchangeToken(token: $token) { accessToken } }';
    expect((await anonymous.refused(exchange, { token: issueToken.secret })).code).toBe('UNAUTHENTICATED');
  });
});

it("a stolen machine's token makes no person that outlives it", async () => {
  const owner = await createTenant(await api.operator(), 'Machines');
  const { issueToken } = await owner.send<{ issueToken: { secret: string } }>(
    'mutation { issueToken(input: { name: "robot" }) { secret } }',
  );
  const { exchangeToken } = await new GraphQLClient(api.url).send<{ exchangeToken: { accessToken: string } }>(
    'mutation ($token: String!) { exchangeToken(token: $token) { accessToken } }',
    { token: issueToken.secret },
  );
  const machine = withToken(exchangeToken.accessToken);
  const INVITE = 'mutation { inviteUser(input: { displayName: "Mole", role: OWNER }) { code } }';
  expect((await machine.refused(INVITE)).code).toBe('FORBIDDEN');
  await owner.send(INVITE);
});

describe('attack 2.10: what ends from outside', () => {
  it('acts within five seconds: a removed user, a suspended tenant, a session an admin ended', async () => {
    let now = new Date();
    const timed = await startTestApi({ now: () => now });
    const tenant = await createTenant(await timed.operator(), 'Timed');
    const ends = {
      removed: `update app_user set status = 'removed' where display_name = 'removed'`,
      ended: `update login_session s set revoked_at = now() from app_user u where u.id = s.user_id and u.display_name = 'ended'`,
      suspended: `update tenant set status = 'suspended'`,
    };
    for (const [displayName, statement] of Object.entries(ends)) {
      const person = await invite(tenant, { displayName });
      await person.send(ME);
      await asSuperuser(timed.database.adminUrl, (client) => client.query(statement));
      now = new Date(now.getTime() + 5_001);
      const refused = await person.refused(ME);
      expect({ displayName, code: refused.code }).toEqual({ displayName, code: 'UNAUTHENTICATED' });
    }
    reportAttack('2.10', Object.keys(ends).length, { accepted: 0 }, 'removed, ended by an admin, tenant suspended');
    await timed.close();
  });
});
