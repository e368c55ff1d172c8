import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, type GraphQLClient, invite } from '../support/graphql-client.js';

let api: TestApi;
let owner: GraphQLClient;
let maintainer: GraphQLClient;
let contributor: GraphQLClient;
let stranger: GraphQLClient;

beforeAll(async () => {
  api = await startTestApi();
  const operator = await api.operator();
  owner = await createTenant(operator, 'Acme');
  stranger = await createTenant(operator, 'Other');
  for (const slug of ['api', 'web']) {
    await owner.send('mutation ($slug: String!) { createProject(input: { slug: $slug, name: "P" }) { id } }', { slug });
  }
  maintainer = await invite(owner, { displayName: 'Mia', project: 'api', projectRole: 'MAINTAINER' });
  contributor = await invite(owner, { displayName: 'Con', project: 'api', projectRole: 'CONTRIBUTOR' });
});
afterAll(() => api.close());

const waiting = (kind: string): Promise<number> =>
  asSuperuser(api.database.adminUrl, async (client) => {
    const { rows } = await client.query<{ n: number }>(
      'select count(*)::int as n from outbox where kind = $1 and done_at is null',
      [kind],
    );
    return rows[0]?.n ?? 0;
  });

describe('a project', () => {
  const UPDATE =
    'mutation ($project: String!, $input: UpdateProjectInput!) { updateProject(project: $project, input: $input) { slug name } }';
  const remote = (name: string): string =>
    `mutation ($project: String!, $remote: String!) { ${name}(project: $project, remote: $remote) { remotes } }`;

  it('is renamed by its maintainers and admins, and keeps what is left out', async () => {
    const renamed = await maintainer.send(UPDATE, { project: 'api', input: { name: ' The API ' } });
    expect(renamed).toEqual({ updateProject: { slug: 'api', name: 'The API' } });
    const moved = await owner.send(UPDATE, { project: 'web', input: { slug: 'site' } });
    expect(moved).toEqual({ updateProject: { slug: 'site', name: 'P' } });
    expect((await contributor.refused(UPDATE, { project: 'api', input: { name: 'x' } })).code).toBe('FORBIDDEN');
    expect((await maintainer.refused(UPDATE, { project: 'site', input: { name: 'x' } })).code).toBe('NOT_FOUND');
    expect((await stranger.refused(UPDATE, { project: 'api', input: { name: 'x' } })).code).toBe('NOT_FOUND');
    expect((await owner.refused(UPDATE, { project: 'site', input: { slug: 'api' } })).code).toBe('CONFLICT');
    for (const input of [{ slug: 'A' }, { slug: '' }, { name: ' ' }, { name: 'x'.repeat(201) }]) {
      expect((await owner.refused(UPDATE, { project: 'site', input })).code).toBe('BAD_USER_INPUT');
    }
  });

  it('has remotes added and taken by its maintainers, each remote in one project of a tenant', async () => {
    const add = remote('addRemote');
    const remove = remote('removeRemote');
    const git = 'git@github.com:acme/api.git';
    expect(await maintainer.send(add, { project: 'api', remote: git })).toEqual({
      addRemote: { remotes: ['github.com/acme/api'] },
    });
    await maintainer.send(add, { project: 'api', remote: 'https://github.com/acme/api' });
    expect((await owner.refused(add, { project: 'site', remote: git })).code).toBe('CONFLICT');
    expect((await contributor.refused(add, { project: 'api', remote: git })).code).toBe('FORBIDDEN');
    expect((await contributor.refused(remove, { project: 'api', remote: git })).code).toBe('FORBIDDEN');
    expect((await owner.refused(add, { project: 'api', remote: 'no remote' })).code).toBe('BAD_USER_INPUT');
    expect((await owner.refused(remove, { project: 'site', remote: git })).code).toBe('NOT_FOUND');
    expect(await maintainer.send(remove, { project: 'api', remote: git })).toEqual({ removeRemote: { remotes: [] } });
    for (let n = 0; n < 20; n += 1) await owner.send(add, { project: 'site', remote: `https://github.com/acme/${n}` });
    expect((await owner.refused(add, { project: 'site', remote: 'https://github.com/acme/x' })).code).toBe(
      'BAD_USER_INPUT',
    );
  });

  it('that is archived takes in nothing, by any way, and is out of the list; restored it is as before', async () => {
    const act = (name: string): string => `mutation ($p: String!) { ${name}(project: $p) { archivedAt } }`;
    const CAPTURE =
      'mutation ($scope: MemoryScope) { capture(input: { text: "one more", project: "api", scope: $scope, merge: NEVER }) { memory { id } } }';
    expect((await maintainer.refused(act('archiveProject'), { p: 'api' })).code).toBe('FORBIDDEN');
    expect((await stranger.refused(act('archiveProject'), { p: 'api' })).code).toBe('NOT_FOUND');
    await owner.send(act('archiveProject'), { p: 'api' });
    for (const scope of ['PROJECT', 'PRIVATE']) {
      const refused = await contributor.refused(CAPTURE, { scope });
      expect(refused.message).toBe('CONFLICT: This project is archived; restore it first.');
    }
    interface Slugs {
      projects: { nodes: { slug: string }[] };
    }
    const list = (archived: boolean): Promise<Slugs> =>
      owner.send<Slugs>('query ($archived: Boolean!) { projects(first: 10, archived: $archived) { nodes { slug } } }', {
        archived,
      });
    expect((await list(false)).projects.nodes).toEqual([{ slug: 'site' }]);
    expect((await list(true)).projects.nodes).toEqual([{ slug: 'api' }]);
    // Past the service: the database refuses too, in a race with the archiving.
    const insert = asSuperuser(api.database.adminUrl, (client) =>
      client.query(`insert into memory (tenant_id, owner_id, project_id, scope, kind, title, text, valid_from, started_at, ended_at)
        select p.tenant_id, p.created_by, p.id, 'project', 'decision', 't', 't', now(), now(), now() from project p where slug = 'api'`),
    );
    await expect(insert).rejects.toThrow('archived');
    expect(await owner.send(act('restoreProject'), { p: 'api' })).toEqual({ restoreProject: { archivedAt: null } });
    await contributor.send(CAPTURE, { scope: 'PROJECT' });
  });
});

