import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTenant, type GraphQLClient } from '../support/graphql-client.js';
import { ARCHIVE, change } from './edit-world.js';
import { capture, feedback, type MemoryWorld, openMemoryWorld, retrieve } from './memory-world.js';

let world: MemoryWorld;
const ids: Record<string, string> = {};

const BRIEF = `query ($input: BriefInput!) { brief(input: $input) { retrievalId leftOut tokens searchedScopes
  correctionCategories { name count } items { part text why memory { id } } } }`;

interface BriefView {
  readonly retrievalId: string;
  readonly leftOut: number;
  readonly tokens: number;
  readonly searchedScopes: string[];
  readonly correctionCategories: { name: string; count: number }[];
  readonly items: { part: string; text: string; why: string[]; memory: { id: string } }[];
}

const brief = async (person: GraphQLClient, input: object): Promise<BriefView> =>
  (await person.send<{ brief: BriefView }>(BRIEF, { input: { project: 'shop', ...input } })).brief;

const keep = async (name: string, text: string, more: object = {}): Promise<void> => {
  const input = { text, project: 'shop', merge: 'NEVER', sessionKey: randomUUID(), ...more };
  ids[name] = (await capture(world.ada, input)).memory.id;
};

/** What a brief tells, as name and part. */
const namesIn = ({ items }: BriefView): string[] =>
  items.map(({ part, memory }) => `${part} ${Object.keys(ids).find((name) => ids[name] === memory.id) ?? '?'}`);

beforeAll(async () => {
  world = await openMemoryWorld();
  const file = { filesModified: ['src/db/pool.ts'] };
  await keep('mocks', 'Never mock the pool in tests.', { kind: 'CORRECTION', tags: ['tests', 'database'], ...file });
  await keep('names', 'Branches carry the ticket.', { kind: 'CORRECTION', tags: ['tests'] });
  await keep('replica', 'Is the replica allowed to lag?', { kind: 'QUESTION', tags: ['Database'] });
  await keep('size', 'The pool holds twenty clients.', { kind: 'DECISION', ...file });
  await keep('gone', 'The pool holds ten clients.', { kind: 'DECISION', ...file });
  await change(world.ada, ARCHIVE, { id: ids['gone'] });
  await keep('expired', 'The pool holds five clients.', {
    kind: 'DECISION',
    expiresAt: '2026-01-01T00:00:00Z',
    ...file,
  });
  await keep('leak', 'Morning of a tram driver.', {
    errorsResolved: [
      { error: 'timeout acquiring client 7f3a2b1c after 5000 ms at /srv/app/db.js:3', resolution: 'close in finally' },
    ],
  });
  await keep('open', 'Another tram.', {
    errorsResolved: [{ error: 'timeout acquiring client after 1 ms at /x/y.js:4' }],
  });
  await keep('renew', '把证书换成新的。', { kind: 'TODO' });
  await keep('driver', 'Tried drivers.', {
    alternatives: [{ approach: 'a native driver', whyNot: 'no builds for arm', revisitIf: 'it ships arm builds' }],
    ...file,
  });
  const secret = { text: 'The pool is mine.', kind: 'DECISION', ...file };
  ids['private'] = (await capture(world.ben, secret)).memory.id;
});
afterAll(() => world.close());

