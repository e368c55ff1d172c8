import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRefused } from '@tempera/platform';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { castVote, makeEmbedding, makeMemory, makeRetrieval } from '../support/memories.js';
import { makeOperator, makePerson, makeProject, makeTenant, type Person } from '../support/people.js';
import {
  changesOf,
  demoteMemory,
  makeGroup,
  sees,
  shareMemory,
  transferMemory,
  undoChange,
} from '../support/scopes.js';

describe('the audience of a memory', () => {
  let database: TestDatabase;
  let owner: Person; // maintains web and api
  let bo: Person; // contributes to web
  let cy: Person; // contributes to web
  let rea: Person; // reads web
  let web: string;
  let api: string;
  let both: string;

  beforeAll(async () => {
    database = await openTestDatabase();
    const { doors } = database;
    ({ owner } = await makeTenant(doors, await makeOperator(database)));
    web = await makeProject(doors, owner, 'web');
    api = await makeProject(doors, owner, 'api');
    both = await makeGroup(doors, owner, 'both', [web, api]);
    bo = await makePerson(doors, owner, 'Bo', { projectId: web });
    cy = await makePerson(doors, owner, 'Cy', { projectId: web });
    rea = await makePerson(doors, owner, 'Rea', { projectId: web, projectRole: 'reader' });
  });
  afterAll(() => database.close());

  const memory = async (author: Person, scope: 'private' | 'project' = 'private'): Promise<string> => {
    const id = await makeMemory(database.doors, author, { projectId: web, scope });
    await makeEmbedding(database.doors, author, id);
    return id;
  };
  const refused = async (work: Promise<unknown>): Promise<boolean> =>
    isRefused(await work.catch((error: unknown) => error));
  const lastChange = async (reader: Person, id: string): Promise<string> =>
    (await changesOf(database.doors, reader, id)).at(-1)?.id ?? '';

  it('is widened and narrowed by the owner, each change on record', async () => {
    const { doors } = database;
    const id = await memory(owner);
    await shareMemory(doors, owner, id, { scope: 'project', projectId: web });
    expect(await sees(doors, rea, id)).toBe(true);
    await shareMemory(doors, owner, id, { scope: 'group', projectId: web, groupId: both });
    await shareMemory(doors, owner, id, { scope: 'tenant' });
    await demoteMemory(doors, owner, id, { scope: 'group', projectId: api, groupId: both });
    await demoteMemory(doors, owner, id, { scope: 'project', projectId: web });
    await demoteMemory(doors, owner, id, { scope: 'private', projectId: web });
    expect(await sees(doors, rea, id)).toBe(false);
    const changes = await changesOf(doors, owner, id);
    expect(changes.map(({ number, action, fromScope, toScope }) => [number, action, fromScope, toScope])).toEqual([
      [1, 'share', 'private', 'project'],
      [2, 'share', 'project', 'group'],
      [3, 'share', 'group', 'tenant'],
      [4, 'demote', 'tenant', 'group'],
      [5, 'demote', 'group', 'project'],
      [6, 'demote', 'project', 'private'],
    ]);
    expect(changes[1]).toMatchObject({ toGroupId: both, toProjectId: web, actorId: owner.userId });
  });

  it('does not change by asking for what is there, and not the other way round', async () => {
    const { doors } = database;
    const id = await memory(owner, 'project');
    await shareMemory(doors, owner, id, { scope: 'project', projectId: web });
    expect(await changesOf(doors, owner, id)).toEqual([]);
    const wrong = { kind: 'conflict', code: 'wrong-direction' };
    await expect(shareMemory(doors, owner, id, { scope: 'private' })).rejects.toMatchObject(wrong);
    await expect(demoteMemory(doors, owner, id, { scope: 'tenant' })).rejects.toMatchObject(wrong);
    const elsewhere = { scope: 'group', projectId: api, groupId: both } as const;
    await expect(shareMemory(doors, owner, id, elsewhere)).rejects.toMatchObject(wrong);
  });

  it('is never widened beyond what capturing there takes', async () => {
    const { doors } = database;
    const bos = await memory(bo);
    await shareMemory(doors, bo, bos, { scope: 'project', projectId: web });
    expect(await refused(shareMemory(doors, bo, bos, { scope: 'tenant' }))).toBe(true);
    expect(await refused(shareMemory(doors, bo, bos, { scope: 'project', projectId: api }))).toBe(true);
    const reas = await memory(rea);
    expect(await refused(shareMemory(doors, rea, reas, { scope: 'project', projectId: web }))).toBe(true);
    expect(await sees(doors, bo, reas)).toBe(false);
  });

  it('is nobody’s to move but the owner’s; hidden and missing memories answer alike', async () => {
    const { doors } = database;
    const shared = await memory(bo, 'project');
    const hidden = await memory(bo);
    for (const work of [
      () => shareMemory(doors, owner, shared, { scope: 'tenant' }),
      () => demoteMemory(doors, owner, shared, { scope: 'private' }),
      () => transferMemory(doors, owner, shared, cy),
      () => shareMemory(doors, rea, shared, { scope: 'tenant' }),
    ]) {
      await expect(work()).rejects.toMatchObject({ kind: 'forbidden', code: 'not-the-owner' });
    }
    for (const id of [hidden, randomUUID()]) {
      for (const work of [
        () => shareMemory(doors, owner, id, { scope: 'tenant' }),
        () => demoteMemory(doors, owner, id, { scope: 'private' }),
        () => transferMemory(doors, owner, id, cy),
      ]) {
        await expect(work()).rejects.toMatchObject({ kind: 'not-found', code: 'no-such-memory' });
      }
    }
  });

  it('is taken back by an owner who could not share there any more', async () => {
    const { doors } = database;
    const zed = await makePerson(doors, owner, 'Zed', { projectId: web });
    const id = await memory(zed, 'project');
    await doors.asTenant(owner, (tx) =>
      tx.membership.updateMany({ where: { userId: zed.userId }, data: { role: 'reader' } }),
    );
    const edit = doors.asTenant(zed, (tx) => tx.memory.updateMany({ where: { id }, data: { title: 'x' } }));
    expect(await refused(edit)).toBe(true);
    await demoteMemory(doors, zed, id, { scope: 'private', projectId: web });
    expect(await sees(doors, owner, id)).toBe(false);
    expect(await refused(undoChange(doors, zed, await lastChange(zed, id)))).toBe(true);
  });

  it('comes back exactly by undo, once, and while nothing changed since', async () => {
    const { doors } = database;
    const id = await memory(owner, 'project');
    await shareMemory(doors, owner, id, { scope: 'group', projectId: web, groupId: both });
    const toGroup = await lastChange(owner, id);
    await shareMemory(doors, owner, id, { scope: 'tenant' });
    const toTenant = await lastChange(owner, id);
    const changed = { kind: 'conflict', code: 'audience-changed' };
    await expect(undoChange(doors, owner, toGroup)).rejects.toMatchObject(changed);
    await undoChange(doors, owner, toTenant);
    await expect(undoChange(doors, owner, toTenant)).rejects.toMatchObject(changed);
    await undoChange(doors, owner, toGroup);
    const [row] = await doors.asTenant(owner, (tx) => tx.memory.findMany({ where: { id } }));
    expect(row).toMatchObject({ scope: 'project', projectId: web, groupId: null });
    const changes = await changesOf(doors, owner, id);
    expect(changes.map(({ action }) => action)).toEqual(['share', 'share', 'undo', 'undo']);
    expect(changes.map(({ undoneBy }) => undoneBy)).toEqual([changes[3]?.id, changes[2]?.id, null, null]);
    await expect(undoChange(doors, owner, changes[3]?.id ?? '')).rejects.toMatchObject(changed);
  });

  it('undo claimed for another change is recorded as what it is', async () => {
    const { doors } = database;
    const [one, two] = [await memory(owner), await memory(owner)];
    await shareMemory(doors, owner, one, { scope: 'tenant' });
    const change = await lastChange(owner, one);
    await doors.asTenant(owner, async (tx) => {
      await tx.$queryRaw`select set_config('app.undoes', ${change}, true)`;
      await tx.$executeRaw`select share_memory(${two}::uuid, 'project', ${web}::uuid, null)`;
    });
    expect((await changesOf(doors, owner, two)).map(({ action }) => action)).toEqual(['share']);
    expect((await changesOf(doors, owner, one))[0]?.undoneBy).toBeNull();
  });

  it('of two undos at once one wins', async () => {
    const { doors } = database;
    const id = await memory(owner);
    await shareMemory(doors, owner, id, { scope: 'tenant' });
    const change = await lastChange(owner, id);
    const results = await Promise.allSettled([1, 2, 3].map(() => undoChange(doors, owner, change)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await changesOf(doors, owner, id)).map(({ action }) => action)).toEqual(['share', 'undo']);
  });

  it('is given to who could have captured there; then it is his, and his vote stays a colleague’s', async () => {
    const { doors } = database;
    const id = await memory(bo, 'project');
    await makeRetrieval(doors, cy, [id]);
    await castVote(doors, cy, id, true);
    await expect(transferMemory(doors, bo, id, rea)).rejects.toMatchObject({ code: 'cannot-receive' });
    await expect(transferMemory(doors, bo, id, { ...rea, userId: randomUUID() })).rejects.toMatchObject({
      code: 'cannot-receive',
    });
    await transferMemory(doors, bo, id, cy);
    const stat = await doors.asTenant(cy, (tx) =>
      tx.memoryStat.findFirst({ where: { memoryId: id }, omit: { lentFrom: true } }),
    );
    expect(stat).toMatchObject({ helpful: 1, helpfulOthers: 1 });
    await expect(demoteMemory(doors, bo, id, { scope: 'private' })).rejects.toMatchObject({ code: 'not-the-owner' });
    expect(await changesOf(doors, bo, id)).toEqual([]);
    const [change] = await changesOf(doors, cy, id);
    expect(change).toMatchObject({ action: 'transfer', fromOwnerId: bo.userId, toOwnerId: cy.userId });
    await undoChange(doors, cy, change?.id ?? '');
    expect((await changesOf(doors, bo, id)).map(({ action }) => action)).toEqual(['transfer', 'undo']);
  });

  it('never goes with a private memory, and that of a removed user goes by the hand of an admin who sees it', async () => {
    const { doors } = database;
    const gus = await makePerson(doors, owner, 'Gus', { projectId: web });
    const hidden = await memory(gus);
    const shared = await memory(gus, 'project');
    await expect(transferMemory(doors, gus, hidden, bo)).rejects.toMatchObject({ code: 'no-such-memory' });
    await expect(transferMemory(doors, owner, shared, bo)).rejects.toMatchObject({ code: 'not-the-owner' }); // still here
    await doors.asTenant(owner, (tx) =>
      tx.appUser.updateMany({ where: { id: gus.userId }, data: { status: 'removed' } }),
    );
    await expect(transferMemory(doors, bo, shared, cy)).rejects.toMatchObject({ code: 'not-the-owner' });
    await expect(transferMemory(doors, owner, shared, rea)).rejects.toMatchObject({ code: 'cannot-receive' });
    const outside = await makePerson(doors, owner, 'Out', { tenantRole: 'admin' });
    await expect(transferMemory(doors, outside, shared, bo)).rejects.toMatchObject({ code: 'no-such-memory' });
    await transferMemory(doors, owner, shared, bo);
    await demoteMemory(doors, bo, shared, { scope: 'private', projectId: web });
    expect(await sees(doors, owner, hidden)).toBe(false);
    await expect(transferMemory(doors, owner, hidden, bo)).rejects.toMatchObject({ code: 'no-such-memory' });
  });

  it('changes with its neighbours: the old ones go, new ones are looked for', async () => {
    const { doors } = database;
    const [one, two] = [await memory(owner), await memory(owner)];
    await doors.asTenant(owner, (tx) =>
      tx.link.createMany({
        data: { tenantId: owner.tenantId, fromId: one, toId: two, kind: 'neighbour', weight: 0.9 },
      }),
    );
    await shareMemory(doors, owner, two, { scope: 'project', projectId: web });
    expect(await doors.asWorker(owner.tenantId, (tx) => tx.link.count({ where: { fromId: one } }))).toBe(0);
    const promised = await doors.asWorker(owner.tenantId, (tx) => tx.outbox.count({ where: { subjectId: two } }));
    expect(promised).toBe(1);
  });
});
