import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { castVote, makeEmbedding, makeMemory, makeRetrieval } from '../support/memories.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { makeOperator, makePerson, makeProject, makeTenant, type Person } from '../support/people.js';

describe('the doors', () => {
  let database: TestDatabase;
  let owner: Person;
  let colleague: Person;
  let projectId: string;

  beforeAll(async () => {
    database = await openTestDatabase();
    const operatorId = await makeOperator(database);
    ({ owner } = await makeTenant(database.doors, operatorId));
    projectId = await makeProject(database.doors, owner, 'rocket');
    colleague = await makePerson(database.doors, owner, 'Bo', { projectId });
  });
  afterAll(() => database.close());

  it('show a shared memory to a project member and a private one to its owner alone', async () => {
    const { doors } = database;
    const shared = await makeMemory(doors, owner, { scope: 'project', projectId });
    const secret = await makeMemory(doors, owner, { projectId });
    await makeEmbedding(doors, owner, shared);
    const seen = await doors.asTenant(colleague, (tx) => tx.memory.findMany({ select: { id: true } }));
    expect(seen.map((row) => row.id)).toContain(shared);
    expect(seen.map((row) => row.id)).not.toContain(secret);
    await makeRetrieval(doors, colleague, [shared]);
    await castVote(doors, colleague, shared, true);
    const stat = await doors.asTenant(owner, (tx) => tx.memoryStat.findFirst({ where: { memoryId: shared } }));
    expect(stat?.evidence).toBeCloseTo(2 / 3, 12);
    expect(stat?.askedRetrievals).toBe(1);
  });
});
