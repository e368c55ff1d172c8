import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import { ARCHIVE, change, edit } from './edit-world.js';
import { capture, feedback, type MemoryWorld, openMemoryWorld, retrieve } from './memory-world.js';

let world: MemoryWorld;

beforeAll(async () => {
  world = await openMemoryWorld();
});
afterAll(() => world.close());

/** In a session of its own, so that it has no mates. */
const shared = async (text: string): Promise<string> =>
  (await capture(world.ada, { text, project: 'shop', merge: 'NEVER', sessionKey: randomUUID() })).memory.id;

interface Borrowed {
  readonly embeddingState: string;
  readonly utility: { readonly lent: number; readonly lentFrom: string | null };
}

const borrowed = async (id: string): Promise<Borrowed> =>
  (
    await world.ben.send<{ memory: Borrowed }>(
      'query ($id: ID!) { memory(id: $id) { embeddingState utility { lent lentFrom } } }',
      { id },
    )
  ).memory;

const lenderOf = async (id: string): Promise<string | null> => (await borrowed(id)).utility.lentFrom;

/** Ids of the active memories that one counts among its neighbours. */
const neighboursOf = (id: string): Promise<string[]> =>
  asSuperuser(world.api.database.adminUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select to_id as id from link l join memory m on m.id = l.to_id and m.state = 'active'
       where from_id = $1 and l.kind = 'neighbour' order by 1`,
      [id],
    );
    return rows.map((row) => row.id);
  });

/** Asked for by two people, then found helpful by one of them. */
const prove = async (id: string, question: string): Promise<void> => {
  for (const person of [world.owner, world.ben]) await retrieve(person, question, { limit: 50 });
  await feedback(world.ben, { memoryIds: [id], helpful: true });
};

describe('a memory beside what has proved itself', () => {
  it('borrows at once: when its neighbour is voted for, at capture, after an edit, and when a long text is read later', async () => {
    const question = 'How is the staging database restored?';
    const source = await shared('The staging database is restored from the nightly dump.');
    const before = await shared('The staging database is restored every night from a dump.');
    const away = await shared('Coupons stack up to three in the checkout.');
    expect([await lenderOf(before), await lenderOf(away)]).toEqual([null, null]);
    await prove(source, question);
    expect([await lenderOf(before), await lenderOf(away)]).toEqual([source, null]);
    const captured = await shared('Restoring the staging database takes the nightly dump.');
    expect(await lenderOf(captured)).toBe(source);
    const edited = await shared('Trams leave at noon.');
    expect(await lenderOf(edited)).toBeNull();
    await edit(world.ada, edited, 1, { text: 'A nightly dump restores the staging database.' });
    expect(await lenderOf(edited)).toBe(source);
    const long = await shared('The staging database is restored from the nightly dump. '.repeat(40));
    expect((await borrowed(long)).embeddingState).toBe('PENDING');
    await expect.poll(async () => (await borrowed(long)).embeddingState, { timeout: 30_000 }).toBe('READY');
    expect(await lenderOf(long)).toBe(source);
    expect((await neighboursOf(long)).length).toBeGreaterThan(0);
  });

  it('is joined with the next nearest when one of its ten goes, and what is archived takes nobody a place', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 16; index += 1) {
      ids.push(await shared(`Invoice batch ${index} runs at ${index + 2} o'clock.`));
    }
    const last = ids.pop() ?? '';
    const ten = await neighboursOf(last);
    expect(ten).toHaveLength(10);
    await change(world.ada, ARCHIVE, { id: ten[0] });
    expect(await neighboursOf(last)).toEqual(ten.slice(1));
    await expect.poll(async () => (await neighboursOf(last)).length, { timeout: 30_000 }).toBe(10);
    for (const id of ids.filter((id) => id !== ten[0])) await change(world.ada, ARCHIVE, { id });
    const late = await shared('Invoice batches run on the hour.');
    expect(await neighboursOf(last)).toEqual([late]);
  });
});

describe('what has expired', () => {
  it('is in no answer from that moment: not found, listed, named as near or as a session mate, even where it is pinned', async () => {
    const soon = new Date(Date.now() - 1_000).toISOString();
    const text = 'The beta flag of the kiosk is called kiosk-beta.';
    const input = { text, expiresAt: soon, pinned: true, sessionKey: 'kiosk', merge: 'NEVER' };
    const expired = (await capture(world.ada, input)).memory.id;
    const next = await capture(world.ada, { text: `${text} Ask Ada.`, sessionKey: 'kiosk' });
    expect(next.status).toBe('CREATED');
    expect([...next.near, ...next.conflicts].map(({ memory }) => memory.id)).not.toContain(expired);
    const { hits } = await retrieve(world.ada, 'What is the beta flag of the kiosk called?', { limit: 50 });
    const shown = hits.flatMap(({ memory, sessionMates }) => [memory.id, ...sessionMates.map(({ id }) => id)]);
    expect(shown).toContain(next.memory.id);
    expect(shown).not.toContain(expired);
    const { memories } = await world.ada.send<{ memories: { nodes: { id: string }[] } }>(
      '{ memories(first: 100) { nodes { id } } }',
    );
    expect(memories.nodes.map(({ id }) => id)).not.toContain(expired);
  });
});
