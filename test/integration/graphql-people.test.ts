import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { createTenant, GraphQLClient, invite } from '../support/graphql-client.js';

let api: TestApi;
let owner: GraphQLClient;
let anna: GraphQLClient;
let ben: GraphQLClient;
let stranger: GraphQLClient;

const ME = '{ me { user { id displayName email role } tenant { id name } memberships { role project { slug } } } }';
interface Me {
  me: {
    user: { id: string; displayName: string; email: string | null; role: string };
    tenant: { id: string; name: string };
    memberships: { role: string; project: { slug: string } }[];
  };
}
const idOf = async (client: GraphQLClient): Promise<string> => (await client.send<Me>(ME)).me.user.id;

beforeAll(async () => {
  api = await startTestApi();
  const operator = await api.operator();
  owner = await createTenant(operator, 'Acme');
  stranger = await createTenant(operator, 'Other');
  const project =
    'mutation { createProject(input: { slug: "api", name: "The API", remotes: ["git@github.com:acme/api.git"] }) { id } }';
  await owner.send(project);
  anna = await invite(owner, { displayName: 'Anna', project: 'api', projectRole: 'MAINTAINER' });
  ben = await invite(owner, { displayName: 'Ben' });
});
afterAll(() => api.close());

describe('projects', () => {
  const PROJECT =
    'query ($slug: String!) { project(slug: $slug) { slug name remotes myRole members { role user { displayName email role } } } }';

  it('has one name for each remote, however it is written', async () => {
    const { project } = await anna.send<{ project: { remotes: string[]; myRole: string } }>(PROJECT, { slug: 'api' });
    expect(project.remotes).toEqual(['github.com/acme/api']);
    expect(project.myRole).toBe('MAINTAINER');
  });

  it('shows members by name to each other, and e-mail and role to admins only', async () => {
    type Answer = { project: { members: { user: { displayName: string; role: string | null } }[] } };
    const seenByAnna = (await anna.send<Answer>(PROJECT, { slug: 'api' })).project.members;
    const ownerSeenByAnna = seenByAnna.find(({ user }) => user.displayName === 'Olga Owner');
    expect(ownerSeenByAnna?.user.role).toBeNull();
    const seenByOwner = (await owner.send<Answer>(PROJECT, { slug: 'api' })).project.members;
    expect(seenByOwner.map(({ user }) => user.role).sort()).toEqual(['MEMBER', 'OWNER']);
  });

  it('answers alike for a project of others, of another tenant and of nobody', async () => {
    const slugs = ['api', 'nothing', 'API', '', 'x'.repeat(5_000)];
    const texts = new Set<string>();
    for (const slug of slugs.slice(1)) texts.add((await owner.refused(PROJECT, { slug })).message);
    texts.add((await ben.refused(PROJECT, { slug: 'api' })).message);
    texts.add((await stranger.refused(PROJECT, { slug: 'api' })).message);
    expect([...texts]).toEqual(['NOT_FOUND: No such project.']);
  });

  it('are made by admins alone, each slug and remote once in a tenant', async () => {
    const CREATE = 'mutation ($input: CreateProjectInput!) { createProject(input: $input) { slug remotes myRole } }';
    const input = {
      slug: 'web',
      name: 'Web',
      remotes: ['https://github.com/acme/web', 'ssh://git@github.com/acme/web.git'],
    };
    expect((await anna.refused(CREATE, { input })).code).toBe('FORBIDDEN');
    const made = await owner.send<{ createProject: { remotes: string[]; myRole: string } }>(CREATE, { input });
    expect(made.createProject).toEqual({ slug: 'web', remotes: ['github.com/acme/web'], myRole: 'MAINTAINER' });
    expect((await owner.refused(CREATE, { input: { ...input, remotes: [] } })).code).toBe('CONFLICT');
    expect((await owner.refused(CREATE, { input: { ...input, slug: 'web-2' } })).code).toBe('CONFLICT');
    await stranger.send(CREATE, { input });
    for (const slug of ['', 'Web', '-web', 'we b', 'x'.repeat(64), 'ä']) {
      expect((await owner.refused(CREATE, { input: { slug, name: 'x' } })).code).toBe('BAD_USER_INPUT');
    }
    for (const remote of ['', 'file:///tmp/x', '../x', 'not a remote']) {
      expect((await owner.refused(CREATE, { input: { slug: 'y', name: 'y', remotes: [remote] } })).code).toBe(
        'BAD_USER_INPUT',
      );
    }
  });

  it('are paged without gaps or repetitions, and a cursor fits its own list and tenant alone', async () => {
    for (const slug of ['p1', 'p2', 'p3', 'p4', 'p5']) {
      await owner.send(`mutation { createProject(input: { slug: "${slug}", name: "P" }) { id } }`);
    }
    const LIST =
      'query ($first: Int!, $after: String) { projects(first: $first, after: $after) { nodes { slug } pageInfo { hasNextPage endCursor } } }';
    type Page = { projects: { nodes: { slug: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } } };
    const whole = (await owner.send<Page>(LIST, { first: 100 })).projects.nodes;
    const seen: { slug: string }[] = [];
    let after: string | null = null;
    for (;;) {
      const { projects }: Page = await owner.send<Page>(LIST, { first: 2, after });
      seen.push(...projects.nodes);
      after = projects.pageInfo.endCursor;
      if (!projects.pageInfo.hasNextPage) break;
    }
    expect(seen).toEqual(whole);
    expect((await stranger.refused(LIST, { first: 2, after })).code).toBe('BAD_USER_INPUT');
    const users = 'query ($after: String) { users(first: 2, after: $after) { nodes { id } } }';
    expect((await owner.refused(users, { after })).code).toBe('BAD_USER_INPUT');
    for (const forged of ['', 'x', 'AAAA', `${after ?? ''}A`, Buffer.from('["zz"]').toString('base64url')]) {
      expect((await owner.refused(LIST, { first: 2, after: forged })).code).toBe('BAD_USER_INPUT');
    }
  });
});

