import { randomUUID } from 'node:crypto';
import { type CastVote, countVotes, evidence, weighVotes } from '@tempera/core';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { makeMemory } from '../support/memories.js';
import { makeOperator, makePerson, makeProject, makeTenant, type Person } from '../support/people.js';

/** One vote of a history; `person` is a place in the list of people, the first of whom wrote the memory. */
interface Moment {
  readonly person: number;
  readonly day: number;
  readonly hour: number;
  readonly helpful: boolean;
}

interface History {
  readonly votes: readonly Moment[];
  /** On this day the text came to say something else: votes before it are for the older one. */
  readonly newTextOn: number;
}

const history: fc.Arbitrary<History> = fc.record({
  newTextOn: fc.nat({ max: 12 }),
  votes: fc.uniqueArray(
    fc.record({
      person: fc.nat({ max: 2 }),
      day: fc.nat({ max: 11 }),
      hour: fc.nat({ max: 23 }),
      helpful: fc.boolean(),
    }),
    { selector: ({ person, day, hour }) => `${person} ${day} ${hour}`, minLength: 1, maxLength: 40 },
  ),
});

describe('evidence in the database', () => {
  let database: TestDatabase;
  let people: Person[];
  let projectId: string;

  beforeAll(async () => {
    database = await openTestDatabase();
    const { owner } = await makeTenant(database.doors, await makeOperator(database));
    projectId = await makeProject(database.doors, owner, 'rocket');
    people = [
      owner,
      await makePerson(database.doors, owner, 'Bo', { projectId }),
      await makePerson(database.doors, owner, 'Cy', { projectId }),
    ];
  });
  afterAll(() => database.close());

  const author = (): Person => people[0] as Person;

  /** The history's votes as they were cast, written by those who cast them. */
  const write = async (memoryId: string, { votes, newTextOn }: History): Promise<CastVote[]> => {
    const cast: CastVote[] = [];
    for (const [place, person] of people.entries()) {
      const mine = votes.filter((vote) => vote.person === place);
      const key = { tenantId: person.tenantId, userId: person.userId };
      const rows = mine.map(({ day, hour, helpful }) => {
        const at = new Date(Date.UTC(2026, 10, 1 + day, hour, 30));
        const id = randomUUID();
        cast.push({ user: person.userId, id, at, helpful, isOlder: day < newTextOn });
        return { id, at, helpful, revision: day < newTextOn ? 1 : 2 };
      });
      await database.doors.asTenant(person, async (tx) => {
        await tx.retrieval.createMany({
          data: rows.map(({ id, at }) => ({ ...key, id, kind: 'asked', createdAt: at })),
        });
        const hits = rows.map(({ id }) => ({ tenantId: person.tenantId, retrievalId: id, memoryId }));
        await tx.retrievalHit.createMany({ data: hits.map((hit) => ({ ...hit, place: 1, relevance: 1, score: 1 })) });
        await tx.vote.createMany({
          data: rows.map(({ id, at, ...vote }) => ({ ...key, ...vote, retrievalId: id, memoryId, createdAt: at })),
        });
      });
    }
    return cast;
  };

  /** Revision 1 said something else than the present text. */
  const sayOther = (memoryId: string): Promise<unknown> =>
    database.doors.asTenant(author(), (tx) =>
      tx.memory.updateMany({ where: { id: memoryId }, data: { revision: 2, text: 'other', saysOther: true } }),
    );

  const expectAgreement = async (memoryId: string, votes: readonly CastVote[]): Promise<void> => {
    const counted = people.map(({ userId }) => {
      const mine = votes.filter(({ user }) => user === userId);
      return countVotes(mine, userId === author().userId);
    });
    const each = counted.map((vote) => weighVotes([vote]));
    const weights = weighVotes(counted);
    const stat = await database.doors.asWorker(author().tenantId, (tx) =>
      tx.memoryStat.findFirst({ where: { memoryId } }),
    );
    expect(stat?.helpful).toBeCloseTo(weights.helpful, 9);
    expect(stat?.unhelpful).toBeCloseTo(weights.unhelpful, 9);
    expect(stat?.evidence).toBeCloseTo(evidence(weights), 9);
    // Of what it says now.
    const found = each.map(({ helpful }, place) => helpful > 0 && (counted[place]?.helpful ?? 0) > 0);
    expect(stat?.helpfulVoters).toBe(found.filter(Boolean).length);
    expect(stat?.helpfulOthers).toBe(found.slice(1).filter(Boolean).length);
  };

  it('is what the rules say of any history of votes, with a new text and after one vote is taken back', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.nat(), async (given, withdrawn) => {
        const memoryId = await makeMemory(database.doors, author(), { scope: 'project', projectId });
        if (given.newTextOn > 0) await sayOther(memoryId);
        const votes = await write(memoryId, given);
        await expectAgreement(memoryId, votes);
        const gone = votes[withdrawn % votes.length] as CastVote;
        const voter = people.find(({ userId }) => userId === gone.user) as Person;
        await database.doors.asTenant(voter, (tx) => tx.vote.deleteMany({ where: { retrievalId: gone.id } }));
        await expectAgreement(
          memoryId,
          votes.filter((vote) => vote !== gone),
        );
      }),
      { numRuns: 25 },
    );
  });

  it('halves older votes at once when a text is replaced by one that says something else', async () => {
    const memoryId = await makeMemory(database.doors, author(), { scope: 'project', projectId });
    const votes = await write(memoryId, { newTextOn: 12, votes: [{ person: 1, day: 0, hour: 0, helpful: true }] });
    await expectAgreement(
      memoryId,
      votes.map((vote) => ({ ...vote, isOlder: false })),
    );
    await sayOther(memoryId);
    await expectAgreement(memoryId, votes);
  });
});
