import { randomUUID } from 'node:crypto';
import { insertLinks } from '@tempera/platform';
import { asId, type MemoryId, type TenantId } from '@tempera/core';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import type { GraphQLClient } from '../support/graphql-client.js';
import { edit, type EditWorld, openEditWorld, read } from './edit-world.js';
import { capture, feedback, retrieve } from './memory-world.js';

let world: EditWorld;
beforeAll(async () => {
  world = await openEditWorld();
});
afterAll(() => world.close());

const query = <Row extends object>(sql: string, values: unknown[]): Promise<Row[]> =>
  asSuperuser(world.api.database.adminUrl, async (client) => (await client.query<Row>(sql, values)).rows);
const claimsOf = async (person: GraphQLClient): Promise<{ tid: string; sub: string }> => {
  const [, payload = ''] = ((await person.token()) ?? '').split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as { tid: string; sub: string };
};
/** One statement as mem_app, for a person. @returns its rows, or the SQLSTATE */
const asApp = async (person: GraphQLClient, sql: string, values: unknown[] = []): Promise<object[] | string> => {
  const { tid, sub } = await claimsOf(person);
  const client = new pg.Client({ connectionString: world.api.database.urls.app });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(
      `select set_config('role', 'mem_app', true), set_config('app.tenant_id', $1, true), set_config('app.user_id', $2, true)`,
      [tid, sub],
    );
    return (await client.query<object>(sql, values)).rows;
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error.code ?? 'no state';
    throw error;
  } finally {
    await client.end();
  }
};
const share = (person: GraphQLClient, memoryId: string, more: object): Promise<unknown> =>
  person.send('mutation ($input: AudienceInput!) { shareMemory(input: $input) { memory { id } } }', {
    input: { memoryId, ...more },
  });
/** A moment after all that was done, and before all that will be. */
const moment = async (): Promise<string> => {
  const at = Date.now() + 1;
  while (Date.now() <= at) await new Promise((resolve) => setImmediate(resolve));
  return new Date(at).toISOString();
};

describe('a question about the past', () => {
  it('finds what was private then for its owner alone, though it was shared since with its words as they are', async () => {
    const { id } = (
      await capture(world.ada, { text: 'The badger sett lies behind the mill.', project: 'shop', scope: 'PRIVATE' })
    ).memory;
    const early = await moment();
    await share(world.ada, id, { scope: 'PROJECT', project: 'shop' });
    const late = await moment();
    const found = async (person: GraphQLClient, asOf: string): Promise<boolean[]> => {
      const asked = await retrieve(person, 'badger sett mill', { asOf });
      const { memories } = await person.send<{ memories: { nodes: { id: string }[] } }>(
        'query ($filter: MemoryFilter) { memories(first: 100, filter: $filter) { nodes { id } } }',
        { filter: { asOf } },
      );
      return [asked.hits.some(({ memory }) => memory.id === id), memories.nodes.some((memory) => memory.id === id)];
    };
    expect(await found(world.ben, early)).toEqual([false, false]);
    expect(await found(world.ada, early)).toEqual([true, true]);
    expect(await found(world.ben, late)).toEqual([true, true]);
  });

  it('finds what another audience saw then for those who are of it, and tells nothing of what is hidden', async () => {
    const { id } = (await capture(world.owner, { text: 'The otter holt is under the bridge.', project: 'shop' }))
      .memory;
    const early = await moment();
    await share(world.owner, id, { scope: 'TENANT' });
    const holt = async (person: GraphQLClient): Promise<number> =>
      (await retrieve(person, 'otter holt bridge', { asOf: early })).hits.filter(({ memory }) => memory.id === id)
        .length;
    expect([await holt(world.ben), await holt(world.cleo)]).toEqual([1, 0]);
    await world.owner.send('mutation ($input: AudienceInput!) { demoteMemory(input: $input) { id } }', {
      input: { memoryId: id, scope: 'PRIVATE' },
    });
    const asked = 'select saw_memory_then($1, $2) as then, wrote_memory($1, $3) as wrote, seen_lender($1) as lender';
    const { sub } = await claimsOf(world.owner);
    const [hidden, missing] = [
      await asApp(world.cleo, asked, [id, early, sub]),
      await asApp(world.cleo, asked, [randomUUID(), early, sub]),
    ];
    expect(hidden).toEqual(missing);
  });
});

