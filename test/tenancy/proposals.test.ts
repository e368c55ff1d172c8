import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRefused, isUniqueViolation, type Prisma } from '@tempera/platform';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { makeEmbedding, makeMemory } from '../support/memories.js';
import { makeOperator, makePerson, makeProject, makeTenant, type Person } from '../support/people.js';
import {
  approve,
  changesOf,
  demoteMemory,
  makeGroup,
  propose,
  sees,
  shareMemory,
  undoChange,
} from '../support/scopes.js';

describe('proposals', () => {
  let database: TestDatabase;
  let owner: Person; // of the tenant, in no project
  let mia: Person; // maintains web (which reviews) and api
  let bo: Person; // contributes to web
  let cy: Person; // contributes to web
  let rea: Person; // reads web
  let web: string;
  let both: string;

  beforeAll(async () => {
    database = await openTestDatabase();
    const { doors } = database;
    ({ owner } = await makeTenant(doors, await makeOperator(database)));
    mia = await makePerson(doors, owner, 'Mia', { tenantRole: 'admin' });
    web = await makeProject(doors, mia, 'web');
    both = await makeGroup(doors, mia, 'both', [web, await makeProject(doors, mia, 'api')]);
    await doors.asTenant(owner, (tx) => tx.appUser.updateMany({ where: { id: mia.userId }, data: { role: 'member' } }));
    await doors.asTenant(mia, (tx) => tx.project.updateMany({ where: { id: web }, data: { reviewRequired: true } }));
    bo = await makePerson(doors, owner, 'Bo', { projectId: web });
    cy = await makePerson(doors, owner, 'Cy', { projectId: web });
    rea = await makePerson(doors, owner, 'Rea', { projectId: web, projectRole: 'reader' });
  });
  afterAll(() => database.close());

  const toWeb = (): { scope: 'project'; projectId: string } => ({ scope: 'project', projectId: web });
  const memory = async (author: Person = bo, text = 'what bo knows'): Promise<string> => {
    const id = await makeMemory(database.doors, author, { projectId: web, text });
    await makeEmbedding(database.doors, author, id);
    return id;
  };
  const read = async (reader: Person, id: string): Promise<Prisma.ProposalGetPayload<object> | undefined> =>
    (await database.doors.asTenant(reader, (tx) => tx.proposal.findMany({ where: { id } })))[0];
  const change = (person: Person, id: string, data: object): Promise<{ count: number }> =>
    database.doors.asTenant(person, (tx) => tx.memory.updateMany({ where: { id }, data }));
  const decline = (by: Person, id: string, reason: string): Promise<unknown> =>
    database.doors.asTenant(by, (tx) => tx.$executeRaw`select decline_proposal(${id}::uuid, ${reason})`);
  const withdraw = (by: Person, id: string): Promise<unknown> =>
    database.doors.asTenant(by, (tx) => tx.$executeRaw`select withdraw_proposal(${id}::uuid)`);
  const refused = async (work: Promise<unknown>): Promise<boolean> =>
    isRefused(await work.catch((error: unknown) => error));

  it('are what a contributor has where a project reviews: neither capture nor share goes in', async () => {
    const { doors } = database;
    expect(await refused(makeMemory(doors, bo, { scope: 'project', projectId: web }))).toBe(true);
    const id = await memory();
    await expect(shareMemory(doors, bo, id, toWeb())).rejects.toMatchObject({ code: 'review-required' });
    await expect(change(bo, id, { scope: 'project' })).rejects.toMatchObject({ code: 'review-required' });
    const mias = await memory(mia);
    await shareMemory(doors, mia, mias, toWeb());
    expect(await sees(doors, rea, mias)).toBe(true);
  });

  it('carry the words to who decides, and to nobody else', async () => {
    const id = await memory(bo, 'the words');
    const proposal = await propose(database.doors, bo, id, toWeb());
    expect(await read(mia, proposal)).toMatchObject({ text: 'the words', state: 'pending', revision: 1 });
    expect(await read(bo, proposal)).toMatchObject({ text: 'the words' });
    for (const person of [owner, cy, rea]) expect(await read(person, proposal)).toBeUndefined();
    expect(await sees(database.doors, mia, id)).toBe(false);
  });

  it('are made of one’s own memories, once at a time, for where one contributes', async () => {
    const { doors } = database;
    const id = await memory();
    expect(await refused(propose(doors, cy, id, toWeb()))).toBe(true);
    expect(await refused(propose(doors, bo, id, { scope: 'project', projectId: randomUUID() }))).toBe(true);
    expect(await refused(propose(doors, rea, await memory(rea), toWeb()))).toBe(true);
    await propose(doors, bo, id, { scope: 'tenant' });
    const second = await propose(doors, bo, id, toWeb()).catch((error: unknown) => error);
    expect(isUniqueViolation(second)).toBe(true);
  });

  it('widen when a maintainer approves, on record as his, and the copy goes', async () => {
    const { doors } = database;
    const id = await memory();
    const proposal = await propose(doors, bo, id, toWeb());
    expect(await approve(doors, mia, proposal)).toBe('approved');
    expect(await sees(doors, rea, id)).toBe(true);
    expect(await read(bo, proposal)).toMatchObject({
      state: 'approved',
      title: null,
      text: null,
      parts: null,
      decidedBy: mia.userId,
    });
    expect((await changesOf(doors, bo, id)).map(({ action, actorId }) => [action, actorId])).toEqual([
      ['approve', mia.userId],
    ]);
    await expect(approve(doors, mia, proposal)).rejects.toMatchObject({ kind: 'conflict', code: 'proposal-decided' });
  });

  it('reach a group through its maintainers and the tenant through its admins', async () => {
    const { doors } = database;
    const [one, two] = [await memory(), await memory()];
    const toGroup = await propose(doors, bo, one, { scope: 'group', projectId: web, groupId: both });
    const toTenant = await propose(doors, bo, two, { scope: 'tenant' });
    expect(await read(owner, toGroup)).toBeUndefined();
    expect(await read(mia, toTenant)).toBeUndefined();
    await expect(approve(doors, mia, toTenant)).rejects.toMatchObject({ code: 'no-such-proposal' });
    expect(await approve(doors, mia, toGroup)).toBe('approved');
    expect(await approve(doors, owner, toTenant)).toBe('approved');
    expect(await sees(doors, cy, one)).toBe(true);
    expect(await sees(doors, owner, one)).toBe(false);
    expect(await sees(doors, owner, two)).toBe(true);
  });

  it('are declined with a reason and withdrawn by who made them; neither shows anything', async () => {
    const { doors } = database;
    const id = await memory();
    const first = await propose(doors, bo, id, toWeb());
    await decline(mia, first, 'too long');
    expect(await read(bo, first)).toMatchObject({ state: 'declined', reason: 'too long', text: null });
    const second = await propose(doors, bo, id, toWeb());
    await expect(withdraw(mia, second)).rejects.toMatchObject({ code: 'not-the-decider' });
    await withdraw(bo, second);
    expect(await read(mia, second)).toMatchObject({ state: 'withdrawn', text: null });
    expect(await sees(doors, mia, id)).toBe(false);
  });

  it('are decided by nobody else; hidden ones answer like missing ones', async () => {
    const { doors } = database;
    const proposal = await propose(doors, bo, await memory(), toWeb());
    await expect(approve(doors, bo, proposal)).rejects.toMatchObject({ code: 'not-the-decider' });
    await expect(decline(bo, proposal, 'x')).rejects.toMatchObject({ code: 'not-the-decider' });
    for (const person of [cy, rea, owner]) {
      for (const id of [proposal, randomUUID()]) {
        const missing = { kind: 'not-found', code: 'no-such-proposal' };
        await expect(approve(doors, person, id)).rejects.toMatchObject(missing);
        await expect(decline(person, id, 'x')).rejects.toMatchObject(missing);
        await expect(withdraw(person, id)).rejects.toMatchObject(missing);
      }
    }
  });

  it.each([
    ['other words', { text: 'other', revision: 2 }],
    ['other tags, without a revision', { tags: ['x'] }],
    ['another audience', { projectId: null }],
    ['being forgotten', { state: 'forgotten' }],
  ])('go stale with %s, and take their copy with them', async (_, data) => {
    const id = await memory();
    const proposal = await propose(database.doors, bo, id, toWeb());
    await change(bo, id, data);
    expect(await read(mia, proposal)).toMatchObject({ state: 'stale', title: null, text: null, parts: null });
    await expect(approve(database.doors, mia, proposal)).rejects.toMatchObject({ code: 'proposal-decided' });
  });

  it('go stale when their proposer is put out of the project or the tenant, or reads only', async () => {
    const { doors } = database;
    const leave = async (
      isGone: boolean,
      event: (person: Person) => Promise<unknown>,
    ): Promise<Prisma.ProposalGetPayload<object>> => {
      const person = await makePerson(doors, owner, 'Lee', { projectId: web });
      const proposal = await propose(doors, person, await memory(person), toWeb());
      await event(person);
      // Who is gone leaves no words behind, decided or not; who only reads now is found out by who approves.
      if (!isGone) expect(await approve(doors, mia, proposal)).toBe('stale');
      const row = await read(mia, proposal);
      if (row === undefined) throw new Error('the proposal is gone');
      return row;
    };
    const put = await leave(true, ({ userId }) =>
      doors.asTenant(owner, (tx) => tx.membership.deleteMany({ where: { userId } })),
    );
    const removed = await leave(true, ({ userId }) =>
      doors.asTenant(owner, (tx) => tx.appUser.updateMany({ where: { id: userId }, data: { status: 'removed' } })),
    );
    const reads = await leave(false, ({ userId }) =>
      doors.asTenant(owner, (tx) => tx.membership.updateMany({ where: { userId }, data: { role: 'reader' } })),
    );
    for (const row of [put, removed, reads]) expect(row).toMatchObject({ state: 'stale', text: null });
  });

  it('two decisions at once make one', async () => {
    const proposal = await propose(database.doors, bo, await memory(), toWeb());
    const decisions = await Promise.allSettled([
      approve(database.doors, mia, proposal),
      decline(mia, proposal, 'no'),
      withdraw(bo, proposal),
    ]);
    expect(decisions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('protect what was approved: its owner archives it or takes it back, and changes no word of it there', async () => {
    const { doors } = database;
    const id = await memory();
    await approve(doors, mia, await propose(doors, bo, id, toWeb()));
    await expect(change(bo, id, { text: 'other words' })).rejects.toMatchObject({ code: 'review-required' });
    expect(await change(bo, id, { state: 'archived' })).toEqual({ count: 1 });
    const [approved] = await changesOf(doors, bo, id);
    await expect(undoChange(doors, mia, approved?.id ?? '')).rejects.toMatchObject({ code: 'not-the-owner' });
    await undoChange(doors, bo, approved?.id ?? '');
    expect(await sees(doors, mia, id)).toBe(false);
    const other = await memory();
    await approve(doors, mia, await propose(doors, bo, other, toWeb()));
    await demoteMemory(doors, bo, other, { scope: 'private', projectId: web });
    const back = (await changesOf(doors, bo, other)).at(-1)?.id ?? '';
    await expect(undoChange(doors, bo, back)).rejects.toMatchObject({ code: 'review-required' });
  });
});
