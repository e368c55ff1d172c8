import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { TestBrowser } from '../support/browser.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, GraphQLClient, invite, logIn } from '../support/graphql-client.js';

interface Sent {
  id: string;
  displayName: string;
  state: string;
  project: string | null;
  invitedBy: { displayName: string } | null;
}

const LIST = `query ($first: Int!, $after: String) { invitations(first: $first, after: $after) {
  nodes { id displayName email role state project projectRole createdAt expiresAt usedAt invitedBy { displayName } }
  pageInfo { hasNextPage endCursor } } }`;
const REVOKE = 'mutation ($id: ID!) { revokeInvitation(id: $id) { id state } }';
const INVITE = 'mutation ($input: InviteUserInput!) { inviteUser(input: $input) { id code link expiresAt } }';
const LOGIN = 'mutation ($code: String!) { login(input: { code: $code }) { accessToken } }';

let api: TestApi;
let owner: GraphQLClient;
let stranger: GraphQLClient;

beforeAll(async () => {
  api = await startTestApi();
  const operator = await api.operator();
  owner = await createTenant(operator, 'Acme');
  stranger = await createTenant(operator, 'Other');
});
afterAll(() => api.close());

const send = async (input: Record<string, unknown>): Promise<{ id: string; code: string; link: string }> =>
  (await owner.send<{ inviteUser: { id: string; code: string; link: string } }>(INVITE, { input })).inviteUser;
const list = async (client = owner): Promise<Sent[]> =>
  (await client.send<{ invitations: { nodes: Sent[] } }>(LIST, { first: 100 })).invitations.nodes;
const stateOf = async (id: string): Promise<string | undefined> => (await list()).find((sent) => sent.id === id)?.state;
const refusedCode = async (code: string): Promise<string> => {
  const { code: kind, message, reason } = await new GraphQLClient(api.url).refused(LOGIN, { code });
  return `${kind} ${message} ${reason}`;
};

describe('invitations', () => {
  it('are listed with who sent them and what became of them, newest first, and never with their code', async () => {
    const open = await send({ displayName: 'Open', email: 'open@example.org' });
    const used = await send({ displayName: 'Used' });
    await logIn(api.url, used.code);
    const late = await send({ displayName: 'Late' });
    await asSuperuser(api.database.adminUrl, (client) =>
      client.query('update invitation set expires_at = now() where id = $1', [late.id]),
    );
    const sent = await list();
    expect(sent.slice(0, 3).map(({ displayName, state }) => [displayName, state])).toEqual([
      ['Late', 'EXPIRED'],
      ['Used', 'USED'],
      ['Open', 'OPEN'],
    ]);
    expect(sent[0]?.invitedBy).toEqual({ displayName: 'Olga Owner' });
    // The first owner's own, which an operator sent.
    expect(sent.at(-1)).toMatchObject({ state: 'USED', invitedBy: null });
    expect(JSON.stringify(sent)).not.toContain(open.code);
  });

  it('do not show the codes that people make for themselves', async () => {
    const before = (await list()).length;
    await owner.send('mutation { createLoginCode { code } }');
    expect(await list()).toHaveLength(before);
  });

  it('page without a gap or a repeat', async () => {
    await Promise.all(Array.from({ length: 5 }, () => send({ displayName: 'Crowd' })));
    const ids: string[] = [];
    let after: string | null = null;
    do {
      const { invitations }: { invitations: { nodes: Sent[]; pageInfo: { hasNextPage: boolean; endCursor: string } } } =
        await owner.send(LIST, { first: 3, after });
      ids.push(...invitations.nodes.map(({ id }) => id));
      after = invitations.pageInfo.hasNextPage ? invitations.pageInfo.endCursor : null;
    } while (after !== null);
    expect(ids).toEqual((await list()).map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are taken back by an admin, once and for good, with a line in the audit', async () => {
    const admin = await invite(owner, { displayName: 'Ada', role: 'ADMIN' });
    const { id, code } = await send({ displayName: 'Unwanted' });
    expect(await admin.send(REVOKE, { id })).toEqual({ revokeInvitation: { id, state: 'REVOKED' } });
    expect(await admin.send(REVOKE, { id })).toEqual({ revokeInvitation: { id, state: 'REVOKED' } });
    expect(await refusedCode(code)).toBe(await refusedCode('tmem_inv_never-was'));
    expect(await stateOf(id)).toBe('REVOKED');
    const audit = await asSuperuser(api.database.adminUrl, (client) =>
      client.query(`select action from audit where subject_id = $1 order by seq`, [id]),
    );
    expect(audit.rows.map((row: { action: string }) => row.action)).toEqual(['user.invited', 'invitation.revoked']);
  });

  it('cannot be taken back once accepted, nor accepted once taken back, whoever is first', async () => {
    const { id, code } = await send({ displayName: 'Racer' });
    const [accepted, revoked] = await Promise.allSettled([logIn(api.url, code), owner.send(REVOKE, { id })]);
    expect([accepted.status, revoked.status].sort()).toEqual(['fulfilled', 'rejected']);
    const done = await send({ displayName: 'Done' });
    await logIn(api.url, done.code);
    expect(await owner.refused(REVOKE, { id: done.id })).toMatchObject({ code: 'CONFLICT', reason: 'invitation-used' });
  });

  it('are the business of admins, and of their own tenant', async () => {
    const member = await invite(owner, { displayName: 'Max' });
    const { id } = await send({ displayName: 'Secret' });
    expect((await member.refused(LIST, { first: 1 })).code).toBe('FORBIDDEN');
    expect((await member.refused(REVOKE, { id })).code).toBe('FORBIDDEN');
    const answers = new Set<string>();
    for (const unknown of [id, randomUUID(), 'no id']) {
      const refused = await stranger.refused(REVOKE, { id: unknown });
      answers.add(`${refused.code} ${refused.message}`);
    }
    expect([...answers]).toEqual(['NOT_FOUND NOT_FOUND: No such invitation.']);
    expect(await stateOf(id)).toBe('OPEN');
  });

  it('never tell whether an address has an account (rule A8)', async () => {
    const email = 'known@example.org';
    const first = await send({ displayName: 'Known', email });
    await logIn(api.url, first.code);
    const again = await send({ displayName: 'Known', email });
    const other = await send({ displayName: 'Known', email: 'unknown@example.org' });
    for (const answer of [first, again, other]) {
      expect({ ...answer }).toEqual({
        id: expect.any(String),
        code: expect.stringMatching(/^tmem_inv_[\w-]{43}$/),
        link: `http://api.test/invite#${answer.code}`,
        expiresAt: expect.any(String),
      });
    }
  });
});

describe('the page of an invitation', () => {
  it('says what to do without having seen the code, and accepts it once', async () => {
    const { code, link } = await send({ displayName: 'Paging' });
    const browser = new TestBrowser(api.url, api.settings.publicUrl);
    const page = await browser.get(link.slice(0, link.indexOf('#')));
    expect(page.text).toContain('tempera login --server http://api.test');
    expect(page.text).not.toContain(code);
    expect((await browser.post('/sign-in', { code })).text).toContain('<strong>Paging</strong>');
    expect((await browser.post('/sign-in', { code })).status).toBe(401);
    expect(api.logged()).not.toContain(code);
  });

  it('runs the one script that is written out in it, and none from elsewhere', async () => {
    const { headers, text } = await new TestBrowser(api.url, api.settings.publicUrl).get('/invite');
    const script = /<script>([^]*)<\/script>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    expect(headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}';`);
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(script).toContain('location.hash');
  });
});