describe('who wrote a memory', () => {
  it('decides whose votes are an author’s for like questions, after it was given away', async () => {
    const question = 'Which lantern hangs over the pier?';
    const { id } = await world.shared('The green lantern hangs over the pier.');
    const netOf = async (person: GraphQLClient): Promise<number> => {
      const { hits } = await retrieve(person, question, { limit: 50 });
      return hits.find(({ memory }) => memory.id === id)?.explanation.context ?? Number.NaN;
    };
    expect(await netOf(world.mia)).toBe(0);
    const { retrievalId } = await retrieve(world.ada, question);
    await feedback(world.ada, { memoryIds: [id], helpful: true, retrievalId });
    const { sub: userId } = await claimsOf(world.ben);
    await world.ada.send(
      'mutation ($id: ID!, $userId: ID!) { transferMemory(memoryId: $id, userId: $userId) { id } }',
      { id, userId },
    );
    expect(await netOf(world.mia)).toBe(0);
    expect(await netOf(world.ada)).toBeGreaterThan(0);
    const his = await retrieve(world.ben, question);
    await feedback(world.ben, { memoryIds: [id], helpful: false, retrievalId: his.retrievalId });
    expect(await netOf(world.mia)).toBeLessThan(0);
  });

  it('is who changed its words last, not who changed its tags', async () => {
    const { id } = await world.shared('The weir opens when the gauge shows red.');
    const { memory } = await edit(world.mia, id, 1, { tags: ['weir'], validity: 'DOMAIN' });
    expect(memory).toMatchObject({ revision: 2, tags: ['weir'], author: { displayName: 'Ada' } });
    const reworded = await edit(world.mia, id, 2, { text: 'The weir opens when the gauge shows amber.' });
    expect(reworded.memory.author.displayName).toBe('Mia');
    expect((await read(world.ben, id)).history.map(({ author }) => author.displayName)).toEqual(['Mia', 'Ada', 'Ada']);
  });
});

describe('what people found helpful', () => {
  it('is the text they read: turned into its opposite, it is nobody’s praise until somebody finds that helpful', async () => {
    const { id } = await world.shared('The cellar pump is always switched on at night.');
    const { retrievalId } = await retrieve(world.ben, 'Is the cellar pump on at night?');
    await feedback(world.ben, { memoryIds: [id], helpful: true, retrievalId });
    interface Proved {
      readonly memory: { readonly utility: { readonly foundHelpful: boolean; readonly helpfulWeight: number } };
    }
    const proved = async (): Promise<Proved['memory']['utility']> =>
      (
        await world.mia.send<Proved>(
          'query ($id: ID!) { memory(id: $id) { utility { foundHelpful helpfulWeight } } }',
          { id },
        )
      ).memory.utility;
    const trust = async (person: GraphQLClient): Promise<number | undefined> =>
      (await retrieve(person, 'Is the cellar pump on at night?')).hits.find(({ memory }) => memory.id === id)
        ?.explanation.trust;
    expect([await proved(), await trust(world.mia)]).toEqual([{ foundHelpful: true, helpfulWeight: 1 }, 1]);
    await edit(world.ada, id, 1, { text: 'The cellar pump is never switched on at night.' });
    expect([await proved(), await trust(world.mia)]).toEqual([{ foundHelpful: false, helpfulWeight: 0.5 }, 0.9]);
    const again = await retrieve(world.ben, 'Is the cellar pump on at night?');
    await feedback(world.ben, { memoryIds: [id], helpful: true, retrievalId: again.retrievalId });
    expect(await proved()).toMatchObject({ foundHelpful: true });
  });
});

describe('raw SQL of the service', () => {
  it('reads no lender that the API would not name, and nothing that was tidied in a project one has left', async () => {
    expect(await asApp(world.ben, 'select lent_from from memory_stat')).toBe('42501');
    const { sub, tid } = await claimsOf(world.mia);
    const run = randomUUID();
    await query(
      `insert into upkeep_run (tenant_id, id, kind, project_id, made_by)
       select $1, $2, 'cleanup', id, $3 from project where tenant_id = $1 and slug = 'shop'`,
      [tid, run, sub],
    );
    const seen = 'select id from upkeep_run where id = $1';
    expect(await asApp(world.mia, seen, [run])).toEqual([{ id: run }]);
    const was = await query<{ project_id: string }>('delete from membership where user_id = $1 returning *', [sub]);
    expect(await asApp(world.mia, seen, [run])).toEqual([]);
    expect(
      await asApp(world.mia, 'update upkeep_run set undone_at = now(), undone_by = $2 where id = $1 returning id', [
        run,
        sub,
      ]),
    ).toEqual([]);
    await query(`insert into membership (tenant_id, project_id, user_id, role) values ($1, $2, $3, 'maintainer')`, [
      tid,
      was[0]?.project_id,
      sub,
    ]);
  });
});

describe('links', () => {
  it('are kept but for those to what moved out of sight meanwhile', async () => {
    const { sub, tid } = await claimsOf(world.ada);
    const tenantId = asId<TenantId>(tid);
    const [from, to] = [
      await world.shared('The ferry sails at dawn.'),
      await world.shared('Trams run until midnight.'),
    ];
    const moved = (await capture(world.ben, { text: 'My own tram card.', scope: 'PRIVATE' })).memory;
    const link = (one: string, other: string) =>
      ({ from: asId<MemoryId>(one), to: asId<MemoryId>(other), kind: 'neighbour', weight: 0.5 }) as const;
    await query('delete from link where $1 in (from_id, to_id)', [from.id]);
    const given = [link(from.id, moved.id), link(moved.id, from.id), link(from.id, to.id)];
    await world.api.database.doors.asTenant({ tenantId: tid, userId: sub }, (tx) =>
      insertLinks(tx, tenantId, given, new Date()),
    );
    expect(await query('select from_id, to_id from link where $1 in (from_id, to_id)', [from.id])).toEqual([
      { from_id: from.id, to_id: to.id },
    ]);
  });
});
