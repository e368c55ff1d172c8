import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import type { GraphQLClient } from '../support/graphql-client.js';
import {
  ARCHIVE,
  change,
  edit,
  type EditWorld,
  FORGET,
  openEditWorld,
  PIN,
  READ,
  read,
  refusal,
  RESTORE,
  VERIFY,
} from './edit-world.js';
import { capture, retrieve } from './memory-world.js';

let world: EditWorld;

beforeAll(async () => {
  world = await openEditWorld();
});
afterAll(() => world.close());

const query = <Row extends object>(sql: string, values: unknown[]): Promise<Row[]> =>
  asSuperuser(world.api.database.adminUrl, async (client) => (await client.query<Row>(sql, values)).rows);

const listed = async (person: GraphQLClient, state: string): Promise<string[]> => {
  const { memories } = await person.send<{ memories: { nodes: { id: string }[] } }>(
    'query ($state: MemoryState) { memories(first: 100, filter: { state: $state }) { nodes { id } } }',
    { state },
  );
  return memories.nodes.map(({ id }) => id);
};
const found = async (person: GraphQLClient, question: string): Promise<string[]> =>
  (await retrieve(person, question)).hits.map(({ memory }) => memory.id);
const SET = 'mutation ($input: SetSettingInput!) { setSetting(input: $input) { value } }';
const actsOn = async (id: string): Promise<string[]> =>
  (await query<{ action: string }>('select action from audit where subject_id = $1 order by seq', [id])).map(
    ({ action }) => action,
  );

const MUTATIONS: readonly (readonly [string, string, object])[] = [
  ['pinning', PIN, { pinned: true }],
  ['verifying', VERIFY, { verification: 'STABLE' }],
  ['archiving', ARCHIVE, {}],
  ['restoring', RESTORE, {}],
  ['forgetting', FORGET, {}],
];

describe.each(MUTATIONS)('%s', (_, mutation, more) => {
  it('answers hidden as missing, byte for byte, and is forbidden to who only sees the memory', async () => {
    const shared = await world.shared(`A shared fact about ${mutation.length} otters.`);
    const own = (await capture(world.ada, `A private fact about ${mutation.length} otters.`)).memory;
    const missing = await refusal(world.ben, mutation, { ...more, id: randomUUID() });
    expect(missing).toContain('NOT_FOUND');
    for (const person of [world.cleo, world.stranger]) {
      expect(await refusal(person, mutation, { ...more, id: shared.id })).toBe(missing);
    }
    for (const person of [world.ben, world.mia, world.owner]) {
      expect(await refusal(person, mutation, { ...more, id: own.id })).toBe(missing);
    }
    for (const person of [world.ben, world.reader, world.viewer]) {
      expect(await refusal(person, mutation, { ...more, id: shared.id })).toContain('FORBIDDEN');
    }
    expect(await read(world.ada, shared.id)).toMatchObject({
      state: 'ACTIVE',
      pinned: false,
      verification: 'UNTESTED',
    });
  });

  it('may be repeated, also at once, and is audited once where others see the memory', async () => {
    const { id } = await world.shared(`Another shared fact about ${mutation.length} otters.`);
    if (mutation === RESTORE) await query(`update memory set state = 'archived' where id = $1`, [id]);
    await Promise.all(Array.from({ length: 5 }, () => change(world.mia, mutation, { ...more, id })));
    expect((await actsOn(id)).length).toBe(1);
    const own = (await capture(world.ada, `Another private fact about ${mutation.length} otters.`)).memory;
    if (mutation === RESTORE) await query(`update memory set state = 'archived' where id = $1`, [own.id]);
    await change(world.ada, mutation, { ...more, id: own.id });
    expect(await actsOn(own.id)).toEqual([]);
  });
});

