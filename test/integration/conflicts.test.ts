import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import type { GraphQLClient } from '../support/graphql-client.js';
import { type EditWorld, openEditWorld, refusal, refusedWith } from './edit-world.js';
import { capture, feedback, retrieve } from './memory-world.js';

let world: EditWorld;
beforeAll(async () => {
  world = await openEditWorld();
});
afterAll(() => world.close());

const SIDES =
  'first { id supersededBy mergedInto } second { id supersededBy mergedInto } differences resolution reason runId';
const LIST = `query ($first: Int!, $after: String, $project: String) {
  conflicts(first: $first, after: $after, project: $project) { nodes { ${SIDES} } pageInfo { hasNextPage endCursor } } }`;
const RESOLVE = `mutation ($input: ResolveConflictInput!) { resolveConflict(input: $input) { ${SIDES} } }`;

interface Side {
  readonly id: string;
  readonly supersededBy: string | null;
  readonly mergedInto: string | null;
}
interface ConflictView {
  readonly first: Side;
  readonly second: Side;
  readonly differences: string[];
  readonly resolution: string | null;
  readonly reason: string | null;
  readonly runId: string | null;
}
interface PageView {
  readonly nodes: ConflictView[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}
const page = async (person: GraphQLClient, variables: object = {}): Promise<PageView> =>
  (await person.send<{ conflicts: PageView }>(LIST, { first: 100, ...variables })).conflicts;
const pairs = async (person: GraphQLClient, variables: object = {}): Promise<string[]> =>
  (await page(person, variables)).nodes.map(({ first, second }) => `${first.id} ${second.id}`);
const resolve = async (person: GraphQLClient, input: object): Promise<ConflictView> =>
  (await person.send<{ resolveConflict: ConflictView }>(RESOLVE, { input })).resolveConflict;
const query = <Row extends object>(sql: string, values: unknown[]): Promise<Row[]> =>
  asSuperuser(world.api.database.adminUrl, async (client) => (await client.query<Row>(sql, values)).rows);

/** Two facts for the same people that contradict each other, by Ada and Ben. */
const contradiction = async (what: string, more: object = {}): Promise<readonly [string, string]> => {
  const first = await capture(world.ada, { text: `The ${what} is served by 3 machines.`, project: 'shop', ...more });
  const author = 'scope' in more ? world.ada : world.ben;
  const second = await capture(author, { text: `The ${what} is served by 5 machines.`, project: 'shop', ...more });
  expect(second.conflicts.map(({ memory }) => memory.id)).toEqual([first.memory.id]);
  return [first.memory.id, second.memory.id];
};

describe('conflicts', () => {
  it('are listed to who sees both sides, page by page and by project, with what differs', async () => {
    const one = await contradiction('search page');
    const two = await contradiction('login form');
    const own = await contradiction('back office', { scope: 'PRIVATE' });
    for (const person of [world.ben, world.mia, world.reader]) {
      expect(await pairs(person)).toEqual([two.join(' '), one.join(' ')]);
    }
    expect(await pairs(world.ada, { project: 'shop' })).toEqual([own.join(' '), two.join(' '), one.join(' ')]);
    expect(await pairs(world.cleo)).toEqual([]);
    const first = await page(world.ben, { first: 1 });
    expect(first.nodes[0]?.differences).toEqual(['number: 3 / 5']);
    const next = await page(world.ben, { first: 1, after: first.pageInfo.endCursor });
    expect([first.pageInfo.hasNextPage, next.pageInfo.hasNextPage]).toEqual([true, false]);
    expect(next.nodes.map(({ first: side }) => side.id)).toEqual([one[0]]);
    const hidden = { input: { first: own[0], second: own[1], resolution: 'KEEP_BOTH' } };
    const missing = { input: { ...hidden.input, first: '00000000-0000-4000-8000-000000000009' } };
    for (const person of [world.mia, world.owner, world.cleo, world.stranger]) {
      expect(await refusal(person, RESOLVE, hidden)).toBe(await refusal(person, RESOLVE, missing));
    }
    expect((await resolve(world.ada, hidden.input)).resolution).toBe('KEEP_BOTH');
    expect(await query(`select action from audit where subject_id = $1`, [own[0]])).toEqual([]);
  });

  it('are decided by maintainers: one takes the place of the other, once, audited, and back', async () => {
    const [first, second] = await contradiction('price list');
    const input = { first: first.slice(0, 8), second, resolution: 'KEEP_SECOND', reason: 'Counted in March.' };
    for (const person of [world.ada, world.ben, world.reader, world.viewer]) {
      expect(await refusedWith(resolve(person, input))).toBe('FORBIDDEN maintainers-resolve');
    }
    const decided = await resolve(world.mia, input);
    expect(decided).toMatchObject({
      first: { id: first, supersededBy: second },
      resolution: 'KEEP_SECOND',
      reason: 'Counted in March.',
    });
    expect(await pairs(world.mia)).not.toContain(`${first} ${second}`);
    const found = (await retrieve(world.ben, 'price list machines')).hits.map(({ memory }) => memory.id);
    expect([found.includes(first), found.includes(second)]).toEqual([false, true]);
    expect(await resolve(world.mia, input)).toEqual(decided);
    expect(await refusedWith(resolve(world.mia, { ...input, resolution: 'KEEP_BOTH' }))).toBe(
      'CONFLICT conflict-decided',
    );
    expect(await resolve(world.mia, { ...input, resolution: 'REOPEN' })).toMatchObject({
      first: { supersededBy: null },
      resolution: null,
      reason: null,
    });
    expect(await pairs(world.mia)).toContain(`${first} ${second}`);
    const audit = await query('select action, details from audit where subject_id = $1 order by seq', [first]);
    expect(audit).toEqual([
      { action: 'conflict.resolved', details: { with: second, resolution: 'keep_second' } },
      { action: 'conflict.reopened', details: { with: second, resolution: 'reopen' } },
    ]);
  });

  it('that both hold are not asked again, until a text changes or somebody reopens them', async () => {
    const [first, second] = await contradiction('news feed');
    await resolve(world.mia, { first, second, resolution: 'KEEP_BOTH' });
    await capture(world.ben, { text: 'The news feed is served by 5 machines.', project: 'shop' });
    expect(await pairs(world.mia)).not.toContain(`${first} ${second}`);
    await resolve(world.mia, { first: second, second: first, resolution: 'REOPEN' });
    expect(await pairs(world.mia)).toContain(`${first} ${second}`);
  });

  const STAND = `select id, state, text, tags, merged_into, superseded_by, revision, proof_count, (select helpful from memory_stat s
    where s.memory_id = m.id) as helpful from memory m where id = any ($1) order by created_at, id`;
  const UNDO = 'mutation ($id: ID!) { undo(id: $id) { restoredIds skippedIds } }';
  const answersTo = async (question: string): Promise<string[]> =>
    (await retrieve(world.ben, question)).hits.map(({ memory }) => memory.id);

  it('are merged by a maintainer: the older goes into the newer, and back, as if nothing had been', async () => {
    const [first, second] = await contradiction('mail relay', { tags: ['relay'] });
    const { retrievalId } = await retrieve(world.mia, 'mail relay machines');
    await feedback(world.mia, { memoryIds: [first, second], helpful: true, retrievalId });
    const before = await query(STAND, [[first, second]]);
    const input = { first, second, resolution: 'MERGE', reason: 'Two more since March.' };
    for (const person of [world.ada, world.ben, world.reader, world.viewer]) {
      expect(await refusedWith(resolve(person, input))).toBe('FORBIDDEN maintainers-resolve');
    }
    const merged = await resolve(world.mia, input);
    expect(merged).toMatchObject({ first: { mergedInto: second }, second: { mergedInto: null }, resolution: 'MERGE' });
    expect(await pairs(world.mia)).not.toContain(`${first} ${second}`);
    expect(await answersTo('mail relay machines')).toEqual([second]);
    expect(await resolve(world.mia, input)).toEqual(merged);
    expect(await refusedWith(resolve(world.mia, { ...input, resolution: 'KEEP_BOTH' }))).toBe(
      'CONFLICT conflict-decided',
    );
    expect(await refusedWith(world.ada.send(UNDO, { id: merged.runId }))).toMatch(/^NOT_FOUND/);
    expect(await world.mia.send(UNDO, { id: merged.runId })).toMatchObject({ undo: { restoredIds: [first] } });
    expect(await query(STAND, [[first, second]])).toEqual(before);
    expect(await pairs(world.mia)).toContain(`${first} ${second}`);
    await resolve(world.mia, input);
    expect(await resolve(world.mia, { ...input, resolution: 'REOPEN' })).toMatchObject({ resolution: null });
    expect(await query(STAND, [[first, second]])).toEqual(before);
  });

  it('are merged into what the maintainer writes, which both stand behind, until it is undone', async () => {
    const [first, second] = await contradiction('web cache', { tags: ['cache'] });
    const before = await query(STAND, [[first, second]]);
    const text = 'The web cache is served by 3 machines on weekdays and by 5 at weekends.';
    const input = { first: second, second: first, resolution: 'MERGE', text };
    const merged = await resolve(world.mia, input);
    const made = merged.first.mergedInto ?? '';
    expect(merged).toMatchObject({ first: { mergedInto: made }, second: { mergedInto: made } });
    expect([first, second]).not.toContain(made);
    expect(await answersTo('web cache machines')).toEqual([made]);
    expect(await query(STAND, [[made]])).toMatchObject([{ state: 'active', text, tags: ['cache'] }]);
    const audit = await query('select action from audit where subject_id in ($1, $2, $3) order by seq', [
      ...[first, second, merged.runId],
    ]);
    expect(audit).toEqual([{ action: 'memories.merged' }, { action: 'conflict.resolved' }]);
    await world.mia.send(UNDO, { id: merged.runId });
    expect(await query(STAND, [[first, second]])).toEqual(before);
    expect(await query(STAND, [[made]])).toMatchObject([{ state: 'archived' }]);
    expect((await answersTo('web cache machines')).sort()).toEqual([first, second].sort());
    expect(await pairs(world.mia)).toContain(`${first} ${second}`);

    const refused = (more: object): Promise<string> => refusedWith(resolve(world.mia, { ...input, ...more }));
    expect(await refused({ resolution: 'KEEP_BOTH' })).toBe('BAD_USER_INPUT text-not-needed');
    expect(await refused({ text: ' ' })).toMatch(/^BAD_USER_INPUT/);
    await query('update memory set kind = $2 where id = $1', [first, 'question']);
    expect(await refused({})).toBe('CONFLICT not-alike');
    expect((await query(STAND, [[first, second]])).length).toBe(2);
  });

  it('decided two ways at once leave one standing', async () => {
    const [first, second] = await contradiction('media store');
    const outcomes = await Promise.all([
      refusedWith(resolve(world.mia, { first, second, resolution: 'KEEP_FIRST' })),
      refusedWith(resolve(world.mia, { first, second, resolution: 'KEEP_SECOND' })),
    ]);
    expect(outcomes.sort()).toEqual(['CONFLICT conflict-decided', 'let through']);
    const standing = await query('select id from memory where id = any ($1) and superseded_by is null', [
      [first, second],
    ]);
    expect(standing.length).toBe(1);
  });

  it('are refused for one memory twice, for two that are none, and for reasons too long', async () => {
    const [first, second] = await contradiction('shop window');
    const other = (await capture(world.ada, { text: 'Quinces ripen late.', project: 'shop' })).memory.id;
    const refused = (input: object): Promise<string> =>
      refusedWith(resolve(world.mia, { first, second, resolution: 'KEEP_BOTH', ...input }));
    expect(await refused({ second: first })).toBe('BAD_USER_INPUT one-memory');
    expect(await refused({ second: other })).toBe('NOT_FOUND no-such-conflict');
    expect(await refused({ reason: 'x'.repeat(501) })).toMatch(/^BAD_USER_INPUT/);
  });
});
