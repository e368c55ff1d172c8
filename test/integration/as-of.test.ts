import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import type { GraphQLClient } from '../support/graphql-client.js';
import { ARCHIVE, change, edit, type EditWorld, FORGET, openEditWorld, refusedWith, RESTORE } from './edit-world.js';
import { capture, feedback, retrieve } from './memory-world.js';

let world: EditWorld;
beforeAll(async () => {
  world = await openEditWorld();
});
afterAll(() => world.close());

interface ThenView {
  readonly retrievalId: string;
  readonly asOf: string | null;
  readonly note: string | null;
  readonly hits: readonly {
    readonly isPastText: boolean;
    readonly explanation: { readonly cosine: number | null };
    readonly memory: { readonly id: string; readonly text: string; readonly revision: number };
  }[];
}
const ASK = `mutation ($input: RetrieveInput!) { retrieve(input: $input) { retrievalId asOf note
  hits { isPastText explanation { cosine } memory { id text revision } } } }`;
const askAsOf = async (person: GraphQLClient, question: string, asOf: string | null): Promise<ThenView> =>
  (await person.send<{ retrieve: ThenView }>(ASK, { input: { query: question, limit: 50, asOf } })).retrieve;
const listAsOf = async (person: GraphQLClient, filter: object): Promise<{ id: string; text: string }[]> =>
  (
    await person.send<{ memories: { nodes: { id: string; text: string }[] } }>(
      'query ($filter: MemoryFilter) { memories(first: 100, filter: $filter) { nodes { id text } } }',
      { filter },
    )
  ).memories.nodes;
const query = <Row extends object>(sql: string, values: unknown[]): Promise<Row[]> =>
  asSuperuser(world.api.database.adminUrl, async (client) => (await client.query<Row>(sql, values)).rows);

/** A moment after all that was done, and before all that will be. */
const moment = async (): Promise<string> => {
  const at = Date.now() + 1;
  while (Date.now() <= at) await new Promise((resolve) => setImmediate(resolve));
  return new Date(at).toISOString();
};
const decide = async (text: string): Promise<string> =>
  (await capture(world.mia, { text, kind: 'DECISION', project: 'shop' })).memory.id;

