import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRefused } from '@tempera/platform';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { castVote, makeEmbedding, makeMemory, makeRetrieval } from '../support/memories.js';
import { addMember, makeOperator, makePerson, makeProject, makeTenant, type Person } from '../support/people.js';
import { changesOf, demoteMemory, joinGroup, leaveGroup, makeGroup, sees, shareMemory } from '../support/scopes.js';

const refusal = async (work: Promise<unknown>): Promise<boolean> =>
  isRefused(await work.catch((error: unknown) => error));

describe('groups of projects', () => {
  let database: TestDatabase;
  let owner: Person;
  let ann: Person; // maintains web and api
  let ben: Person; // maintains ops
  let cy: Person; // contributes to web
  let dan: Person; // reads api
  let eve: Person; // contributes to ops
  let web: string;
  let api: string;
  let ops: string;

  beforeAll(async () => {
    database = await openTestDatabase();
    const { doors } = database;
    ({ owner } = await makeTenant(doors, await makeOperator(database)));
    ann = await makePerson(doors, owner, 'Ann', { tenantRole: 'admin' });
    ben = await makePerson(doors, owner, 'Ben', { tenantRole: 'admin' });
    web = await makeProject(doors, ann, 'web');
    api = await makeProject(doors, ann, 'api');
    ops = await makeProject(doors, ben, 'ops');
    await doors.asTenant(owner, (tx) =>
      tx.appUser.updateMany({ where: { id: { in: [ann.userId, ben.userId] } }, data: { role: 'member' } }),
    );
    cy = await makePerson(doors, owner, 'Cy', { projectId: web });
    dan = await makePerson(doors, owner, 'Dan', { projectId: api, projectRole: 'reader' });
    eve = await makePerson(doors, owner, 'Eve', { projectId: ops });
  });
  afterAll(() => database.close());

  let slugs = 0;
  const group = (maker: Person, projects: readonly string[]): Promise<string> =>
    makeGroup(database.doors, maker, `group-${(slugs += 1)}`, projects);
  const ofGroup = async (author: Person, groupId: string, projectId: string): Promise<string> => {
    const id = await makeMemory(database.doors, author, { scope: 'group', projectId, groupId });
    await makeEmbedding(database.doors, author, id);
    return id;
  };
  const seenBy = async (id: string): Promise<string[]> => {
    const people = [owner, ann, ben, cy, dan, eve];
    const seen = await Promise.all(people.map((person) => sees(database.doors, person, id)));
    return people.filter((_, n) => seen[n]).map(({ name }) => name);
  };

  it('show a memory to the members of their projects, and to nobody else, an owner of the tenant included', async () => {
    const id = await ofGroup(ann, await group(ann, [web, api]), web);
    expect(await seenBy(id)).toEqual(['Ann', 'Cy', 'Dan']);
  });

  it('show it to a project that joins, and no longer to one that left, at the next statement', async () => {
    const both = await group(ann, [web, api]);
    const id = await ofGroup(ann, both, web);
    await joinGroup(database.doors, owner, both, ops);
    expect(await seenBy(id)).toEqual(['Ann', 'Ben', 'Cy', 'Dan', 'Eve']);
    expect(await leaveGroup(database.doors, ben, both, ops)).toBe(1);
    expect(await seenBy(id)).toEqual(['Ann', 'Cy', 'Dan']);
  });

  it('are begun by their maker, and joined by who maintains both sides, or by an admin', async () => {
    const { doors } = database;
    const own = await group(ben, []);
    expect(await refusal(joinGroup(doors, ann, own, web))).toBe(true); // made by another
    await joinGroup(doors, ben, own, ops);
    expect(await refusal(joinGroup(doors, ann, own, web))).toBe(true); // maintains nothing in it
    expect(await refusal(joinGroup(doors, ben, own, web))).toBe(true); // a project that is not his
    await joinGroup(doors, owner, own, web);
    await joinGroup(doors, ann, own, api);
    expect(await refusal(group(cy, []))).toBe(true);
    const foreign = await group(ann, [web]);
    expect(await leaveGroup(doors, ben, foreign, web)).toBe(0);
    expect(await leaveGroup(doors, cy, foreign, web)).toBe(0);
  });

  it('can no longer be begun by a maker once a project has joined and left again through others', async () => {
    const own = await group(ben, [ops]);
    await joinGroup(database.doors, owner, own, web);
    await leaveGroup(database.doors, owner, own, ops);
    expect(await refusal(joinGroup(database.doors, ben, own, ops))).toBe(true);
  });

  it('take captures and shares of their maintainers only, for a project that is in them', async () => {
    const { doors } = database;
    const both = await group(ann, [web, api]);
    const capture = (author: Person, projectId: string): Promise<string> => ofGroup(author, both, projectId);
    expect(await refusal(capture(cy, web))).toBe(true);
    expect(await refusal(capture(dan, api))).toBe(true);
    expect(await refusal(capture(ben, ops))).toBe(true);
    expect(await refusal(capture(owner, web))).toBe(true);
    const mine = await makeMemory(doors, cy, { projectId: web });
    expect(await refusal(shareMemory(doors, cy, mine, { scope: 'group', projectId: web, groupId: both }))).toBe(true);
    const anns = await makeMemory(doors, ann);
    const outside = { scope: 'group', projectId: ops, groupId: both } as const;
    expect(await refusal(shareMemory(doors, ann, anns, outside))).toBe(true);
    await shareMemory(doors, ann, anns, { scope: 'group', projectId: api, groupId: both });
    await makeEmbedding(doors, ann, anns);
    expect(await seenBy(anns)).toEqual(['Ann', 'Cy', 'Dan']);
  });

  it('let maintainers of their projects pin and archive what others shared, and not move it', async () => {
    const { doors } = database;
    const all = await group(ann, [web, api]);
    await joinGroup(doors, owner, all, ops);
    const id = await ofGroup(ann, all, web);
    const change = (person: Person, data: object): Promise<{ count: number }> =>
      doors.asTenant(person, (tx) => tx.memory.updateMany({ where: { id }, data }));
    expect(await change(ben, { pinned: true, state: 'archived' })).toEqual({ count: 1 });
    expect(await change(cy, { pinned: false })).toEqual({ count: 0 });
    expect(await change(eve, { pinned: false })).toEqual({ count: 0 });
    const moves = { code: 'not-the-owner' };
    await expect(demoteMemory(doors, ben, id, { scope: 'private' })).rejects.toMatchObject(moves);
    await expect(demoteMemory(doors, cy, id, { scope: 'private' })).rejects.toMatchObject(moves);
    expect(await refusal(change(ben, { scope: 'private', groupId: null }))).toBe(true);
    expect(await changesOf(doors, ben, id)).toEqual([]);
  });

  it('are not deleted, nor left by the project, nor lose it, while memories of it are in them', async () => {
    const { doors } = database;
    const both = await group(ann, [web, api]);
    const id = await ofGroup(ann, both, web);
    const full = { kind: 'conflict', code: 'group-not-empty' };
    await expect(leaveGroup(doors, ann, both, web)).rejects.toMatchObject(full);
    const drop = (): Promise<unknown> =>
      doors.asTenant(owner, (tx) => tx.projectGroup.deleteMany({ where: { id: both } }));
    await expect(drop()).rejects.toMatchObject(full);
    const project = doors.asTenant(owner, (tx) => tx.project.deleteMany({ where: { id: web } }));
    await expect(project).rejects.toMatchObject(full);
    expect(await seenBy(id)).toEqual(['Ann', 'Cy', 'Dan']);
    // The other project has nothing there and may go.
    expect(await leaveGroup(doors, ann, both, api)).toBe(1);
  });

  it('are emptied by moving memories back to their projects, which narrows and never widens', async () => {
    const { doors } = database;
    const both = await group(ann, [web, api]);
    const fromWeb = await ofGroup(ann, both, web);
    const fromApi = await ofGroup(ann, both, api);
    const back = (by: Person, project: string | null): Promise<unknown> =>
      doors.asTenant(by, (tx) => tx.$executeRaw`select return_group_memories(${both}::uuid, ${project}::uuid)`);
    for (const person of [ben, cy, dan]) expect(await refusal(back(person, web))).toBe(true);
    expect(await refusal(back(ann, null))).toBe(true); // all of them: an admin's
    await back(ann, web);
    expect([await seenBy(fromWeb), await seenBy(fromApi)]).toEqual([
      ['Ann', 'Cy'],
      ['Ann', 'Cy', 'Dan'],
    ]);
    expect(await leaveGroup(doors, ann, both, web)).toBe(1);
    await back(owner, null);
    expect(await seenBy(fromApi)).toEqual(['Ann', 'Dan']);
    const gone = await doors.asTenant(owner, (tx) => tx.projectGroup.deleteMany({ where: { id: both } }));
    expect(gone.count).toBe(1);
    expect((await changesOf(doors, ann, fromApi)).map(({ action, actorId }) => [action, actorId])).toEqual([
      ['demote', owner.userId],
    ]);
  });

  it('halve the author’s own votes like every shared audience, and give them back with privacy', async () => {
    const { doors } = database;
    const both = await group(ann, [web, api]);
    const id = await makeMemory(doors, ann, { projectId: web });
    await makeRetrieval(doors, ann, [id]);
    await castVote(doors, ann, id, true);
    const weight = async (): Promise<number | undefined> =>
      (
        await doors.asTenant(ann, (tx) =>
          tx.memoryStat.findFirst({ where: { memoryId: id }, omit: { lentFrom: true } }),
        )
      )?.helpful;
    expect(await weight()).toBe(1);
    await shareMemory(doors, ann, id, { scope: 'group', projectId: web, groupId: both });
    expect(await weight()).toBe(0.5);
    await demoteMemory(doors, ann, id, { scope: 'private', projectId: web });
    expect(await weight()).toBe(1);
  });

  it('stay closed to who is put out of the project, also for his own memory there', async () => {
    const { doors } = database;
    const both = await group(ann, [web, api]);
    const zoe = await makePerson(doors, owner, 'Zoe', { projectId: api, projectRole: 'maintainer' });
    const id = await ofGroup(zoe, both, api);
    await doors.asTenant(owner, (tx) => tx.membership.deleteMany({ where: { projectId: api, userId: zoe.userId } }));
    expect(await sees(doors, zoe, id)).toBe(false);
    await expect(demoteMemory(doors, zoe, id, { scope: 'private' })).rejects.toMatchObject({ code: 'no-such-memory' });
    await addMember(doors, owner, web, zoe.userId);
    expect(await sees(doors, zoe, id)).toBe(true);
    await demoteMemory(doors, zoe, id, { scope: 'private', projectId: api });
    expect(await seenBy(id)).toEqual([]);
  });
});
