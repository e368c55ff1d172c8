import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, GraphQLClient, invite } from '../support/graphql-client.js';

const ME = '{ me { user { id role status } } }';
const UPDATE = 'mutation ($id: ID!, $role: TenantRole!) { updateUser(id: $id, role: $role) { id role } }';
const SUSPEND = 'mutation ($id: ID!) { suspendUser(id: $id) { id status } }';
const RESUME = 'mutation ($id: ID!) { resumeUser(id: $id) { id status } }';
const REMOVE =
  'mutation ($input: RemoveUserInput!) { removeUser(input: $input) { user { id status } sharedMemories finished sessionsEnded } }';
const USERS =
  'query ($filter: UserFilter) { users(first: 100, filter: $filter) { nodes { displayName status role } } }';
interface Users {
  users: { nodes: { displayName: string; status: string; role: string }[] };
}

let api: TestApi;
let operator: GraphQLClient;
let owner: GraphQLClient;
let admin: GraphQLClient;
let member: GraphQLClient;
let stranger: GraphQLClient;
let clock = Date.now();

const idOf = async (client: GraphQLClient): Promise<string> =>
  (await client.send<{ me: { user: { id: string } } }>(ME)).me.user.id;
const later = (): void => {
  clock += 5_001;
};
const capture = async (client: GraphQLClient, text: string, scope: string, project?: string): Promise<string> => {
  const made = await client.send<{ capture: { memory: { id: string } } }>(
    'mutation ($input: CaptureInput!) { capture(input: $input) { memory { id } } }',
    { input: { text, scope, project, merge: 'NEVER' } },
  );
  return made.capture.memory.id;
};
interface MemoryView {
  memory: { state: string; author: { displayName: string }; mine: boolean };
}
const memory = async (client: GraphQLClient, id: string): Promise<MemoryView['memory']> =>
  (await client.send<MemoryView>('query ($id: ID!) { memory(id: $id) { state mine author { displayName } } }', { id }))
    .memory;
const actions = (client: GraphQLClient): Promise<string[]> =>
  asSuperuser(api.database.adminUrl, async (db) => {
    const { rows } = await db.query<{ action: string }>(
      `select a.action from audit a join app_user u on u.tenant_id = a.tenant_id where u.id = $1 order by a.seq`,
      [await idOf(client)],
    );
    return rows.map(({ action }) => action);
  });

beforeAll(async () => {
  api = await startTestApi({ now: () => new Date(clock) });
  operator = await api.operator();
  owner = await createTenant(operator, 'Acme');
  stranger = await createTenant(operator, 'Other');
  await owner.send('mutation { createProject(input: { slug: "api", name: "The API" }) { id } }');
  admin = await invite(owner, { displayName: 'Ada', role: 'ADMIN' });
  member = await invite(owner, { displayName: 'Mel', project: 'api', projectRole: 'MAINTAINER' });
});
afterAll(() => api.close());

describe('roles in the tenant', () => {
  it('are changed by admins, never above their own, with effect at the next request', async () => {
    const id = await idOf(member);
    await admin.send(UPDATE, { id, role: 'ADMIN' });
    expect((await member.send<Users>(USERS)).users.nodes.length).toBeGreaterThan(2);
    await admin.send(UPDATE, { id, role: 'MEMBER' });
    expect((await member.send<Users>(USERS)).users.nodes).toHaveLength(1);
    expect((await admin.refused(UPDATE, { id, role: 'OWNER' })).code).toBe('FORBIDDEN');
    expect((await member.refused(UPDATE, { id, role: 'ADMIN' })).code).toBe('FORBIDDEN');
    expect((await actions(owner)).filter((action) => action === 'user.role-changed')).toHaveLength(2);
  });

  it('of an owner are out of an admin’s reach, and the last owner keeps theirs', async () => {
    const id = await idOf(owner);
    for (const mutation of [SUSPEND, RESUME]) expect((await admin.refused(mutation, { id })).code).toBe('FORBIDDEN');
    expect((await admin.refused(UPDATE, { id, role: 'MEMBER' })).code).toBe('FORBIDDEN');
    const input = { userId: id, sharedMemories: 'KEEP' };
    expect((await admin.refused(REMOVE, { input })).code).toBe('FORBIDDEN');
    const refused = await owner.refused(UPDATE, { id, role: 'ADMIN' });
    expect(refused.message).toBe('CONFLICT: A tenant keeps at least one owner.');
    const second = await invite(owner, { displayName: 'Otto', role: 'OWNER' });
    await second.send(UPDATE, { id, role: 'ADMIN' });
    expect((await second.refused(UPDATE, { id: await idOf(second), role: 'MEMBER' })).code).toBe('CONFLICT');
    await second.send(UPDATE, { id, role: 'OWNER' });
    await owner.send(REMOVE, { input: { userId: await idOf(second), sharedMemories: 'KEEP' } });
  });

  it('cannot be changed with a machine’s token', async () => {
    const { issueToken } = await owner.send<{ issueToken: { secret: string } }>(
      'mutation { issueToken(input: { name: "ci" }) { secret } }',
    );
    const { exchangeToken } = await new GraphQLClient(api.url).send<{ exchangeToken: { accessToken: string } }>(
      'mutation ($t: String!) { exchangeToken(token: $t) { accessToken } }',
      { t: issueToken.secret },
    );
    const machine = new GraphQLClient(api.url, () => Promise.resolve(exchangeToken.accessToken));
    const id = await idOf(member);
    expect((await machine.refused(UPDATE, { id, role: 'ADMIN' })).code).toBe('FORBIDDEN');
    const input = { userId: id, sharedMemories: 'KEEP' };
    expect((await machine.refused(REMOVE, { input })).code).toBe('FORBIDDEN');
  });
});

