import { asId, type MemoryId, type ProjectId, type TenantId, type UserId } from '@tempera/core';
import {
  findCandidates,
  findOrStartSession,
  insertMemory,
  type NewMemory,
  questionTerms,
  type SearchCandidate,
  toKeywords,
} from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { newMemory } from '../support/new-memory.js';
import { asSuperuser } from '../support/cluster.js';
import { makeOperator, makePerson, makeProject, makeTenant, type Person } from '../support/people.js';

let database: TestDatabase;
let author: Person;
let colleague: Person;
let projectId: ProjectId;
let minute = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  author = (await makeTenant(database.doors, await makeOperator(database))).owner;
  projectId = asId<ProjectId>(await makeProject(database.doors, author, 'shop'));
  colleague = await makePerson(database.doors, author, 'Ben', { projectId });
});
afterAll(() => database.close());

const NOW = new Date('2026-11-30T12:00:00Z');

/** One piece of a session after the other, shared in the project unless it says otherwise. */
const tell = async (key: string, text: string, changes: Partial<NewMemory> = {}): Promise<MemoryId> =>
  database.doors.asTenant(author, async (tx) => {
    minute += 1;
    const endedAt = changes.endedAt ?? new Date(NOW.getTime() + minute * 60_000);
    const tenantId = asId<TenantId>(author.tenantId);
    const session = { tenantId, userId: asId<UserId>(author.userId), projectId, clientKey: key, at: endedAt };
    const sessionId = await findOrStartSession(tx, session);
    const memory = { ...newMemory(author, text, endedAt), scope: 'project', projectId, sessionId, endedAt } as const;
    return insertMemory(tx, { ...memory, ...changes });
  });

const search = async (person: Person, question: string): Promise<ReadonlyMap<MemoryId, SearchCandidate>> => {
  const found = await database.doors.asTenant(person, (tx) =>
    findCandidates(tx, {
      tenantId: asId<TenantId>(author.tenantId),
      question: [],
      terms: questionTerms(toKeywords(question)),
      filter: {},
      now: NOW,
      perLeg: 200,
    }),
  );
  return new Map(found.map((candidate) => [candidate.id, candidate]));
};

describe('what follows a hit in its session', () => {
  it('is a candidate though it shares no word, two steps far and no further, in the order of the work', async () => {
    const first = await tell('talk', 'Did the walrus exporter fail again?');
    const second = await tell('talk', 'Yes, twice.');
    const third = await tell('talk', 'Only on Mondays.');
    const fourth = await tell('talk', 'Lunch?');
    await tell('other', 'Nothing to see here.');
    const found = await search(author, 'walrus exporter');
    expect([...found.keys()].sort()).toEqual([first, second, third].sort());
    expect(found.get(second)).toMatchObject({ precededBy: first, bm25: 0, terms: 2 });
    expect(found.get(third)).toMatchObject({ precededBy: second });
    expect(found.get(first)).toMatchObject({ precededBy: null });
    expect(found.has(fourth)).toBe(false);
  });

  it('is what the asker may see of it: a private remark neither leads nor stands between', async () => {
    const open = await tell('mixed', 'The pelican cache is cold.');
    const hidden = await tell('mixed', 'The pelican password is a secret.', { scope: 'private', projectId: null });
    const next = await tell('mixed', 'We warmed it by hand.');
    const seen = await search(colleague, 'pelican');
    expect([...seen.keys()].sort()).toEqual([open, next].sort());
    expect(seen.get(next)).toMatchObject({ precededBy: open });
    expect((await search(author, 'pelican')).get(next)).toMatchObject({ precededBy: hidden });
  });

  it('is nothing among notes that were imported without dates, which have no order', async () => {
    const note = { source: 'import' } as const;
    const named = await tell('notes', 'The ocelot queue drops messages.', note);
    await tell('notes', 'Blue is the colour of links.', note);
    expect([...(await search(author, 'ocelot queue')).keys()]).toEqual([named]);
    const dated = { ...note, now: new Date('2026-11-30T18:00:00Z') };
    const asked = await tell('dated', 'Who tends the marmot cluster?', dated);
    const answer = await tell('dated', 'Nobody does.', dated);
    expect((await search(author, 'marmot cluster')).get(answer)).toMatchObject({ precededBy: asked });
  });

  it('leaves out what has been superseded or archived', async () => {
    const asked = await tell('gone', 'Which region hosts the gannet bucket?');
    const gone = await tell('gone', 'Frankfurt.');
    const stays = await tell('gone', 'Dublin, since June.');
    await asSuperuser(database.adminUrl, (client) =>
      client.query(`update memory set state = 'archived' where id = $1`, [gone]),
    );
    const found = await search(author, 'gannet bucket');
    expect([...found.keys()].sort()).toEqual([asked, stays].sort());
    expect(found.get(stays)).toMatchObject({ precededBy: asked });
  });
});
