import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import type { GraphQLClient } from '../support/graphql-client.js';
import { type EditWorld, openEditWorld } from './edit-world.js';
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

/** Runs one statement as a role of the database, for a person of the tenant. @returns the SQLSTATE, or '' where it passed */
const asRole = async (role: string, person: GraphQLClient, sql: string, values: unknown[]): Promise<string> => {
  const { tid, sub } = await claimsOf(person);
  const { app, worker, text } = world.api.database.urls;
  const client = new pg.Client({ connectionString: role === 'mem_app' ? app : role === 'mem_text' ? text : worker });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(
      `select set_config('role', $1, true), set_config('app.tenant_id', $2, true), set_config('app.user_id', $3, true)`,
      [role, tid, sub],
    );
    await client.query(sql, values);
    return '';
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error.code ?? 'no state';
    throw error;
  } finally {
    await client.end();
  }
};

const RESOLVE = 'mutation ($input: ResolveConflictInput!) { resolveConflict(input: $input) { resolution reason } }';
const resolve = (person: GraphQLClient, first: string, second: string, more = {}): Promise<{ reason: string | null }> =>
  person
    .send<{ resolveConflict: { reason: string | null } }>(RESOLVE, {
      input: { first, second, resolution: 'KEEP_BOTH', ...more },
    })
    .then(({ resolveConflict }) => resolveConflict);

describe('what a red team opened', () => {
  it('a merge of a pinned memory into one that is not is taken back, and the memory is its author’s again', async () => {
    const text = 'The cellar stairs have no light before winter';
    const [pinned, newer] = [await world.shared({ text: `${text}.` }), await world.shared({ text: `${text}!` })];
    await world.mia.send('mutation ($id: ID!) { setPinned(id: $id, pinned: true) { id } }', { id: pinned.id });
    const { merge } = await world.mia.send<{ merge: { runId: string; mergedIds: string[] } }>(
      'mutation ($ids: [ID!]!) { merge(ids: $ids) { runId mergedIds } }',
      { ids: [pinned.id, newer.id] },
    );
    expect(merge.mergedIds).toEqual([pinned.id]);
    await world.mia.send('mutation ($id: ID!) { undo(id: $id) { __typename } }', { id: merge.runId });
    const rows = await query<{ pinned: boolean }>('select pinned from memory where id = any ($1) order by pinned', [
      [pinned.id, newer.id],
    ]);
    expect(rows).toEqual([{ pinned: false }, { pinned: true }]);
  });

  it('the reason of a decision in private is told to nobody with whom the memories are shared later', async () => {
    const [one, other] = [
      await capture(world.ada, { text: 'The orchard gate opens at 7 in the morning.', scope: 'PRIVATE' }),
      await capture(world.ada, { text: 'The orchard gate opens at 8 in the morning.', scope: 'PRIVATE' }),
    ].map(({ memory }) => memory.id);
    await resolve(world.ada, one ?? '', other ?? '', { reason: 'the boss lies' });
    for (const memoryId of [one, other]) {
      await world.ada.send('mutation ($input: AudienceInput!) { shareMemory(input: $input) { memory { id } } }', {
        input: { memoryId, scope: 'PROJECT', project: 'shop' },
      });
    }
    expect(await query('select from link where reason is not null and from_id = any ($1)', [[one, other]])).toEqual([]);
    expect(await resolve(world.mia, one ?? '', other ?? '')).toMatchObject({ reason: null });
  });

  it('a memory that is given away keeps its author’s vote an author’s, and its new owner’s a colleague’s', async () => {
    const { id } = await world.shared({ text: 'The gift shop sells the blue lantern on Sundays.' });
    const own = await retrieve(world.ada, 'blue lantern of the gift shop');
    await feedback(world.ada, { memoryIds: [id], helpful: true, retrievalId: own.retrievalId });
    const { sub: userId } = await claimsOf(world.ben);
    await world.ada.send(
      'mutation ($id: ID!, $userId: ID!) { transferMemory(memoryId: $id, userId: $userId) { id } }',
      { id, userId },
    );
    const stat = (): Promise<object[]> =>
      query('select helpful, unhelpful, helpful_others from memory_stat where memory_id = $1', [id]);
    expect(await stat()).toEqual([{ helpful: 0.5, unhelpful: 0, helpful_others: 0 }]);
    const his = await retrieve(world.ben, 'blue lantern of the gift shop');
    await feedback(world.ben, { memoryIds: [id], helpful: false, retrievalId: his.retrievalId });
    expect(await stat()).toEqual([{ helpful: 0.5, unhelpful: 1, helpful_others: 0 }]);
  });

  it('a reader writes no effect of a merge, which would be applied when somebody takes it back', async () => {
    const { id } = await world.shared({ text: 'The greenhouse is watered by the rain barrel.' });
    const { tid, sub } = await claimsOf(world.reader);
    const runId = randomUUID();
    await query(`insert into upkeep_run (tenant_id, id, kind, made_by) values ($1, $2, 'merge', $3)`, [
      tid,
      runId,
      sub,
    ]);
    const forged = `insert into upkeep_effect (tenant_id, run_id, memory_id, action, before, after)
      select $1, $2, m.id, 'joined', merge_state(m), merge_state(m) from memory m where m.id = $3`;
    expect(await asRole('mem_app', world.reader, forged, [tid, runId, id])).toBe('42501');
    await query('update upkeep_run set made_by = $2 where id = $1', [runId, (await claimsOf(world.mia)).sub]);
    expect(await asRole('mem_app', world.mia, forged, [tid, runId, id])).toBe('');
  });

  it('the machines of the night read no reason and no name of who decided', async () => {
    for (const role of ['mem_worker', 'mem_text']) {
      expect(await asRole(role, world.owner, 'select reason, resolved_by from link', [])).toBe('42501');
      expect(await asRole(role, world.owner, 'select from_id, to_id, kind, weight from link', [])).toBe('');
    }
  });

  it('the audit of a decision names no private memory, whichever stands first', async () => {
    const [shared, hidden] = [
      await capture(world.mia, { text: 'The bakery delivers 30 loaves to the canteen.', project: 'shop' }),
      await capture(world.mia, { text: 'The bakery delivers 40 loaves to the canteen.', project: 'shop' }),
    ].map(({ memory }) => memory.id);
    await world.mia.send('mutation ($input: AudienceInput!) { demoteMemory(input: $input) { id } }', {
      input: { memoryId: hidden, scope: 'PRIVATE' },
    });
    await resolve(world.mia, hidden ?? '', shared ?? '');
    const rows = await query<{ details: { with?: string }; subject_id: string }>(
      `select details, subject_id from audit where action = 'conflict.resolved' and subject_id = any ($1)`,
      [[shared, hidden]],
    );
    expect(rows).toEqual([{ subject_id: shared, details: { resolution: 'keep_both' } }]);
  });
});