describe('suspended people', () => {
  it('are kept out within five seconds, tokens and refresh too, and come back to the sessions they had', async () => {
    const sam = await invite(owner, { displayName: 'Sam' });
    const id = await idOf(sam);
    expect(await admin.send(SUSPEND, { id })).toEqual({ suspendUser: { id, status: 'SUSPENDED' } });
    later();
    expect((await sam.refused(ME)).code).toBe('UNAUTHENTICATED');
    expect(await admin.send(SUSPEND, { id })).toEqual({ suspendUser: { id, status: 'SUSPENDED' } });
    const listed = (await admin.send<Users>(USERS, { filter: { status: 'SUSPENDED' } })).users.nodes;
    expect(listed.map(({ displayName }) => displayName)).toEqual(['Sam']);
    expect((await admin.send<Users>(USERS)).users.nodes.map(({ displayName }) => displayName)).not.toContain('Sam');
    await admin.send(RESUME, { id });
    later();
    expect(await idOf(sam)).toBe(id);
    expect((await actions(owner)).filter((action) => /user\.(suspended|resumed)/.test(action))).toHaveLength(2);
  });

  it('are never oneself, and unknown or foreign ones answer alike', async () => {
    expect((await owner.refused(SUSPEND, { id: await idOf(owner) })).code).toBe('CONFLICT');
    const answers = new Set<string>();
    for (const id of [await idOf(stranger), randomUUID(), 'x', '']) {
      for (const mutation of [SUSPEND, RESUME]) answers.add((await admin.refused(mutation, { id })).message);
      answers.add((await admin.refused(UPDATE, { id, role: 'MEMBER' })).message);
      answers.add((await admin.refused(REMOVE, { input: { userId: id, sharedMemories: 'KEEP' } })).message);
    }
    expect([...answers]).toEqual(['NOT_FOUND: No such user.']);
  });

  it('are filtered by role and name', async () => {
    const byRole = (await admin.send<Users>(USERS, { filter: { role: 'ADMIN' } })).users.nodes;
    expect(byRole.map(({ displayName }) => displayName)).toEqual(['Ada']);
    const byName = (await admin.send<Users>(USERS, { filter: { name: 'mE' } })).users.nodes;
    expect(byName.map(({ displayName }) => displayName)).toEqual(['Mel']);
    expect((await admin.send<Users>(USERS, { filter: { name: '%' } })).users.nodes).toEqual([]);
  });
});

