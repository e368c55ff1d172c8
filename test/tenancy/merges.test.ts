import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRefused, sqlStateOf, type Prisma } from '@tempera/platform';
import { asSuperuser } from '../support/cluster.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { castVote, makeMemory, makeRetrieval } from '../support/memories.js';
import { makeOperator, makePerson, makeProject, makeTenant, type Person } from '../support/people.js';

describe('memories that are merged', () => {
  let database: TestDatabase;
  let owner: Person; // maintains rocket
  let bo: Person;
  let cy: Person;
  let projectId: string;

  beforeAll(async () => {
    database = await openTestDatabase();
    ({ owner } = await makeTenant(database.doors, await makeOperator(database)));
    projectId = await makeProject(database.doors, owner, 'rocket');
    bo = await makePerson(database.doors, owner, 'Bo', { projectId });
    cy = await makePerson(database.doors, owner, 'Cy', { projectId });
  });
  afterAll(() => database.close());

  const shared = (by = bo): Promise<string> => makeMemory(database.doors, by, { scope: 'project', projectId });
  const statOf = async (memoryId: string): Promise<Prisma.MemoryStatGetPayload<object>> => {
    const stat = await database.doors.asWorker(owner.tenantId, (tx) =>
      tx.memoryStat.findFirst({ where: { memoryId } }),
    );
    if (stat === null) throw new Error('no statistics');
    return stat;
  };
  const merge = (by: Person, id: string, into: string): Promise<number> =>
    database.doors.asTenant(
      by,
      (tx) => tx.$executeRaw`update memory set state = 'archived', merged_into = ${into}::uuid where id = ${id}::uuid`,
    );
  const refusal = async (work: Promise<unknown>): Promise<string> => {
    try {
      return `done ${String(await work)}`;
    } catch (error) {
      return isRefused(error) ? 'refused' : (sqlStateOf(error) ?? String(Reflect.get(Object(error), 'code')));
    }
  };
  const voteOn = async (by: Person, id: string, day: number, helpful = true): Promise<void> => {
    const at = new Date(Date.UTC(2026, 9, day, 8));
    await castVote(database.doors, by, id, helpful, {
      at,
      retrievalId: await makeRetrieval(database.doors, by, [id], { at }),
    });
  };

  it('are merged by who maintains both, into one in use of the same audience and kind, and never in a ring', async () => {
    const [one, two, three] = [await shared(), await shared(), await shared()];
    const own = await makeMemory(database.doors, bo);
    const decided = await makeMemory(database.doors, bo, { scope: 'project', projectId, kind: 'decision' });
    expect(await refusal(merge(bo, one, two))).toBe('not-alike');
    expect(await refusal(merge(owner, one, randomUUID()))).toBe('refused');
    expect(await refusal(merge(owner, one, own))).toBe('refused');
    for (const into of [decided, one]) expect(await refusal(merge(owner, one, into))).toBe('not-alike');
    expect(await refusal(merge(bo, own, two))).toBe('not-alike');
    expect(await refusal(merge(owner, one, two))).toBe('done 1');
    expect(await refusal(merge(owner, two, one))).toBe('not-alike');
    expect(await refusal(merge(owner, three, one))).toBe('not-alike');
    expect(await refusal(merge(owner, one, three))).toBe('not-alike');
    const worker = (id: string, into: string): Promise<number> =>
      database.doors.asWorker(
        owner.tenantId,
        (tx) =>
          tx.$executeRaw`update memory set state = 'archived', merged_into = ${into}::uuid where id = ${id}::uuid`,
      );
    expect(await refusal(worker(await shared(cy), three))).toBe('not-alike');
    expect(await refusal(worker(two, three))).toBe('done 1');
  });

  it('count as one: each person’s day once, an author’s word half, askings without the same person’s same day', async () => {
    const [source, survivor] = [await shared(bo), await shared(cy)];
    await voteOn(owner, source, 1);
    await voteOn(owner, survivor, 1);
    await voteOn(owner, survivor, 2);
    await voteOn(bo, source, 3);
    const [before, alone] = [await statOf(source), await statOf(survivor)];
    expect(alone).toMatchObject({ askedRetrievals: 2, helpfulVoters: 1 });
    await merge(owner, source, survivor);
    const joined = await statOf(survivor);
    expect(joined).toMatchObject({ askedRetrievals: 3, joinedAsked: 1, helpfulVoters: 2, helpfulOthers: 1 });
    expect(joined.helpful).toBeCloseTo(Math.log2(3) + 0.5, 12);
    // A vote on what was merged counts for what stands for it, and so does taking it back.
    await voteOn(cy, survivor, 4);
    await database.doors.asTenant(bo, (tx) => tx.vote.deleteMany({ where: { userId: bo.userId, memoryId: source } }));
    expect(await statOf(survivor)).toMatchObject({ askedRetrievals: 4, helpfulVoters: 2, helpfulOthers: 1 });
    // Shown to somebody who was shown the source that day: the same asking.
    const at = new Date(Date.UTC(2026, 9, 3, 20));
    await makeRetrieval(database.doors, bo, [survivor], { at });
    expect(await statOf(survivor)).toMatchObject({ askedRetrievals: 4, joinedAsked: 0 });
    await database.doors.asTenant(owner, (tx) =>
      tx.memory.updateMany({ where: { id: source }, data: { state: 'active' } }),
    );
    expect(await statOf(survivor)).toMatchObject({ askedRetrievals: 4, joinedAsked: 0, helpfulVoters: 2 });
    expect(await statOf(source)).toMatchObject({ askedRetrievals: before.askedRetrievals, helpfulVoters: 1 });
  });

  it('weigh half once the survivor says something else, and as before when it is the source’s own text again', async () => {
    const [source, survivor] = [await shared(), await shared()];
    await voteOn(owner, source, 1);
    await merge(owner, source, survivor);
    expect((await statOf(survivor)).helpful).toBe(1);
    await database.doors.asTenant(
      bo,
      (tx) => tx.$executeRaw`update memory set revision = revision + 1, text = 'other', says_other = true
        where id = ${survivor}::uuid`,
    );
    expect((await statOf(survivor)).helpful).toBe(0.5);
    await database.doors.asTenant(owner, (tx) =>
      tx.memory.updateMany({ where: { id: source }, data: { state: 'active' } }),
    );
    expect([(await statOf(survivor)).helpful, (await statOf(source)).helpful]).toEqual([0, 1]);
  });

  it('part when one of them moves or is erased, either way round', async () => {
    const rowOf = (id: string): Promise<Prisma.MemoryGetPayload<object> | null> =>
      database.doors.asTenant(bo, (tx) => tx.memory.findFirst({ where: { id } }) as never);
    for (const end of ['source moves', 'survivor moves', 'source erased', 'survivor erased'] as const) {
      const [source, survivor] = [await shared(), await shared()];
      await voteOn(owner, source, 1);
      await merge(owner, source, survivor);
      const subject = end.startsWith('source') ? source : survivor;
      if (end.endsWith('moves')) {
        await database.doors.asTenant(
          bo,
          (tx) => tx.$executeRaw`select demote_memory(${subject}::uuid, 'private', ${projectId}::uuid, null)`,
        );
      } else {
        await asSuperuser(database.adminUrl, (client) => client.query('delete from memory where id = $1', [subject]));
      }
      const left = await rowOf(end === 'source erased' ? survivor : source);
      expect([end, left?.state, left?.mergedInto]).toEqual([end, 'active', null]);
      if (end !== 'survivor erased') expect((await statOf(survivor)).helpful).toBe(0);
    }
  });
});
