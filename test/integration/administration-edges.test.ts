import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import { type GraphQLClient, invite, machineOf } from '../support/graphql-client.js';
import {
  decide,
  DEMOTE,
  demote,
  keep,
  makeGroup,
  openScopeWorld,
  type ScopeWorld,
  seesIt,
  SHARE,
  share,
  TRANSFER,
  UNDO,
} from './scope-world.js';

let world: ScopeWorld;
beforeAll(async () => {
  world = await openScopeWorld();
});
afterAll(() => world.api.close());

const idOf = async (person: GraphQLClient): Promise<string> =>
  (await person.send<{ me: { user: { id: string } } }>('{ me { user { id } } }')).me.user.id;
const ADD = 'mutation ($i: AddMemberInput!) { addMember(input: $i) { role } }';
const ARCHIVE = (slug: string): string => `mutation { archiveProject(project: "${slug}") { id } }`;
const RESTORE = (slug: string): string => `mutation { restoreProject(project: "${slug}") { id } }`;
const AUTHOR = 'query ($id: ID!) { memory(id: $id) { author { displayName } owner { displayName } } }';
const REMOVE = 'mutation ($input: RemoveUserInput!) { removeUser(input: $input) { finished underTheirName } }';

describe('what meets a group that changes at the same moment', () => {
  /** Takes something away, lets `work` run into it, and commits: what is refused then is refused by the key alone. */
  const racing = async (takesAway: string, work: () => Promise<unknown>): Promise<unknown> =>
    asSuperuser(world.api.database.adminUrl, async (other: pg.Client) => {
      await other.query('begin');
      await other.query(takesAway);
      const answer = work().catch((error: unknown) => error);
      const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and pg_backend_pid() = any (pg_blocking_pids(pid))`;
      let settled = false;
      void answer.then(() => (settled = true));
      while (!settled && (await other.query(waits)).rowCount === 0);
      await other.query('commit');
      return answer;
    });
  const leaves = (group: string): string => `delete from group_project g using project_group p, project j
    where g.group_id = p.id and g.project_id = j.id and p.slug = '${group}' and j.slug = 'shop'`;

  it('is refused as a conflict: shares, captures, undos, approvals and joining', async () => {
    const groups = ['race-share', 'race-capture', 'race-undo', 'race-approve', 'race-join'] as const;
    for (const slug of groups) await makeGroup(world.owner, slug, slug === 'race-join' ? ['pay'] : ['shop', 'pay']);
    const to = (group: string, memoryId: string): object => ({ input: { memoryId, scope: 'GROUP', group } });
    const shared = await keep(world.mia, 'Queues drain at noon.');
    const { memory } = await share(world.mia, {
      memoryId: await keep(world.mia, 'Undone.'),
      scope: 'GROUP',
      group: 'race-undo',
    });
    const narrowed = await demote(world.mia, { memoryId: memory.id, scope: 'PRIVATE' });
    const asked = await share(world.ada, {
      memoryId: await keep(world.ada, 'Asked.'),
      scope: 'GROUP',
      group: 'race-approve',
    });
    const capture = {
      text: 'Captured into a group.',
      project: 'shop',
      scope: 'GROUP',
      group: 'race-capture',
      merge: 'NEVER',
    };
    const CAPTURE = 'mutation ($input: CaptureInput!) { capture(input: $input) { status } }';
    const JOIN = 'mutation { addProjectToGroup(group: "race-join", project: "shop") { id } }';
    const races: [string, () => Promise<unknown>][] = [
      [leaves('race-share'), () => world.mia.send(SHARE, { ...to('race-share', shared) })],
      [leaves('race-capture'), () => world.mia.send(CAPTURE, { input: capture })],
      [leaves('race-undo'), () => world.mia.send(UNDO, { id: narrowed.audienceChanges[0]?.id })],
      [leaves('race-approve'), () => world.mia.send(decide('approve'), { id: asked.proposal?.id })],
      [`delete from project_group where slug = 'race-join'`, () => world.owner.send(JOIN)],
    ];
    const answers: unknown[] = [];
    for (const [takesAway, work] of races) answers.push(await racing(takesAway, work));
    for (const answer of answers) expect(answer).toMatchObject({ code: 'CONFLICT', reason: 'group-changed' });
    expect(await seesIt(world.rea, shared)).toBe(false);
  });
});

describe('a machine’s token with the scope admin', () => {
  it('adds others, and gives its own person nothing that would outlive it', async () => {
    const machine = await machineOf(world.boss, ['ADMIN']);
    const [boss, cleo] = [await idOf(world.boss), await idOf(world.cleo)];
    const own = { project: 'shop', userId: boss, role: 'MAINTAINER' };
    expect(await machine.refused(ADD, { i: own })).toMatchObject({ code: 'FORBIDDEN', reason: 'login-needed' });
    await machine.send(ADD, { i: { project: 'pay', userId: cleo, role: 'READER' } });
    await world.boss.send(ADD, { i: { ...own, role: 'READER' } });
    await makeGroup(world.owner, 'only-pay', ['pay']);
    const join = 'mutation { addProjectToGroup(group: "only-pay", project: "shop") { id } }';
    expect(await machine.refused(join)).toMatchObject({ code: 'FORBIDDEN', reason: 'login-needed' });
    await world.boss.send(join);
    const leave = 'mutation ($u: ID!) { removeMember(project: "shop", userId: $u) { id } }';
    await machine.send(leave, { u: boss });
  });
});

describe('an admin', () => {
  it('takes back no invitation to a higher role, and unlinks no sign-in of an owner', async () => {
    const INVITE = 'mutation { inviteUser(input: { displayName: "Second", role: OWNER }) { id } }';
    const { inviteUser } = await world.owner.send<{ inviteUser: { id: string } }>(INVITE);
    const TAKE_BACK = 'mutation ($id: ID!) { revokeInvitation(id: $id) { id } }';
    expect((await world.boss.refused(TAKE_BACK, { id: inviteUser.id })).code).toBe('FORBIDDEN');
    await world.owner.send(TAKE_BACK, { id: inviteUser.id });
    const ids = [await idOf(world.owner), await idOf(world.cleo)];
    const linked = await asSuperuser(world.api.database.adminUrl, (db) =>
      db.query<{ id: string }>(
        `insert into login_identity (tenant_id, user_id, issuer, subject) select tenant_id, id, 'https://id.example.org', id
         from unnest($1::uuid[]) with ordinality w (who, n) join app_user on id = who order by n returning id`,
        [ids],
      ),
    );
    const [ofOwner, ofCleo] = linked.rows;
    const UNLINK = 'mutation ($id: ID!) { unlinkIdentity(id: $id) { id } }';
    expect((await world.boss.refused(UNLINK, { id: ofOwner?.id })).code).toBe('FORBIDDEN');
    expect((await (await machineOf(world.boss, ['ADMIN'])).refused(UNLINK, { id: ofCleo?.id })).reason).toBe(
      'login-needed',
    );
    await world.boss.send(UNLINK, { id: ofCleo?.id });
  });
});

describe('what changes hands', () => {
  it('names who wrote it beside whom it is given to', async () => {
    const id = await keep(world.ada, 'Carts hold forty lines.', { scope: 'PROJECT' });
    await world.ada.send(TRANSFER, { memoryId: id, userId: await idOf(world.ben) });
    const { memory } = await world.mia.send<{ memory: unknown }>(AUTHOR, { id });
    expect(memory).toEqual({ author: { displayName: 'Ada' }, owner: { displayName: 'Ben' } });
  });

  it('goes, with a departure, to who could have captured it; the rest stays under the leaver’s name, and is counted', async () => {
    const lea = await invite(world.owner, { displayName: 'Lea', project: 'shop', projectRole: 'CONTRIBUTOR' });
    await world.owner.send(ADD, { i: { project: 'pay', userId: await idOf(lea), role: 'CONTRIBUTOR' } });
    const inShop = await keep(lea, 'Of the shop.', { scope: 'PROJECT' });
    const inPay = await keep(lea, 'Of payments.', { scope: 'PROJECT', project: 'pay' });
    const input = { userId: await idOf(lea), sharedMemories: 'TRANSFER', transferTo: await idOf(world.ben) };
    const { removeUser } = await world.boss.send<{ removeUser: unknown }>(REMOVE, { input });
    expect(removeUser).toEqual({ finished: true, underTheirName: 1 });
    const { memory } = await world.mia.send<{ memory: { owner: unknown } }>(AUTHOR, { id: inShop });
    expect(memory.owner).toEqual({ displayName: 'Ben' });
    expect(await seesIt(world.ben, inPay)).toBe(false);
    const given = { memoryId: inPay, userId: await idOf(world.owner) };
    expect((await world.boss.refused(TRANSFER, given)).code).toBe('NOT_FOUND');
    await world.owner.send(TRANSFER, given);
  });

  it('stays where it is in an archived project, which joins no group either; it can still be taken back', async () => {
    const id = await keep(world.ada, 'Kept in the shop.', { scope: 'PROJECT' });
    await makeGroup(world.owner, 'waiting', ['pay']);
    await world.owner.send(ARCHIVE('shop'));
    const given = await world.ada.refused(TRANSFER, { memoryId: id, userId: await idOf(world.ben) });
    const made = await world.owner.refused(
      'mutation { createGroup(input: { slug: "late", name: "x", projects: ["shop"] }) { id } }',
    );
    const joined = await world.owner.refused(
      'mutation { addProjectToGroup(group: "waiting", project: "shop") { id } }',
    );
    for (const { code, reason } of [given, made, joined])
      expect([code, reason]).toEqual(['CONFLICT', 'project-archived']);
    await world.ada.send(DEMOTE, { input: { memoryId: id, scope: 'PRIVATE' } });
    await world.owner.send(RESTORE('shop'));
  });
});
