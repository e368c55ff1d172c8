import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import { capture, type MemoryWorld, openMemoryWorld, readMemory, retrieve } from './memory-world.js';

const NAMES = ['bge-small-en-v1.5', 'bge-small-zh-v1.5'];
const models = process.env['EMBEDDING_MODEL_DIR'] ?? '';

let folder: string;
let world: MemoryWorld;

const query = <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  asSuperuser(world.api.database.adminUrl, async (client) => (await client.query<Row>(sql, values)).rows);

/** Who says what, one after the other: a change of mind, two contradictions, a repetition by another, and what is alone. */
const STORY: readonly (readonly ['owner' | 'ada' | 'ben', string, string])[] = [
  ['owner', 'DECISION', 'The timeout of the checkout page in the shop is 30 s.'],
  ['ben', 'DECISION', 'The search index keeps 3 replicas.'],
  ['ada', 'EPISODE', 'The heron pump is primed by hand before each start.'],
  ['owner', 'DECISION', 'The timeout of the checkout page in the shop is 60 s.'],
  ['ada', 'DECISION', 'The search index keeps 5 replicas.'],
  ['ben', 'EPISODE', 'The heron pump is primed by hand before each start.'],
  ['ada', 'EPISODE', 'The nightly backup of the ledger takes 20 minutes.'],
  ['ben', 'EPISODE', 'The nightly backup of the ledger takes 50 minutes.'],
  ['ben', 'BACKGROUND', 'Parrots of the old harbour office were sold to a zoo.'],
];

const tellAll = async (project: string): Promise<void> => {
  for (const [person, kind, text] of STORY) {
    // What it tells of is a moment later than what was told before it, also for a clock of milliseconds.
    await query('select pg_sleep(0.002)');
    await capture(world[person], { text, kind, project });
  }
};

/** What stands in a project and how it hangs together, in the words of the texts. */
const toldIn = async (project: string): Promise<object> => {
  const of = `select m.id, u.display_name || ': ' || m.text as said, m.superseded_by, m.embedding_state from memory m
    join app_user u on u.id = m.owner_id where m.project_id = (select id from project where slug = $1)`;
  return {
    memories: await query(`select said, embedding_state from (${of}) m order by said`, [project]),
    retired: await query(
      `select m.said as older, n.said as newer from (${of}) m join (${of}) n on n.id = m.superseded_by order by 1, 2`,
      [project],
    ),
    links: await query(
      `select f.said as "from", t.said as to, l.kind, l.resolution, round(l.weight::numeric, 6) as weight from link l
        join (${of}) f on f.id = l.from_id join (${of}) t on t.id = l.to_id
        where l.kind <> 'neighbour' order by 1, 2, 3`,
      [project],
    ),
    audited: await query(
      `select u.display_name as by, a.action, m.said from audit a join (${of}) m on m.id = a.subject_id
        join app_user u on u.id = a.actor_id order by m.said`,
      [project],
    ),
  };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tempera-no-encoder-'));
  process.env['EMBEDDING_MODEL_DIR'] = folder;
  world = await openMemoryWorld();
  await tellAll('shop');
  // The last comes first, so that nothing depends on the order in which texts are read.
  await query(`update outbox o set available_at = now() - make_interval(secs => n.place)
    from (select id, row_number() over (order by created_at) as place from outbox) n where n.id = o.id`);
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true });
});