describe('a question about the past', () => {
  it('is answered in the words of then, by what stood then, and without what was forgotten since', async () => {
    const edited = (await world.shared('The aviary heating runs on gas.')).id;
    const forgotten = (await world.shared('The aviary keeper is called Otto.')).id;
    const away = (await world.shared('The aviary roof is mended in May.')).id;
    const older = await decide('The aviary door in the old zoo closes after 10 minutes.');
    const before = await moment();
    await edit(world.ada, edited, 1, { text: 'The lamps of the pavilion are electric.' });
    await change(world.ada, FORGET, { id: forgotten });
    await change(world.ada, ARCHIVE, { id: away });
    const newer = await decide('The aviary door in the old zoo closes after 20 minutes.');
    const between = await moment();
    await change(world.ada, RESTORE, { id: away });
    await change(world.mia, RESTORE, { id: older });
    const idsOf = async (asOf: string | null): Promise<string[]> =>
      (await askAsOf(world.ben, 'aviary', asOf)).hits
        .map(({ memory }) => memory.id)
        // What is of lamps by now may resemble it still.
        .filter((id) => id !== edited || asOf === before)
        .sort();
    expect(await idsOf(before)).toEqual([edited, away, older].sort());
    expect(await idsOf(between)).toEqual([newer]);
    expect(await idsOf(null)).toEqual([away, older, newer].sort());
    const then = await askAsOf(world.ben, 'aviary heating gas', before);
    expect(then.hits[0]).toMatchObject({
      isPastText: true,
      explanation: { cosine: null },
      memory: { id: edited, text: 'The aviary heating runs on gas.', revision: 1 },
    });
    expect(then).toMatchObject({ asOf: before, note: expect.stringContaining('1 said something else then') as string });
    const listed = await listAsOf(world.ben, { asOf: before });
    expect(listed.find(({ id }) => id === edited)?.text).toBe('The aviary heating runs on gas.');
    expect(listed.map(({ id }) => id)).not.toContain(forgotten);
    expect((await listAsOf(world.ben, { asOf: between })).find(({ id }) => id === edited)?.text).toContain('pavilion');
  });

  it('shows a text to those alone who could read it then', async () => {
    const secret = 'The heron plan is a secret of mine.';
    const { id } = (await capture(world.ada, { text: secret, project: 'shop', scope: 'PRIVATE' })).memory;
    const before = await moment();
    await edit(world.ada, id, 1, { text: 'Reports of the heron are read from the replica.' });
    await world.ada.send('mutation ($input: AudienceInput!) { shareMemory(input: $input) { memory { id } } }', {
      input: { memoryId: id, scope: 'PROJECT', project: 'shop' },
    });
    const seenBy = async (person: GraphQLClient): Promise<string[]> =>
      (await askAsOf(person, 'heron', before)).hits.map(({ memory }) => memory.text);
    expect(await seenBy(world.ada)).toEqual([secret]);
    expect(await seenBy(world.ben)).toEqual([]);
    expect((await listAsOf(world.ben, { asOf: before })).map((memory) => memory.id)).not.toContain(id);
    expect((await retrieve(world.ben, 'heron')).hits.map(({ memory }) => memory.id)).toEqual([id]);
  });

  it('is recorded, but counts nothing as shown and takes no vote', async () => {
    const { id } = await world.shared('The otter pond freezes in January.');
    const at = await moment();
    const { retrievalId, hits } = await askAsOf(world.ben, 'otter pond', at);
    expect(hits.map(({ memory }) => memory.id)).toEqual([id]);
    expect(await query('select kind, as_of from retrieval where id = $1', [retrievalId])).toEqual([
      { kind: 'asked', as_of: new Date(at) },
    ]);
    expect(await query('select asked_retrievals, shown from memory_stat where memory_id = $1', [id])).toEqual([
      { asked_retrievals: 0, shown: 0 },
    ]);
    const voted = await feedback(world.ben, { memoryIds: [id], helpful: false, retrievalId });
    expect(voted).toMatchObject({ recorded: [], rejected: [{ id }] });
  });

  it('is refused for what has not come yet, is no moment, or asks for a state beside it', async () => {
    const asked = (asOf: string): Promise<string> => refusedWith(askAsOf(world.ben, 'otter', asOf));
    expect(await asked('2999-01-01T00:00:00.000Z')).toBe('BAD_USER_INPUT as-of-ahead');
    for (const wrong of ['yesterday', '2026-02-30T00:00:00Z', '-9999-01-01T00:00:00Z', '']) {
      expect(await asked(wrong)).toMatch(/^BAD_USER_INPUT/);
    }
    expect((await askAsOf(world.ben, 'otter', '1970-01-01T00:00:00.000Z')).hits).toEqual([]);
    const list = { asOf: '2026-01-01T00:00:00.000Z', state: 'ARCHIVED' };
    expect(await refusedWith(listAsOf(world.ben, list))).toBe('BAD_USER_INPUT as-of-state');
  });
});

/** Numbers that look random and are the same in each run. */
const dice = (seed: number): ((sides: number) => number) => {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
};

describe('a question about this very moment', () => {
  it('finds what an ordinary one finds, after any history', async () => {
    const roll = dice(20_261_130);
    const known: string[] = [];
    const pick = (): string => known[roll(known.length)] ?? '';
    const acts: readonly (() => Promise<unknown>)[] = [
      async () => known.push(await decide(`The walrus pool number ${roll(9)} is heated to ${roll(90)} degrees.`)),
      async () => known.push((await world.shared(`A walrus called ${roll(1e6).toString(36)} eats fish.`)).id),
      () => edit(world.mia, pick(), 1, { text: `The walrus ${roll(1e6).toString(36)} has moved on.` }),
      () => change(world.mia, ARCHIVE, { id: pick() }),
      () => change(world.mia, RESTORE, { id: pick() }),
      () => change(world.mia, FORGET, { id: pick() }),
      () => edit(world.mia, pick(), 1, { expiresAt: roll(2) === 0 ? '2020-01-01T00:00:00Z' : '2099-01-01T00:00:00Z' }),
      () => edit(world.mia, pick(), 1, { supersedes: pick() }),
    ];
    for (let step = 0; step < 60; step += 1) {
      // What is refused is history, too.
      await acts[step < 4 ? step % 2 : roll(acts.length)]?.().catch(() => undefined);
      if (step % 3 !== 2) continue;
      const now = await moment();
      const [ordinary, then] = [
        await askAsOf(world.ben, 'walrus pool', null),
        await askAsOf(world.ben, 'walrus pool', now),
      ];
      const ids = ({ hits }: ThenView): string[] => hits.map(({ memory }) => memory.id);
      expect(ids(then)).toEqual(ids(ordinary));
      expect(await listAsOf(world.ben, { asOf: now })).toEqual(await listAsOf(world.ben, {}));
    }
  });
});
