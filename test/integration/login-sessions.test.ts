import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, GraphQLClient, invite, machineOf } from '../support/graphql-client.js';

interface Session {
  id: string;
  kind: string;
  client: string;
  current: boolean;
  ended: string | null;
  endedAt: string | null;
  user: { id: string };
}

const FIELDS = 'id kind client current createdAt lastUsedAt expiresAt endedAt ended user { id }';
const SESSIONS = `query ($first: Int!, $after: String, $userId: ID) { sessions(first: $first, after: $after, userId: $userId) {
  nodes { ${FIELDS} } pageInfo { hasNextPage endCursor } } }`;
const END = `mutation ($id: ID!) { endSession(id: $id) { ${FIELDS} } }`;
const ME = '{ me { user { id } } }';

let aheadMs = 0;
let api: TestApi;
let owner: GraphQLClient;
let stranger: GraphQLClient;

beforeAll(async () => {
  api = await startTestApi({ now: () => new Date(Date.now() + aheadMs) });
  const operator = await api.operator();
  owner = await createTenant(operator, 'Acme');
  stranger = await createTenant(operator, 'Other');
});
afterAll(() => api.close());

const idOf = async (client: GraphQLClient): Promise<string> =>
  (await client.send<{ me: { user: { id: string } } }>(ME)).me.user.id;
const sessionsOf = async (client: GraphQLClient, variables: object = {}): Promise<Session[]> => {
  const query = { first: 50, ...variables };
  return (await client.send<{ sessions: { nodes: Session[] } }>(SESSIONS, query)).sessions.nodes;
};
const end = async (client: GraphQLClient, id: string): Promise<Session> =>
  (await client.send<{ endSession: Session }>(END, { id })).endSession;
const currentOf = async (client: GraphQLClient): Promise<Session> => {
  const current = (await sessionsOf(client)).find((session) => session.current);
  if (current === undefined) throw new Error('no current session');
  return current;
};

describe('sessions', () => {
  it('lists logins and machines of the person, newest first, and marks the one that asks', async () => {
    const ann = await invite(owner, { displayName: 'Ann' });
    await machineOf(ann);
    const sessions = await sessionsOf(ann);
    expect(sessions.map(({ kind, client, current }) => [kind, client, current])).toEqual([
      ['TOKEN', 'machine', false],
      ['LOGIN', 'test', true],
    ]);
    expect(sessions.every(({ ended, endedAt }) => ended === null && endedAt === null)).toBe(true);
  });

  it('pages without a gap or a repeat, and binds the cursor to the person', async () => {
    const bob = await invite(owner, { displayName: 'Bob' });
    for (let made = 0; made < 4; made += 1) await machineOf(bob);
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const { sessions }: { sessions: { nodes: Session[]; pageInfo: { hasNextPage: boolean; endCursor: string } } } =
        await bob.send(SESSIONS, { first: 2, after });
      seen.push(...sessions.nodes.map(({ id }) => id));
      after = sessions.pageInfo.hasNextPage ? sessions.pageInfo.endCursor : null;
      if (after !== null) {
        const foreign = await owner.refused(SESSIONS, { first: 2, after });
        expect(foreign.code).toBe('BAD_USER_INPUT');
      }
    } while (after !== null);
    expect(new Set(seen).size).toBe(5);
    expect(seen).toEqual((await sessionsOf(bob)).map(({ id }) => id));
  });

  it("shows an admin everyone's in the tenant, and hides a colleague's and a stranger's like one who never was", async () => {
    const cay = await invite(owner, { displayName: 'Cay' });
    const dee = await invite(owner, { displayName: 'Dee' });
    const cayId = await idOf(cay);
    expect(await sessionsOf(owner, { userId: cayId })).toHaveLength(1);
    const answers = new Set<string>();
    for (const [client, userId] of [
      [dee, cayId],
      [stranger, cayId],
      [dee, randomUUID()],
      [dee, 'no id'],
    ] as const) {
      const refused = await client.refused(SESSIONS, { first: 1, userId });
      answers.add(`${refused.code} ${refused.message} ${refused.reason}`);
    }
    expect([...answers]).toEqual(['NOT_FOUND NOT_FOUND: No such user. no-such-user']);
  });

  it('says how each ended: expired, logged out, its token revoked', async () => {
    const eve = await invite(owner, { displayName: 'Eve' });
    await machineOf(eve);
    const { tokens } = await eve.send<{ tokens: { nodes: { id: string }[] } }>('{ tokens(first: 1) { nodes { id } } }');
    await eve.send('mutation ($id: ID!) { revokeToken(id: $id) { id } }', { id: tokens.nodes[0]?.id });
    const { createLoginCode } = await eve.send<{ createLoginCode: { code: string } }>(
      'mutation { createLoginCode { code } }',
    );
    const opened = await new GraphQLClient(api.url).send<{ login: { accessToken: string } }>(
      'mutation ($code: String!) { login(input: { code: $code, client: "old" }) { accessToken } }',
      { code: createLoginCode.code },
    );
    await new GraphQLClient(api.url, () => Promise.resolve(opened.login.accessToken)).send(
      'mutation { logout { sessionsEnded } }',
    );
    await asSuperuser(api.database.adminUrl, (client) =>
      client.query(
        `insert into login_session (tenant_id, user_id, kind, client, created_at, expires_at)
           select tenant_id, id, 'login', 'oldest', now() - interval '91 days', now() - interval '1 day'
           from app_user where display_name = 'Eve'`,
      ),
    );
    const ends = (await sessionsOf(eve)).map(({ client, ended }) => [client, ended]);
    expect(ends).toEqual([
      ['old', 'logged out'],
      ['machine', 'token revoked'],
      ['test', null],
      ['oldest', 'expired'],
    ]);
  });

  it('shows no secret and no hash, whatever is asked', async () => {
    const { __type } = await owner.send<{ __type: { fields: { name: string }[] } }>(
      '{ __type(name: "LoginSession") { fields { name } } }',
    );
    expect(__type.fields.filter(({ name }) => /hash|token|secret|key/i.test(name))).toEqual([]);
  });
});