describe('members', () => {
  const ADD = 'mutation ($input: AddMemberInput!) { addMember(input: $input) { role user { id displayName } } }';
  const REMOVE = 'mutation ($id: ID!) { removeMember(project: "api", userId: $id) { slug } }';

  it('attack 1.10: are added by a maintainer, changed, and removed by an admin with effect on the next request', async () => {
    const userId = await idOf(ben);
    expect((await ben.refused('{ project(slug: "api") { id } }')).code).toBe('NOT_FOUND');
    const added = await anna.send<{ addMember: { role: string; user: { displayName: string } } }>(ADD, {
      input: { project: 'api', userId, role: 'READER' },
    });
    expect(added.addMember.user.displayName).toBe('Ben');
    await ben.send('{ project(slug: "api") { id } }');
    await anna.send(ADD, { input: { project: 'api', userId, role: 'CONTRIBUTOR' } });
    expect((await ben.send<Me>(ME)).me.memberships).toEqual([{ role: 'CONTRIBUTOR', project: { slug: 'api' } }]);
    expect((await anna.refused(REMOVE, { id: userId })).code).toBe('FORBIDDEN');
    await owner.send(REMOVE, { id: userId });
    expect((await ben.refused('{ project(slug: "api") { id } }')).code).toBe('NOT_FOUND');
    expect((await owner.refused(REMOVE, { id: userId })).message).toBe('NOT_FOUND: No such member.');
  });

  it('cannot be added by a contributor, nor from another tenant, and unknown ids answer alike', async () => {
    const userId = await idOf(ben);
    const foreign = await idOf(stranger);
    await owner.send(ADD, { input: { project: 'api', userId, role: 'CONTRIBUTOR' } });
    expect((await ben.refused(ADD, { input: { project: 'api', userId: await idOf(anna), role: 'READER' } })).code).toBe(
      'FORBIDDEN',
    );
    const refusals = new Set<string>();
    for (const id of [foreign, '00000000-0000-4000-8000-000000000000', 'x', '']) {
      refusals.add((await anna.refused(ADD, { input: { project: 'api', userId: id, role: 'READER' } })).message);
    }
    expect([...refusals]).toEqual(['NOT_FOUND: No such user.']);
    expect((await stranger.refused(ADD, { input: { project: 'api', userId: foreign, role: 'READER' } })).code).toBe(
      'NOT_FOUND',
    );
  });
});

describe('people', () => {
  const USERS = '{ users(first: 100) { nodes { id displayName role } } }';
  type Users = { users: { nodes: { displayName: string }[] } };

  it('are listed to admins, and to others only they themselves', async () => {
    const all = (await owner.send<Users>(USERS)).users.nodes.map(({ displayName }) => displayName);
    expect(all).toEqual(expect.arrayContaining(['Anna', 'Ben', 'Olga Owner']));
    expect((await ben.send<Users>(USERS)).users.nodes.map(({ displayName }) => displayName)).toEqual(['Ben']);
    expect((await stranger.send<Users>(USERS)).users.nodes.map(({ displayName }) => displayName)).toEqual([
      'Olga Owner',
    ]);
  });

  it('join the project their invitation names', async () => {
    const cleo = await invite(owner, { displayName: 'Cleo', project: 'api', projectRole: 'READER' });
    expect((await cleo.send<Me>(ME)).me.memberships).toEqual([{ role: 'READER', project: { slug: 'api' } }]);
    const INVITE = 'mutation ($input: InviteUserInput!) { inviteUser(input: $input) { code } }';
    expect((await owner.refused(INVITE, { input: { displayName: 'X', project: 'nothing' } })).code).toBe('NOT_FOUND');
    expect((await owner.refused(INVITE, { input: { displayName: 'X', projectRole: 'READER' } })).code).toBe(
      'BAD_USER_INPUT',
    );
    expect((await owner.refused(INVITE, { input: { displayName: 'X', email: 'nobody' } })).code).toBe('BAD_USER_INPUT');
  });
});

