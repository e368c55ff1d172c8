import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import { edit, EDIT, type EditWorld, openEditWorld, read, refusal, refusedWith } from './edit-world.js';
import { capture, feedback, retrieve } from './memory-world.js';

let world: EditWorld;

beforeAll(async () => {
  world = await openEditWorld();
});
afterAll(() => world.close());

const query = <Row extends object>(sql: string, values: unknown[]): Promise<Row[]> =>
  asSuperuser(world.api.database.adminUrl, async (client) => (await client.query<Row>(sql, values)).rows);

interface Stat {
  readonly evidence: number;
  readonly helpful: number;
  readonly last_useful_at: Date;
}
const statOf = async (id: string): Promise<Stat | undefined> =>
  (await query<Stat>('select evidence, helpful, last_useful_at from memory_stat where memory_id = $1', [id]))[0];

const voteFor = async (id: string, question: string): Promise<void> => {
  const { retrievalId, hits } = await retrieve(world.ben, question);
  expect(hits.map(({ memory }) => memory.id)).toContain(id);
  await feedback(world.ben, { memoryIds: [id], helpful: true, retrievalId });
};

describe('an edit', () => {
  it('A14: replaces text and tags at once for searches, and keeps the old text with who wrote it', async () => {
    const { id } = await world.shared({ text: 'The quokka cache is flushed by hand every Friday.', tags: ['numbat'] });
    const text = 'The wombat mirror is rebuilt by the night job.';
    const answer = await edit(world.mia, id, 1, { text, tags: ['bilby'] });
    expect(answer).toMatchObject({
      changed: ['tags', 'text', 'title'],
      memory: { text, title: 'The wombat mirror is rebuilt by the night job', revision: 2, embeddingState: 'READY' },
    });
    expect(answer.memory).toMatchObject({ scope: 'PROJECT', author: { displayName: 'Mia' }, mine: false });
    expect(answer.memory.history.map(({ revision, reason, author }) => [revision, reason, author.displayName])).toEqual(
      [
        [2, 'edited', 'Mia'],
        [1, 'captured', 'Ada'],
      ],
    );
    expect((await retrieve(world.ben, 'wombat mirror')).hits[0]?.memory.id).toBe(id);
    const foundBy = async (word: string): Promise<boolean> =>
      (await retrieve(world.ben, word)).hits.some(
        ({ memory, explanation }) => memory.id === id && explanation.keyword > 0,
      );
    expect(await Promise.all(['quokka', 'numbat', 'bilby'].map(foundBy))).toEqual([false, false, true]);
    const vectors = await query<{ revision: number }>('select revision from embedding where memory_id = $1', [id]);
    expect(new Set(vectors.map(({ revision }) => revision))).toEqual(new Set([2]));
    expect(vectors.length).toBeGreaterThan(0);
  });

  it('keeps what it does not name, takes away by null, and makes no revision of nothing', async () => {
    const text = 'The ferry timetable is imported at six.';
    const { id } = await world.shared({
      text,
      tags: ['ferry'],
      outcome: 'SUCCESS',
      expiresAt: '2030-01-01T00:00:00.000Z',
      title: 'Ferries',
    });
    const tagged = await edit(world.ada, id, 1, {
      tags: ['ferry', 'import'],
      kind: 'DECISION',
      outcome: null,
      expiresAt: null,
    });
    expect(tagged.changed).toEqual(['expiresAt', 'kind', 'outcome', 'tags']);
    expect(tagged.memory).toMatchObject({
      text,
      title: 'Ferries',
      revision: 2,
      tags: ['ferry', 'import'],
      kind: 'DECISION',
      outcome: null,
      expiresAt: null,
      embeddingState: 'READY',
    });
    const retitled = await edit(world.ada, id, 2, { title: null });
    expect(retitled.memory.title).toBe('The ferry timetable is imported at six');
    const same = await edit(world.ada, id, 3, { text, tags: ['ferry', 'import'] });
    expect(same).toMatchObject({ changed: [], memory: { revision: 3 } });
  });

  it('written into the document instead of its variables is taken all the same', async () => {
    const { id } = await world.shared({ text: 'The lighthouse keeper is paid by the knot.' });
    const input = '{ alternatives: [{ approach: "Pay by the hour", whyNot: "Fog." }], tags: ["lighthouse"] }';
    const document = `mutation ($id: ID!) { editMemory(id: $id, expectedRevision: 1, input: ${input}) { changed } }`;
    const answer = await world.ada.send<{ editMemory: { changed: string[] } }>(document, { id });
    expect(answer.editMemory.changed).toEqual(['alternatives', 'tags']);
  });

  it('of tags alone keeps the vectors', async () => {
    const { id } = await world.shared('The sauna thermostat answers on port nine.');
    const before = await query('select encoder, part, vector::text from embedding where memory_id = $1 order by 1, 2', [
      id,
    ]);
    await edit(world.ada, id, 1, { tags: ['sauna'] });
    const after = await query<object>(
      'select encoder, part, vector::text from embedding where memory_id = $1 and revision = 2 order by 1, 2',
      [id],
    );
    expect(after).toEqual(before);
    expect(after.length).toBeGreaterThan(0);
  });

  it('of tags while a text waits for its vectors promises them again', async () => {
    const { id } = await world.shared('The harbour crane is oiled in spring.');
    await query(`update memory set embedding_state = 'pending' where id = $1`, [id]);
    await query('delete from outbox where subject_id = $1', [id]);
    await edit(world.ada, id, 1, { tags: ['crane'] });
    const waits = await query(`select id from outbox where subject_id = $1 and kind = 'memory.embed'`, [id]);
    expect(waits.length).toBe(1);
  });

  it('that says something else halves the votes for the old text in the same transaction; a mere wording does not', async () => {
    const text = 'The upload of the invoices times out after 30 seconds.';
    const { id } = await world.shared(text);
    await voteFor(id, 'When do invoice uploads time out?');
    expect((await statOf(id))?.helpful).toBe(1);
    await edit(world.ada, id, 1, { text: 'The upload of the invoices times out after 30 seconds!' });
    expect((await statOf(id))?.helpful).toBe(1);
    const before = await statOf(id);
    await edit(world.ada, id, 2, { text: 'The upload of the invoices times out after 90 seconds!' });
    expect(await statOf(id)).toMatchObject({ helpful: 0.5, evidence: 0.6, last_useful_at: before?.last_useful_at });
    const kept = await query<{ revision: number; says_other: boolean }>(
      'select revision, says_other from revision where memory_id = $1 order by 1',
      [id],
    );
    expect(kept).toEqual([
      { revision: 1, says_other: false },
      { revision: 2, says_other: true },
    ]);
  });

  it('is no new use: a merged memory that is edited later fades on', async () => {
    const first = await capture(world.ada, 'The greenhouse pump runs at dawn, mostly.');
    const second = await capture(world.ada, { text: 'The greenhouse pump runs at dawn, mostly!', sessionKey: 'pump' });
    expect(second).toMatchObject({ status: 'MERGED', memory: { id: first.memory.id, revision: 2 } });
    const { id } = first.memory;
    await query(`update memory_stat set last_useful_at = '2026-01-01' where memory_id = $1`, [id]);
    await query(`update memory set ended_at = '2026-01-01', started_at = '2026-01-01' where id = $1`, [id]);
    await edit(world.ada, id, 2, { tags: ['pump'] });
    expect((await statOf(id))?.last_useful_at).toEqual(new Date('2026-01-01'));
    await edit(world.ada, id, 3, { text: 'The conservatory lamp burns at night.' });
    expect((await statOf(id))?.last_useful_at).toEqual(new Date('2026-01-01'));
  });

  it('looks around anew: what the old text was near to is forgotten, what the new one contradicts is told', async () => {
    const other = await world.shared('The retry limit of the payment worker is 5 attempts.');
    const { id } = await world.shared('The parking permits are renewed in autumn by the janitor.');
    const answer = await edit(world.ada, id, 1, { text: 'The retry limit of the payment worker is 9 attempts.' });
    expect(answer.conflicts.map(({ memory }) => memory.id)).toEqual([other.id]);
    await edit(world.mia, id, 2, { text: 'A heron sleeps on the roof of the old mill.' });
    const left = await query(`select 1 from link where kind = 'conflict' and $1 in (from_id, to_id)`, [id]);
    expect(left).toEqual([]);
  });

  it('A11: of twenty with one expected revision lets one through, and tells the others the present one', async () => {
    const { id } = await world.shared('The badge reader at gate three is slow.');
    const attempts = Array.from({ length: 20 }, (_, n) => {
      const person = [world.ada, world.mia, world.owner][n % 3] ?? world.ada;
      return refusedWith(edit(person, id, 1, { text: `The badge reader at gate ${n + 10} is slow.` }));
    });
    const outcomes = await Promise.all(attempts);
    expect(outcomes.filter((outcome) => outcome === 'let through').length).toBe(1);
    expect(new Set(outcomes)).toEqual(new Set(['let through', 'CONFLICT stale-revision']));
    const memory = await read(world.ada, id);
    expect(memory.revision).toBe(2);
    expect(memory.history.length).toBe(2);
    const stale = await world.ada.refused(EDIT, { id, revision: 1, input: { text: 'x' } });
    expect(stale.message).toContain('revision 2');
  });

  it('with a key is one edit however often and at once it is sent, and the key is for that edit alone', async () => {
    const { id } = await world.shared('The lighthouse logbook is scanned weekly.');
    const input = { text: 'The lighthouse logbook is scanned daily.', idempotencyKey: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 6 }, () => edit(world.ada, id, 1, input)));
    for (const { memory, changed } of answers) {
      expect({ revision: memory.revision, changed }).toEqual({ revision: 2, changed: ['text', 'title'] });
    }
    expect(await refusedWith(edit(world.ada, id, 2, input))).toBe('CONFLICT key-reused');
    expect(await refusedWith(edit(world.ada, id, 2, { ...input, text: 'Other.' }))).toBe('CONFLICT key-reused');
  });

  it('is written to the audit log with the names of fields alone, and not where it is private', async () => {
    const { id } = await world.shared('The zeppelin hangar is locked at nine.');
    await edit(world.mia, id, 1, { text: 'The zeppelin hangar is locked at ten.', tags: ['hangar'] });
    const mine = (await capture(world.ada, 'A private note on the orchard.')).memory;
    await edit(world.ada, mine.id, 1, { text: 'A private note on the vineyard.' });
    const rows = await query<{ subject_id: string; action: string; details: object }>(
      'select subject_id, action, details from audit where subject_id = any ($1)',
      [[id, mine.id]],
    );
    expect(rows).toEqual([
      { subject_id: id, action: 'memory.edited', details: { fields: 'tags text title', revision: 2 } },
    ]);
  });
});