describe('the tenant', () => {
  const UPDATE = 'mutation ($input: UpdateTenantInput!) { updateTenant(input: $input) { name timeZone } }';

  it('is renamed and moved to another zone by admins, and its nights move with it', async () => {
    const before = await waiting('schedule.changed');
    expect(await owner.send(UPDATE, { input: { name: ' Acme & Co ' } })).toEqual({
      updateTenant: { name: 'Acme & Co', timeZone: 'UTC' },
    });
    expect(await waiting('schedule.changed')).toBe(before);
    await owner.send(UPDATE, { input: { timeZone: 'Asia/Tokyo' } });
    expect(await waiting('schedule.changed')).toBe(before + 1);
    for (const input of [{ name: '' }, { name: 'x'.repeat(201) }, { timeZone: 'Mars/Base' }]) {
      expect((await owner.refused(UPDATE, { input })).code).toBe('BAD_USER_INPUT');
    }
    expect((await maintainer.refused(UPDATE, { input: { name: 'x' } })).code).toBe('FORBIDDEN');
  });
});

describe('schedules', () => {
  const SET =
    'mutation ($input: SetScheduleInput!) { setSchedule(input: $input) { kind hour minute timeZone paused } }';

  it('are seen and set by admins, and the worker is told', async () => {
    const before = await waiting('schedule.changed');
    const set = await owner.send(SET, { input: { hour: 0, minute: 59 } });
    expect(set).toEqual({
      setSchedule: { kind: 'NIGHTLY', hour: 0, minute: 59, timeZone: 'Asia/Tokyo', paused: false },
    });
    await owner.send(SET, { input: { paused: true } });
    const { schedules } = await owner.send<{ schedules: { kind: string }[] }>(
      '{ schedules { kind hour minute paused } }',
    );
    // The steps of a night have cadences and pauses of their own, and its hour.
    expect(schedules.filter(({ kind }) => kind === 'NIGHTLY')).toEqual([
      { kind: 'NIGHTLY', hour: 0, minute: 59, paused: true },
    ]);
    expect(schedules.length).toBeGreaterThan(4);
    expect(await waiting('schedule.changed')).toBe(before + 2);
    for (const input of [{ hour: 24 }, { hour: -1 }, { minute: 60 }, { minute: -1 }]) {
      expect((await owner.refused(SET, { input })).code).toBe('BAD_USER_INPUT');
    }
    expect((await maintainer.refused(SET, { input: { paused: false } })).code).toBe('FORBIDDEN');
    expect((await maintainer.refused('{ schedules { hour } }')).code).toBe('FORBIDDEN');
  });
});
