import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import type { GraphQLClient } from '../support/graphql-client.js';
import { type EditWorld, openEditWorld, refusal, refusedWith } from './edit-world.js';
import { capture, retrieve } from './memory-world.js';

let world: EditWorld;
beforeAll(async () => {
  world = await openEditWorld();
});
afterAll(() => world.close());

const SIDES = 'first { id supersededBy } second { id supersededBy } differences resolution reason';
const LIST = `query ($first: Int!, $after: String, $project: String) {
  conflicts(first: $first, after: $after, project: $project) { nodes { ${SIDES} } pageInfo { hasNextPage endCursor } } }`;
const RESOLVE = `mutation ($input: ResolveConflictInput!) { resolveConflict(input: $input) { ${SIDES} } }`;

interface ConflictView {
  readonly first: { readonly id: string; readonly supersededBy: string | null };
  readonly second: { readonly id: string; readonly supersededBy: string | null };
  readonly differences: string[];
  readonly resolution: string | null;
  readonly reason: string | null;
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