describe('an edit is refused', () => {
  it('to who may not: by not-found where nothing is known of the memory, else by forbidden', async () => {
    const { id } = await world.shared('The night porter keeps the spare keys.');
    const variables = { id, revision: 1, input: { text: 'Taken.' } };
    const missing = { ...variables, id: randomUUID() };
    for (const person of [world.cleo, world.stranger]) {
      expect(await refusal(person, EDIT, variables)).toBe(await refusal(person, EDIT, missing));
    }
    expect(await refusal(world.cleo, EDIT, variables)).toContain('NOT_FOUND');
    for (const person of [world.ben, world.reader, world.viewer]) {
      expect(await refusal(person, EDIT, variables)).toContain('FORBIDDEN');
    }
    const tenantWide = await capture(world.owner, { text: 'The canteen opens at noon.', scope: 'TENANT' });
    expect(await refusal(world.mia, EDIT, { ...variables, id: tenantWide.memory.id })).toContain('FORBIDDEN');
    const own = (await capture(world.ada, 'My own list of birds.')).memory;
    for (const person of [world.owner, world.mia]) {
      const mine = { ...variables, id: own.id };
      expect(await refusal(person, EDIT, mine)).toBe(await refusal(person, EDIT, missing));
    }
    expect(await read(world.ada, id)).toMatchObject({ revision: 1, text: 'The night porter keeps the spare keys.' });
  });

  it.each([
    ['an empty text', { text: ' \n' }, 'text-empty'],
    ['64 KiB and a byte', { text: 'é'.repeat(32_768) + 'x' }, 'text-too-long'],
    ['an empty title', { title: ' ' }, 'text-empty'],
    ['a title of two lines', { title: 'a\nb' }, 'text-lines'],
    ['too many tags', { tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }, 'list-too-long'],
    ['an empty tag', { tags: [''] }, 'text-empty'],
    ['nothing', {}, 'nothing-to-edit'],
    ['an empty key', { text: 'x', idempotencyKey: '' }, 'text-empty'],
    [
      'notes that are too much',
      { filesModified: Array.from({ length: 99 }, (_, n) => `${n}${'f'.repeat(900)}`) },
      'notes-too-long',
    ],
  ])('for %s', async (_, input, reason) => {
    const { id } = await world.shared(`The attic window is painted ${reason}.`);
    expect(await refusedWith(edit(world.ada, id, 1, input))).toBe(`BAD_USER_INPUT ${reason}`);
    expect((await read(world.ada, id)).revision).toBe(1);
  });

  it.each([
    ['NUL', { text: 'a\u0000b' }],
    ['half a character', { text: 'a\ud800b' }],
    ['a scope', { text: 'x', scope: 'TENANT' }],
    ['a project', { text: 'x', project: 'shop' }],
    ['an owner', { text: 'x', ownerId: randomUUID() }],
    ['a pin', { text: 'x', pinned: true }],
    ['an unknown kind', { kind: 'SECRET' }],
  ])('for %s', async (_, input) => {
    const { id } = await world.shared('The weather vane points north.');
    expect(await refusedWith(edit(world.ada, id, 1, input))).toMatch(/^BAD_USER_INPUT/);
  });

  it('for revisions that cannot be', async () => {
    const { id } = await world.shared('The sundial is wrong in summer.');
    expect(await refusedWith(edit(world.ada, id, 0, { text: 'x' }))).toBe('BAD_USER_INPUT range');
    expect(await refusedWith(edit(world.ada, id, 7, { text: 'x' }))).toBe('CONFLICT stale-revision');
  });
});