describe('a pin', () => {
  it('of what is shared is a maintainer’s, of a private memory its owner’s, a reader’s too', async () => {
    const { id } = await world.shared('The fountain is switched off in frost.');
    expect(await refusal(world.ada, PIN, { id, pinned: true })).toContain('maintainers-pin');
    expect((await change(world.mia, PIN, { id, pinned: true })).pinned).toBe(true);
    expect(await refusal(world.ada, PIN, { id, pinned: false })).toContain('maintainers-pin');
    // What a maintainer pinned stays pinned when its author edits it.
    expect((await edit(world.ada, id, 1, { tags: ['water'] })).memory.pinned).toBe(true);
    const own = (await capture(world.reader, 'Where I put the umbrella.')).memory;
    expect((await change(world.reader, PIN, { id: own.id, pinned: true })).pinned).toBe(true);
    const tenantWide = (await capture(world.owner, { text: 'The alarm code changes monthly.', scope: 'TENANT' }))
      .memory;
    expect(await refusal(world.mia, PIN, { id: tenantWide.id, pinned: true })).toContain('FORBIDDEN');
    expect((await change(world.owner, PIN, { id: tenantWide.id, pinned: true })).pinned).toBe(true);
  });
});

describe('an archived memory', () => {
  it('is out of searches and lists, still readable by its id, and comes back as it was', async () => {
    const { id } = await world.shared('The carillon plays Vivaldi at eleven.');
    const reason = 'the bells are sold';
    expect(await change(world.ada, ARCHIVE, { id, reason })).toMatchObject({ state: 'ARCHIVED', stateReason: reason });
    expect(await found(world.ben, 'What does the carillon play?')).not.toContain(id);
    expect(await listed(world.ben, 'ACTIVE')).not.toContain(id);
    expect(await listed(world.ben, 'ARCHIVED')).toContain(id);
    expect(await listed(world.cleo, 'ARCHIVED')).not.toContain(id);
    expect((await read(world.ben, id)).state).toBe('ARCHIVED');
    const refused = await refusal(world.ada, PIN, { id, pinned: true });
    expect(refused).toContain('not-active');
    expect(await change(world.mia, RESTORE, { id })).toMatchObject({ state: 'ACTIVE', stateReason: null, revision: 1 });
    expect(await found(world.ben, 'What does the carillon play?')).toContain(id);
    expect(await actsOn(id)).toEqual(['memory.archived', 'memory.restored']);
  });

  it('takes a reason of 500 characters at most', async () => {
    const { id } = await world.shared('The moat is drained for repairs.');
    expect(await refusal(world.ada, ARCHIVE, { id, reason: 'x'.repeat(501) })).toContain('text-too-long');
    expect(await refusal(world.ada, ARCHIVE, { id, reason: ' ' })).toContain('text-empty');
  });
});