describe('removed people', () => {
  interface Removal {
    removeUser: { user: { status: string }; finished: boolean; sessionsEnded: number };
  }
  const leave = async (
    name: string,
    choice: string,
    transferTo?: string,
  ): Promise<{ leaver: GraphQLClient; shared: string; secret: string; removal: Removal['removeUser'] }> => {
    const leaver = await invite(owner, { displayName: name, project: 'api', projectRole: 'CONTRIBUTOR' });
    const shared = await capture(leaver, `shared by ${name}`, 'PROJECT', 'api');
    const secret = await capture(leaver, `kept by ${name}`, 'PRIVATE');
    const input = { userId: await idOf(leaver), sharedMemories: choice, transferTo };
    const { removeUser } = await admin.send<Removal>(REMOVE, { input });
    later();
    return { leaver, shared, secret, removal: removeUser };
  };

  it('are out for good, with every session, and leave shared memories under their name (KEEP)', async () => {
    const { leaver, shared, secret, removal } = await leave('Kim', 'KEEP');
    expect(removal).toMatchObject({ user: { status: 'REMOVED' }, finished: true, sessionsEnded: 1 });
    expect((await leaver.refused(ME)).code).toBe('UNAUTHENTICATED');
    expect(await memory(member, shared)).toEqual({ state: 'ACTIVE', mine: false, author: { displayName: 'Kim' } });
    for (const client of [owner, admin, member]) {
      expect((await client.refused('query ($id: ID!) { memory(id: $id) { id } }', { id: secret })).code).toBe(
        'NOT_FOUND',
      );
    }
    const removed = (await admin.send<Users>(USERS, { filter: { status: 'REMOVED' } })).users.nodes;
    expect(removed.map(({ displayName }) => displayName)).toContain('Kim');
  });

  it('hand shared memories over, and no private one (TRANSFER)', async () => {
    const { shared, secret } = await leave('Tim', 'TRANSFER', await idOf(member));
    expect(await memory(member, shared)).toEqual({ state: 'ACTIVE', mine: true, author: { displayName: 'Tim' } });
    expect((await member.refused('query ($id: ID!) { memory(id: $id) { id } }', { id: secret })).code).toBe(
      'NOT_FOUND',
    );
    const owners = await asSuperuser(api.database.adminUrl, async (db) => {
      const { rows } = await db.query<{ memory: string; embedding: string }>(
        `select m.owner_id as memory, e.owner_id as embedding from memory m
         join embedding e on e.tenant_id = m.tenant_id and e.memory_id = m.id where m.id = $1`,
        [shared],
      );
      return rows;
    });
    for (const row of owners) expect(row.embedding).toBe(row.memory);
  });

  it('take shared memories out of sight, restorable (ARCHIVE)', async () => {
    const { shared } = await leave('Art', 'ARCHIVE');
    expect(await memory(member, shared)).toMatchObject({ state: 'ARCHIVED', author: { displayName: 'Art' } });
  });

  it('are removed once, with a choice that makes sense, or nothing happens at all', async () => {
    const pat = await invite(owner, { displayName: 'Pat', project: 'api', projectRole: 'CONTRIBUTOR' });
    const userId = await idOf(pat);
    const foreign = await idOf(stranger);
    const wrong: [Record<string, unknown>, string][] = [
      [{ userId, sharedMemories: 'TRANSFER' }, 'BAD_USER_INPUT'],
      [{ userId, sharedMemories: 'KEEP', transferTo: await idOf(member) }, 'BAD_USER_INPUT'],
      [{ userId, sharedMemories: 'TRANSFER', transferTo: userId }, 'NOT_FOUND'],
      [{ userId, sharedMemories: 'TRANSFER', transferTo: foreign }, 'NOT_FOUND'],
      [{ userId, sharedMemories: 'TRANSFER', transferTo: randomUUID() }, 'NOT_FOUND'],
      [{ userId: await idOf(admin), sharedMemories: 'KEEP' }, 'CONFLICT'],
    ];
    for (const [input, code] of wrong) expect((await admin.refused(REMOVE, { input })).code).toBe(code);
    expect((await member.refused(REMOVE, { input: { userId, sharedMemories: 'KEEP' } })).code).toBe('FORBIDDEN');
    later();
    expect(await idOf(pat)).toBe(userId);
    await admin.send(REMOVE, { input: { userId, sharedMemories: 'KEEP' } });
    expect((await admin.refused(REMOVE, { input: { userId, sharedMemories: 'KEEP' } })).code).toBe('CONFLICT');
    expect((await admin.refused(RESUME, { id: userId })).code).toBe('CONFLICT');
    expect((await admin.refused(UPDATE, { id: userId, role: 'VIEWER' })).code).toBe('CONFLICT');
  });

  it('are settled in batches that go on where they were left, by whoever comes next', async () => {
    const max = await invite(owner, { displayName: 'Max', project: 'api', projectRole: 'CONTRIBUTOR' });
    const userId = await idOf(max);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await capture(max, `number ${n}`, 'PROJECT', 'api'));
    // As if the API had died after the removal and before the first batch.
    await asSuperuser(api.database.adminUrl, async (db) => {
      await db.query(`update app_user set status = 'removed' where id = $1`, [userId]);
      await db.query(
        `insert into departure (tenant_id, user_id, choice) select tenant_id, id, 'archive' from app_user where id = $1`,
        [userId],
      );
    });
    const [open] = await api.database.doors.asSystem.listDepartures();
    expect(open?.userId).toBe(userId);
    const settle = (limit: number): Promise<{ settled: number; finished: boolean }[]> =>
      api.database.doors.asWorker(
        open?.tenantId ?? '',
        (tx) => tx.$queryRaw`select settled, finished from settle_departure(${userId}::uuid, ${limit}::int)`,
      );
    expect(await settle(3)).toEqual([{ settled: 3, finished: false }]);
    expect(await settle(3)).toEqual([{ settled: 2, finished: true }]);
    expect(await settle(3)).toEqual([{ settled: 0, finished: true }]);
    expect(await api.database.doors.asSystem.listDepartures()).toEqual([]);
    for (const id of ids) expect((await memory(member, id)).state).toBe('ARCHIVED');
  });
});