describe('a brief', () => {
  const task = 'Reports hang.\nTimeout acquiring client 00ff00ff1 after 30 ms at C:\\app\\db.js:9';

  it('joins what is in force about a task by files, domain and the same error; each once, nothing hidden, archived or expired', async () => {
    const told = await brief(world.ada, { task, files: ['pool.ts'], domain: 'database' });
    const related = namesIn(told);
    expect(related).toEqual(
      expect.arrayContaining([
        ...['CORRECTION mocks', 'QUESTION replica', 'DECISION size', 'ERROR leak', 'TODO renew', 'ALTERNATIVE driver'],
      ]),
    );
    for (const name of ['gone', 'expired', 'private', 'open']) expect(related.join()).not.toContain(name);
    expect(new Set(told.items.map(({ memory }) => memory.id)).size).toBe(told.items.length);
    const parts = ['CORRECTION', 'QUESTION', 'DECISION', 'ERROR', 'TODO', 'ALTERNATIVE'];
    const order = told.items.map(({ part }) => parts.indexOf(part));
    expect(order).toEqual([...order].sort((one, other) => one - other));
    expect(told.correctionCategories).toEqual([
      { name: 'tests', count: 2 },
      { name: 'database', count: 1 },
    ]);
    const textOf = (name: string): string => told.items.find(({ memory }) => memory.id === ids[name])?.text ?? '';
    expect(textOf('leak')).toContain('=> close in finally');
    expect(textOf('driver')).toContain('look again if it ships arm builds');
    expect(told.items.find(({ memory }) => memory.id === ids['leak'])?.why).toContain('same error');
    expect(namesIn(await brief(world.ben, { files: ['src/db/pool.ts'] }))).toContain('DECISION private');
  });

  it('keeps to its budget by whole items, also in Chinese, and says how many are left out', async () => {
    for (let index = 0; index < 4; index += 1)
      await keep(`zh${index}`, '数据库连接池的证书需要更换。'.repeat(11), { kind: 'TODO' });
    const all = await brief(world.ada, { task, files: ['pool.ts'], maxTokens: 20_000, limit: 10 });
    const some = await brief(world.ada, { task, files: ['pool.ts'], maxTokens: 300 });
    expect(all.leftOut).toBe(0);
    expect(some.tokens).toBeLessThanOrEqual(300);
    expect(some.items.length + some.leftOut).toBe(all.items.length);
    expect(some.leftOut).toBeGreaterThan(0);
    const chinese = all.items.find(({ memory }) => memory.id === ids['zh0']);
    expect([...(chinese?.text ?? '')].length).toBe(14 * 11);
    expect(all.tokens).toBeGreaterThan(4 * 14 * 11);
  });

  it('is voted on like any answer: what it showed, by its id or by the memory alone, for the task; and nothing that it did not show', async () => {
    const voted = async (input: object): Promise<[string[], string[]]> => {
      const { recorded, rejected } = await feedback(world.ben, { helpful: true, ...input });
      return [recorded, rejected.map(({ id, reason }) => `${id} ${reason}`)];
    };
    const [mocks = '', names = ''] = [ids['mocks'], ids['names']];
    const neverShown = 'It was never shown to you; ask first, then vote on what helped.';
    expect(await voted({ memoryIds: [names] })).toEqual([[], [`${names} ${neverShown}`]]);
    const { retrievalId, items } = await brief(world.ben, {
      task: 'Mock the pool in tests?',
      files: ['pool.ts'],
      limit: 1,
    });
    expect(items.map(({ memory }) => memory.id)).toContain(mocks);
    expect(items.map(({ memory }) => memory.id)).not.toContain(names);
    const notThere = 'That answer did not show it to you.';
    expect(await voted({ memoryIds: [mocks, names], retrievalId })).toEqual([[mocks], [`${names} ${notThere}`]]);
    expect(await voted({ memoryIds: [mocks, names] })).toEqual([[mocks], [`${names} ${neverShown}`]]);
    expect((await feedback(world.ada, { helpful: true, memoryIds: [mocks], retrievalId })).recorded).toEqual([]);
    const again = await retrieve(world.ben, 'Mock the pool in tests?', { project: 'shop' });
    const hit = again.hits.find(({ memory }) => memory.id === mocks);
    expect(hit?.explanation.context).toBeGreaterThan(0);
    // By files alone there are no words to remember, and a vote all the same.
    const silent = await brief(world.ben, { domain: 'database' });
    expect(await voted({ memoryIds: [ids['replica']], retrievalId: silent.retrievalId })).toEqual([
      [ids['replica']],
      [],
    ]);
  });

  it('counts as asked, once for a person and day together with every other answer', async () => {
    const asked = async (): Promise<number> =>
      (
        await world.ada.send<{ memory: { utility: { retrievals: number } } }>(
          'query ($id: ID!) { memory(id: $id) { utility { retrievals } } }',
          { id: ids['fresh'] },
        )
      ).memory.utility.retrievals;
    await keep('fresh', 'Migrations of the warehouse run at noon.', { kind: 'DECISION', tags: ['warehouse'] });
    const task = 'When do the migrations of the warehouse run?';
    expect(await asked()).toBe(0);
    await brief(world.ben, { task, domain: 'warehouse' });
    await brief(world.ben, { task: 'Warehouse', domain: 'warehouse' });
    await retrieve(world.ben, task, { project: 'shop' });
    expect(await asked()).toBe(1);
    await brief(world.ada, { domain: 'warehouse' });
    expect(await asked()).toBe(2);
  });

  it('refuses what it cannot be for, and what is hidden like what is not there', async () => {
    const stranger = await createTenant(await world.api.operator(), 'Other');
    for (const [input, reason] of [
      [{}, 'no-subject'],
      [{ task: ' ' }, 'text-empty'],
      [{ task: 'x', limit: 11 }, 'limit'],
      [{ task: 'x', maxTokens: 100 }, 'range'],
    ] as const)
      expect((await world.ada.refused(BRIEF, { input: { project: 'shop', ...input } })).reason).toBe(reason);
    for (const project of ['shop', 'nowhere'])
      expect((await stranger.refused(BRIEF, { input: { project, task: 'pool' } })).code).toBe('NOT_FOUND');
  });
});