describe('a forgotten memory', () => {
  it('F6: is missing for everybody but its owner, by every way, and its vectors are gone', async () => {
    const { id } = await world.shared('The drawbridge motor is a Siemens.');
    const twin = await world.shared('The drawbridge motor is a Siemens model.');
    await change(world.ada, FORGET, { id });
    for (const person of [world.ben, world.mia, world.owner, world.reader]) {
      expect(await refusal(person, READ, { id })).toBe(await refusal(person, READ, { id: randomUUID() }));
      expect(await listed(person, 'FORGOTTEN')).not.toContain(id);
      expect(await refusal(person, RESTORE, { id })).toContain('NOT_FOUND');
      expect(await found(person, 'Who made the drawbridge motor?')).not.toContain(id);
    }
    const { memory } = await world.ben.send<{ memory: { related: { memory: { id: string } }[] } }>(
      'query ($id: ID!) { memory(id: $id) { related { memory { id } } } }',
      { id: twin.id },
    );
    expect(memory.related.map((one) => one.memory.id)).not.toContain(id);
    expect(await query('select 1 from embedding where memory_id = $1', [id])).toEqual([]);
    expect(await listed(world.ada, 'FORGOTTEN')).toContain(id);
    expect(await found(world.ada, 'Who made the drawbridge motor?')).not.toContain(id);
    expect((await read(world.ada, id)).state).toBe('FORGOTTEN');
    expect((await change(world.ada, RESTORE, { id })).state).toBe('ACTIVE');
    expect((await read(world.ben, id)).text).toBe('The drawbridge motor is a Siemens.');
  });

  it('that a maintainer forgot is the maintainer’s and the owner’s to take back', async () => {
    const { id } = await world.shared('The password of the guest network is on the fridge.');
    await change(world.mia, FORGET, { id });
    expect(await refusal(world.ben, READ, { id })).toContain('NOT_FOUND');
    expect((await read(world.mia, id)).state).toBe('FORGOTTEN');
    expect((await change(world.ada, RESTORE, { id })).state).toBe('ACTIVE');
  });

  it('cannot be archived, edited or restored after thirty days', async () => {
    const { id } = (await capture(world.ada, 'The combination of my bicycle lock.')).memory;
    await change(world.ada, FORGET, { id });
    expect(await refusal(world.ada, ARCHIVE, { id })).toContain('not-active');
    await query(`update memory set state_since = now() - interval '30 days' where id = $1`, [id]);
    expect(await refusal(world.ada, RESTORE, { id })).toContain('CONFLICT');
    expect((await read(world.ada, id)).state).toBe('FORGOTTEN');
  });

  it('that was archived is restored until the tenant says how long that lasts', async () => {
    const { id } = await world.shared('The loft ladder is borrowed from the neighbours.');
    await change(world.mia, ARCHIVE, { id });
    await query(`update memory set state_since = now() - interval '400 days' where id = $1`, [id]);
    const days = (value: string): Record<string, unknown> => ({ input: { key: 'storage.erase_archived_days', value } });
    await world.owner.send(SET, days('400'));
    expect(await refusal(world.mia, RESTORE, { id })).toContain('What was archived 400 days ago is not restored.');
    await world.owner.send(SET, days('401'));
    expect((await change(world.mia, RESTORE, { id })).state).toBe('ACTIVE');
  });

  it('is embedded anew when it is restored', async () => {
    const { id } = (await capture(world.ada, 'The sourdough starter lives in the blue jar.')).memory;
    await change(world.ada, FORGET, { id });
    await change(world.ada, RESTORE, { id });
    await expect
      .poll(() => query('select 1 from embedding where memory_id = $1', [id]), { timeout: 20_000 })
      .not.toEqual([]);
  });
});

describe('who lost their right', () => {
  it('to capture there cannot change what they shared, and hides nothing by it', async () => {
    await world.owner.send('mutation { createProject(input: { slug: "annex", name: "Annex" }) { id } }');
    const { me } = await world.ben.send<{ me: { user: { id: string } } }>('query { me { user { id } } }');
    const add = (role: string): Promise<unknown> =>
      world.owner.send('mutation ($input: AddMemberInput!) { addMember(input: $input) { role } }', {
        input: { project: 'annex', userId: me.user.id, role },
      });
    await add('CONTRIBUTOR');
    const { id } = (await capture(world.ben, { text: 'The annex roof leaks.', project: 'annex' })).memory;
    await add('READER');
    for (const [, mutation, more] of MUTATIONS.filter(([name]) => name !== 'restoring')) {
      expect(await refusal(world.ben, mutation, { ...more, id })).toContain('FORBIDDEN');
    }
    expect((await read(world.ben, id)).state).toBe('ACTIVE');
  });

  it('in an archived project nothing is changed, put away or brought back, but forgotten', async () => {
    await world.owner.send('mutation { createProject(input: { slug: "barn", name: "Barn" }) { id } }');
    const text = 'The barn door squeaks.';
    const { id } = (await capture(world.owner, { text, project: 'barn' })).memory;
    const kept = (await capture(world.owner, { text: 'My list of hens.', project: 'barn', scope: 'PRIVATE' })).memory;
    await world.owner.send('mutation { archiveProject(project: "barn") { id } }');
    for (const [mutation, more] of [
      [PIN, { pinned: true }],
      [VERIFY, { verification: 'STABLE' }],
      [ARCHIVE, {}],
    ] as const) {
      expect(await refusal(world.owner, mutation, { ...more, id })).toContain('project-archived');
    }
    await expect(edit(world.owner, id, 1, { text: 'The barn door is quiet.' })).rejects.toMatchObject({
      reason: 'project-archived',
    });
    expect((await edit(world.owner, kept.id, 1, { text: 'My list of geese.' })).memory.revision).toBe(2);
    expect((await change(world.owner, FORGET, { id })).state).toBe('FORGOTTEN');
    expect(await refusal(world.owner, RESTORE, { id })).toContain('project-archived');
  });
});