describe('while no encoder is there', () => {
  it('a capture is kept and found by its words; the encoder that arrives reads it', async () => {
    const english = await capture(world.ada, 'The coffee machine needs descaling every Friday.');
    // In a session of its own: else it would stand in the light of what was captured before it.
    const chinese = await capture(world.ada, { text: '咖啡机每周五都要除垢。', sessionKey: 'another' });
    expect(english.memory.embeddingState).toBe('PENDING');
    const byWords = await retrieve(world.ada, 'descaling');
    expect(byWords).toMatchObject({ mode: 'KEYWORD', emptyReason: null });
    expect(byWords.hits.map(({ memory }) => memory.id)).toEqual([english.memory.id]);
    expect((await retrieve(world.ada, '除垢')).hits[0]?.memory.id).toBe(chinese.memory.id);
    const nothing = await retrieve(world.ada, 'espresso maintenance');
    expect(nothing).toMatchObject({ mode: 'KEYWORD', hits: [] });
    expect(nothing.emptyReason).toContain('no encoder is ready');

    for (const name of NAMES) await symlink(join(models, name), join(folder, name));
    for (const { id } of [english.memory, chinese.memory]) {
      await expect
        .poll(async () => (await readMemory(world.ada, id)).embeddingState, { timeout: 30_000 })
        .toBe('READY');
    }
    const byMeaning = await retrieve(world.ada, 'espresso maintenance');
    expect(byMeaning.mode).toBe('VECTOR_AND_KEYWORD');
    expect(byMeaning.hits[0]?.memory.id).toBe(english.memory.id);
  });

  it('the same text twice is one memory all the same', async () => {
    const text = 'Plants are watered on Mondays.';
    const first = await capture(world.ben, text);
    expect(await capture(world.ben, text)).toMatchObject({ status: 'REPEATED', memory: { id: first.memory.id } });
  });

  it('links, conflicts and retirements are those of captures with vectors, in whatever order the texts are read', async () => {
    await expect
      .poll(() => query(`select from memory where embedding_state <> 'ready'`), { timeout: 30_000 })
      .toEqual([]);
    await world.owner.send('mutation { createProject(input: { slug: "yard", name: "Yard" }) { id } }');
    for (const { id } of await query<{ id: string }>(`select id from app_user where display_name in ('Ada', 'Ben')`)) {
      const input = { project: 'yard', userId: id, role: 'CONTRIBUTOR' };
      await world.owner.send('mutation ($input: AddMemberInput!) { addMember(input: $input) { role } }', { input });
    }
    await tellAll('yard');
    const late = await toldIn('shop');
    expect(late).toEqual(await toldIn('yard'));
    for (const [what, count] of Object.entries({ memories: 9, retired: 1, links: 3, audited: 1 })) {
      expect(late).toHaveProperty(`${what}.length`, count);
    }
  });

  /** As if the vectors of a text had not come yet. */
  const readAgain = async (id: string): Promise<void> => {
    await query(`delete from embedding where memory_id = $1`, [id]);
    await query(`update memory set embedding_state = 'pending' where id = $1`, [id]);
    await query(
      `insert into outbox (tenant_id, kind, subject_id) select tenant_id, 'memory.embed', id from memory where id = $1`,
      [id],
    );
    await expect
      .poll(async () => (await readMemory(world.owner, id)).embeddingState, { timeout: 30_000 })
      .toBe('READY');
  };
  const conflictOf = (pair: readonly string[]): Promise<object[]> =>
    query(
      `select from_id, to_id, resolution from link where kind = 'conflict' and from_id = any ($1) and to_id = any ($1)`,
      [pair],
    );

  it('what a person let stand again is not put away by a text that is read once more', async () => {
    const [newer] = await query<{ id: string; older: string }>(
      `select n.id, o.id as older from memory o join memory n on n.id = o.superseded_by
        where o.project_id = (select id from project where slug = 'shop')`,
    );
    const [id, older] = [newer?.id ?? '', newer?.older ?? ''];
    await world.owner.send('mutation ($id: ID!) { restoreMemory(id: $id) { id } }', { id: older });
    await readAgain(id);
    expect(await query('select superseded_by from memory where id = $1', [older])).toEqual([{ superseded_by: null }]);
    expect(await conflictOf([older, id])).toEqual([{ from_id: id, to_id: older, resolution: null }]);
  });

  it('what may not be put away by then is a conflict, and the text has its vectors all the same', async () => {
    const decide = async (text: string): Promise<string> =>
      (await capture(world.ada, { text, kind: 'DECISION', project: 'yard' })).memory.id;
    const older = await decide('The image cache on each node of the yard keeps at most 20 GB.');
    const newer = await decide('The image cache on each node of the yard keeps at most 40 GB.');
    expect(await query('select superseded_by from memory where id = $1', [older])).toEqual([{ superseded_by: newer }]);
    await query('update memory set superseded_by = null where id = $1', [older]);
    await query(`update memory set absent = '{}' where id = $1`, [older]);
    await query(`delete from link where kind = 'conflict' and $1 in (from_id, to_id)`, [older]);
    await world.owner.send('mutation { archiveProject(project: "yard") { id } }');
    await readAgain(newer);
    expect(await query('select superseded_by from memory where id = $1', [older])).toEqual([{ superseded_by: null }]);
    expect(await conflictOf([older, newer])).toEqual([{ from_id: newer, to_id: older, resolution: null }]);
  });
});
