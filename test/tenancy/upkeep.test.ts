import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRefused, type Prisma } from '@tempera/platform';
import { castVote, makeEmbedding, makeMemory, makeRetrieval } from '../support/memories.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { makeOperator, makePerson, makeProject, makeTenant, type Person } from '../support/people.js';

const day = 86_400_000;

describe('what keeps itself', () => {
  let database: TestDatabase;
  let owner: Person;
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

  const statOf = async (memoryId: string): Promise<Prisma.MemoryStatGetPayload<object>> => {
    const stat = await database.doors.asWorker(owner.tenantId, (tx) =>
      tx.memoryStat.findFirst({ where: { memoryId } }),
    );
    if (stat === null) throw new Error('no statistics');
    return stat;
  };
  const shared = (): Promise<string> => makeMemory(database.doors, owner, { scope: 'project', projectId });
  const show = (person: Person, memoryId: string, at = new Date()): Promise<string> =>
    makeRetrieval(database.doors, person, [memoryId], { at });

  it('a memory starts with neutral evidence, useful since its capture', async () => {
    const endedAt = new Date('2026-11-01T10:00:00Z');
    const id = await makeMemory(database.doors, owner, { endedAt });
    expect(await statOf(id)).toMatchObject({ evidence: 0.5, helpful: 0, unhelpful: 0, lastUsefulAt: endedAt });
  });

  it('days with votes of one sign by one person weigh min(3, log2(1 + n))', async () => {
    const id = await shared();
    const voteOn = async (n: number, times = 1): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        const at = new Date(Date.UTC(2026, 10, n, time));
        await castVote(database.doors, bo, id, true, { at, retrievalId: await show(bo, id, at) });
      }
    };
    await voteOn(1, 5);
    expect((await statOf(id)).helpful).toBe(1);
    await voteOn(2);
    await voteOn(3);
    expect((await statOf(id)).helpful).toBeCloseTo(2, 12);
    expect((await statOf(id)).evidence).toBeCloseTo(3 / 4, 12);
    for (let n = 4; n <= 9; n += 1) await voteOn(n);
    expect((await statOf(id)).helpful).toBe(3);
    expect(await statOf(id)).toMatchObject({ helpfulVoters: 1, helpfulOthers: 1 });
  });

  it('of one person’s votes of a day the last one speaks, and the one before when that is taken back', async () => {
    const id = await shared();
    const [morning, noon] = [new Date('2026-11-02T08:00:00Z'), new Date('2026-11-02T12:00:00Z')];
    await castVote(database.doors, bo, id, true, { at: morning, retrievalId: await show(bo, id, morning) });
    const retrievalId = await show(bo, id, noon);
    await castVote(database.doors, bo, id, false, { at: noon, retrievalId });
    expect(await statOf(id)).toMatchObject({ helpful: 0, unhelpful: 1, helpfulVoters: 0 });
    await database.doors.asTenant(bo, (tx) => tx.vote.deleteMany({ where: { retrievalId } }));
    expect(await statOf(id)).toMatchObject({ helpful: 1, unhelpful: 0, helpfulVoters: 1 });
  });

  it('the author’s own votes weigh half while the memory is shared, and fully while it is private', async () => {
    const id = await makeMemory(database.doors, owner, { projectId });
    await show(owner, id);
    await castVote(database.doors, owner, id, true);
    expect((await statOf(id)).helpful).toBe(1);
    await database.doors.asTenant(owner, (tx) => tx.memory.updateMany({ where: { id }, data: { scope: 'project' } }));
    expect(await statOf(id)).toMatchObject({ helpful: 0.5, helpfulVoters: 1, helpfulOthers: 0 });
  });

  it('the last vote on a retrieval stands, and a withdrawn one counts for nothing', async () => {
    const id = await shared();
    const retrievalId = await show(bo, id);
    expect(await castVote(database.doors, bo, id, true)).toBe(retrievalId);
    await castVote(database.doors, bo, id, false);
    expect(await statOf(id)).toMatchObject({ helpful: 0, unhelpful: 1, unhelpfulVoters: 1 });
    expect((await statOf(id)).evidence).toBeCloseTo(1 / 3, 12);
    await database.doors.asTenant(bo, (tx) => tx.vote.deleteMany({ where: { retrievalId } }));
    expect(await statOf(id)).toMatchObject({ evidence: 0.5, unhelpful: 0, unhelpfulVoters: 0 });
  });

  it('parallel votes of several people all count', async () => {
    const id = await shared();
    const people = [owner, bo, cy];
    for (const person of people) await show(person, id);
    await Promise.all(people.map((person) => castVote(database.doors, person, id, true)));
    expect(await statOf(id)).toMatchObject({ helpful: 2.5, helpfulVoters: 3, helpfulOthers: 2 });
  });

  it('a helpful vote that stands makes the memory useful again, an unhelpful one does not', async () => {
    const endedAt = new Date('2026-11-01T10:00:00Z');
    const id = await makeMemory(database.doors, owner, { scope: 'project', projectId, endedAt });
    const at = new Date('2026-11-05T10:00:00Z');
    const retrievalId = await show(bo, id, at);
    await castVote(database.doors, bo, id, true, { at });
    expect((await statOf(id)).lastUsefulAt).toEqual(at);
    await castVote(database.doors, bo, id, false, { at: new Date('2026-11-06T10:00:00Z'), retrievalId });
    expect((await statOf(id)).lastUsefulAt).toEqual(endedAt);
  });

  it('asked retrievals count once a person and day, injected ones never; every hit counts as shown', async () => {
    const id = await shared();
    const monday = new Date('2026-11-02T08:00:00Z');
    await show(bo, id, monday);
    await show(bo, id, new Date(monday.getTime() + 3_600_000));
    await show(cy, id, monday);
    await show(bo, id, new Date(monday.getTime() + day));
    await makeRetrieval(database.doors, owner, [id], { kind: 'injected', at: monday });
    expect(await statOf(id)).toMatchObject({ askedRetrievals: 3, shown: 5 });
  });

  it('parallel answers to one person on one day count once', async () => {
    const id = await shared();
    const at = new Date('2026-11-02T08:00:00Z');
    await Promise.all(Array.from({ length: 5 }, () => show(bo, id, at)));
    expect(await statOf(id)).toMatchObject({ askedRetrievals: 1, shown: 5 });
  });

  it('a vote needs a retrieval that showed the memory to the voter', async () => {
    const id = await shared();
    const of = await show(cy, id);
    const refusal = { kind: 'not-found', code: 'no-such-retrieval' };
    await expect(castVote(database.doors, bo, id, true)).rejects.toMatchObject(refusal);
    await expect(castVote(database.doors, bo, id, true, { retrievalId: of })).rejects.toMatchObject(refusal);
    await expect(castVote(database.doors, bo, randomUUID(), true)).rejects.toMatchObject(refusal);
  });

  it('a vector carries its memory’s audience, whatever its writer says, and follows it', async () => {
    const id = await makeMemory(database.doors, owner, { projectId });
    await makeEmbedding(database.doors, owner, id);
    const seenBy = (person: Person): Promise<number> =>
      database.doors.asTenant(person, (tx) => tx.embedding.count({ where: { memoryId: id } }));
    expect([await seenBy(owner), await seenBy(bo)]).toEqual([1, 0]);
    await database.doors.asTenant(owner, (tx) => tx.memory.updateMany({ where: { id }, data: { scope: 'project' } }));
    expect([await seenBy(owner), await seenBy(bo)]).toEqual([1, 1]);
    await database.doors.asTenant(owner, (tx) => tx.memory.updateMany({ where: { id }, data: { scope: 'private' } }));
    expect(await seenBy(bo)).toBe(0);
  });

  it('vectors of an older text go with it, and a late one is refused', async () => {
    const id = await shared();
    await makeEmbedding(database.doors, owner, id);
    await database.doors.asTenant(owner, (tx) =>
      tx.memory.updateMany({ where: { id }, data: { revision: 2, text: 'new' } }),
    );
    expect(await database.doors.asTenant(owner, (tx) => tx.embedding.count({ where: { memoryId: id } }))).toBe(0);
    const late = database.doors.asText(
      owner.tenantId,
      (
        tx,
      ) => tx.$executeRaw`insert into embedding (tenant_id, memory_id, encoder, revision, content_hash, vector, scope, owner_id)
        values (${owner.tenantId}::uuid, ${id}::uuid, 'test@0', 1, '\\x00', '[1,0,0]', '', ${owner.userId}::uuid)`,
    );
    await expect(late).rejects.toMatchObject({ kind: 'conflict', code: 'stale-revision' });
  });

  it('hits and votes on what one may not see are refused without a row', async () => {
    const secret = await makeMemory(database.doors, owner, { projectId });
    const refusal = await makeRetrieval(database.doors, bo, [secret]).then(
      () => null,
      (error: unknown) => error,
    );
    expect(isRefused(refusal)).toBe(true);
    expect(await statOf(secret)).toMatchObject({ shown: 0, askedRetrievals: 0 });
  });

  it('a memory keeps two hundred questions of its votes: whoever has most loses the oldest, others none', async () => {
    const id = await shared();
    const early = new Date('2025-12-01T00:00:00Z');
    await castVote(database.doors, cy, id, true, { at: early, retrievalId: await show(cy, id, early) });
    await database.doors.asTenant(
      cy,
      (
        tx,
      ) => tx.$executeRaw`insert into vote_question (tenant_id, user_id, retrieval_id, memory_id, encoder, helpful, vector, created_at)
        select v.tenant_id, v.user_id, v.retrieval_id, v.memory_id, 'test@0', true, '[1,0,0]', v.created_at
        from vote v where v.memory_id = ${id}::uuid`,
    );
    await database.doors.asTenant(bo, async (tx) => {
      const retrievals = Array.from({ length: 203 }, (_, n) => ({
        tenantId: bo.tenantId,
        id: randomUUID(),
        userId: bo.userId,
        kind: 'asked',
        createdAt: new Date(Date.UTC(2026, 0, 1) + n * 1000),
      }));
      await tx.retrieval.createMany({ data: retrievals });
      const rows = retrievals.map((row) => ({ tenantId: bo.tenantId, retrievalId: row.id, memoryId: id }));
      await tx.retrievalHit.createMany({ data: rows.map((row) => ({ ...row, place: 1, relevance: 1, score: 1 })) });
      await tx.vote.createMany({
        data: rows.map((row) => ({ ...row, userId: bo.userId, helpful: true, revision: 1 })),
      });
      await tx.$executeRaw`insert into vote_question (tenant_id, user_id, retrieval_id, memory_id, encoder, helpful, vector, created_at)
        select v.tenant_id, v.user_id, v.retrieval_id, v.memory_id, 'test@0', true, '[1,0,0]', r.created_at
        from vote v join retrieval r on r.tenant_id = v.tenant_id and r.id = v.retrieval_id where v.memory_id = ${id}::uuid`;
    });
    const kept = await database.doors.asTenant(bo, (tx) =>
      tx.voteQuestion.findMany({ where: { memoryId: id }, select: { createdAt: true }, orderBy: { createdAt: 'asc' } }),
    );
    expect(kept).toHaveLength(200);
    expect(kept[0]?.createdAt).toEqual(early);
    expect(kept[1]?.createdAt).toEqual(new Date(Date.UTC(2026, 0, 1) + 4_000));
    await castVote(database.doors, bo, id, false);
    const turned = await database.doors.asTenant(bo, (tx) =>
      tx.voteQuestion.count({ where: { memoryId: id, helpful: false } }),
    );
    expect(turned).toBe(1);
  });
});