describe('personal access tokens', () => {
  const ISSUE =
    'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { secret token { id name prefix expiresAt user { displayName } } } }';
  const EXCHANGE = 'mutation ($token: String!) { exchangeToken(token: $token) { accessToken accessExpiresAt } }';
  interface Issued {
    issueToken: { secret: string; token: { id: string; prefix: string; user: { displayName: string } } };
  }
  const issue = async (client: GraphQLClient): Promise<Issued['issueToken']> =>
    (await client.send<Issued>(ISSUE, { input: { name: 'ci' } })).issueToken;
  const exchange = async (token: string): Promise<GraphQLClient> => {
    const { exchangeToken } = await new GraphQLClient(api.url).send<{ exchangeToken: { accessToken: string } }>(
      EXCHANGE,
      { token },
    );
    return new GraphQLClient(api.url, () => Promise.resolve(exchangeToken.accessToken));
  };

  it('speak for their person, and are shown once', async () => {
    const { secret, token } = await issue(anna);
    expect(secret).toMatch(/^tmem_pat_[0-9A-Za-z]{36}$/);
    expect(secret.startsWith(token.prefix)).toBe(true);
    const machine = await exchange(secret);
    expect((await machine.send<Me>(ME)).me.user.displayName).toBe('Anna');
    const { tokens } = await anna.send<{ tokens: { nodes: { id: string; lastUsedAt: string | null }[] } }>(
      '{ tokens(first: 100) { nodes { id lastUsedAt } } }',
    );
    expect(tokens.nodes.find(({ id }) => id === token.id)?.lastUsedAt).not.toBeNull();
  });

  it('cannot make what outlives them: no login code, no further token', async () => {
    const machine = await exchange((await issue(anna)).secret);
    expect((await machine.refused('mutation { createLoginCode { code } }')).code).toBe('FORBIDDEN');
    expect((await machine.refused(ISSUE, { input: { name: 'x' } })).code).toBe('FORBIDDEN');
  });

  it('attack 2.10: end at once when revoked, with every access token made from them', async () => {
    const { secret, token } = await issue(anna);
    const machine = await exchange(secret);
    await machine.send(ME);
    const REVOKE = 'mutation ($id: ID!) { revokeToken(id: $id) { id revokedAt } }';
    expect((await ben.refused(REVOKE, { id: token.id })).code).toBe('NOT_FOUND');
    expect((await stranger.refused(REVOKE, { id: token.id })).code).toBe('NOT_FOUND');
    const first = await owner.send<{ revokeToken: { revokedAt: string } }>(REVOKE, { id: token.id });
    expect((await machine.refused(ME)).code).toBe('UNAUTHENTICATED');
    expect((await new GraphQLClient(api.url).refused(EXCHANGE, { token: secret })).code).toBe('UNAUTHENTICATED');
    const second = await owner.send<{ revokeToken: { revokedAt: string } }>(REVOKE, { id: token.id });
    expect(second.revokeToken.revokedAt).toBe(first.revokeToken.revokedAt);
  });

  it('live 1 to 90 days', async () => {
    for (const expiresInDays of [0, -1, 91, 2_147_483_647]) {
      expect((await anna.refused(ISSUE, { input: { name: 'x', expiresInDays } })).code).toBe('BAD_USER_INPUT');
    }
  });
});

describe('tenants', () => {
  const CREATE =
    'mutation ($input: CreateTenantInput!) { createTenant(input: $input) { tenant { name timeZone } ownerInvitation { expiresAt } } }';

  it('are made by operators, with a zone that exists', async () => {
    const operator = await api.operator();
    const made = await operator.send<{ createTenant: { tenant: unknown } }>(CREATE, {
      input: { name: ' Zürich ', ownerName: 'Z', timeZone: 'Europe/Zurich' },
    });
    expect(made.createTenant.tenant).toEqual({ name: 'Zürich', timeZone: 'Europe/Zurich' });
    for (const change of [
      { timeZone: 'Mars/Base' },
      { timeZone: '' },
      { name: ' ' },
      { ownerName: '' },
      { ownerEmail: 'x' },
    ]) {
      const input = { name: 'X', ownerName: 'Y', ...change };
      expect((await operator.refused(CREATE, { input })).code).toBe('BAD_USER_INPUT');
    }
  });
});