describe('attack 2.10: endSession', () => {
  it('ends a session of one’s own at once, and of others by an admin, within five seconds on every replica', async () => {
    const fay = await invite(owner, { displayName: 'Fay' });
    const machine = await machineOf(fay);
    const [token] = await sessionsOf(fay);
    await machine.send(ME);
    expect(await end(fay, token?.id ?? '')).toMatchObject({ ended: 'ended by its owner', kind: 'TOKEN' });
    expect((await machine.refused(ME)).code).toBe('UNAUTHENTICATED');
    const { id } = await currentOf(fay);
    expect(await end(owner, id)).toMatchObject({ ended: 'ended by an admin' });
    aheadMs += 5_001;
    expect((await fay.refused(ME)).code).toBe('UNAUTHENTICATED');
  });

  it('revokes the token of a machine with its session, so that it buys nothing more', async () => {
    const gus = await invite(owner, { displayName: 'Gus' });
    await machineOf(gus);
    const [session] = await sessionsOf(gus);
    await end(gus, session?.id ?? '');
    const { tokens } = await gus.send<{ tokens: { nodes: { revokedAt: string | null }[] } }>(
      '{ tokens(first: 5) { nodes { revokedAt } } }',
    );
    expect(tokens.nodes.map(({ revokedAt }) => revokedAt !== null)).toEqual([true]);
  });

  it('leaves one that is over as it ended, and is written to the audit once', async () => {
    const hal = await invite(owner, { displayName: 'Hal' });
    const { id } = await currentOf(hal);
    const first = await end(owner, id);
    expect(await end(owner, id)).toEqual(first);
    const audit = await asSuperuser(api.database.adminUrl, (client) =>
      client.query(`select actor_id from audit where action = 'session.ended' and subject_id = $1`, [id]),
    );
    expect(audit.rows).toEqual([{ actor_id: await idOf(owner) }]);
  });

  it("hides a colleague's session and a stranger's like one that never was", async () => {
    const ida = await invite(owner, { displayName: 'Ida' });
    const jon = await invite(owner, { displayName: 'Jon' });
    const { id } = await currentOf(ida);
    const answers = new Set<string>();
    for (const [client, sessionId] of [
      [jon, id],
      [stranger, id],
      [jon, randomUUID()],
      [jon, "' or 1=1"],
    ] as const) {
      const refused = await client.refused(END, { id: sessionId });
      answers.add(`${refused.code} ${refused.message} ${refused.reason}`);
    }
    expect([...answers]).toEqual(['NOT_FOUND NOT_FOUND: No such session. no-such-session']);
    await ida.send(ME);
  });
});
