import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTenant, type GraphQLClient } from '../support/graphql-client.js';
import { type AnswerView, capture, type MemoryWorld, openMemoryWorld, RETRIEVE, retrieve } from './memory-world.js';

let world: MemoryWorld;
let stranger: GraphQLClient;

beforeAll(async () => {
  world = await openMemoryWorld();
  stranger = await createTenant(await world.api.operator(), 'Umbrella');
});
afterAll(() => world.close());

const SET = 'mutation ($input: SetSettingInput!) { setSetting(input: $input) { value } }';
const RESET = 'mutation ($input: ResetSettingInput!) { resetSetting(input: $input) { value } }';

const ids = async (person: GraphQLClient, query: string, more: object = {}): Promise<string[]> =>
  (await retrieve(person, query, { ...more })).hits.map(({ memory }) => memory.id);

describe('an answer', () => {
  it('holds what the caller may see and nothing else, wherever it lies near', async () => {
    const question = 'How do we rotate the signing certificate?';
    const text = 'To rotate the signing certificate, run the rotate job and restart the gateway.';
    const own = await capture(world.ada, { text: `${text} Private hint.`, merge: 'NEVER' });
    const shared = await capture(world.ada, { text, project: 'shop', merge: 'NEVER' });
    const everyone = await capture(world.owner, { text: `${text} For everyone.`, scope: 'TENANT', merge: 'NEVER' });
    const all = [own.memory.id, shared.memory.id, everyone.memory.id];
    const seen = async (person: GraphQLClient): Promise<string[]> =>
      (await ids(person, question, { limit: 50 })).filter((id) => all.includes(id)).sort();
    expect(await seen(world.ada)).toEqual([...all].sort());
    expect(await seen(world.ben)).toEqual([shared.memory.id, everyone.memory.id].sort());
    expect(await seen(world.cleo)).toEqual([everyone.memory.id]);
    expect(await seen(stranger)).toEqual([]);
  });

  it('names everything that was searched', async () => {
    expect((await retrieve(world.ada, 'anything')).searchedScopes).toEqual(['private', 'shop', 'tenant']);
    expect((await retrieve(world.cleo, 'anything')).searchedScopes).toEqual(['private', 'tenant']);
    expect((await retrieve(world.ada, 'anything', { scope: 'PRIVATE' })).searchedScopes).toEqual(['private']);
    expect((await retrieve(world.ada, 'anything', { project: 'shop', scope: 'PROJECT' })).searchedScopes).toEqual([
      'shop',
    ]);
  });

  it('says why it is empty, and is not an error then', async () => {
    const empty = await retrieve(stranger, 'Where is the runbook?');
    expect(empty.hits).toEqual([]);
    expect(empty.emptyReason).toBe('Nothing has been captured yet that you may see.');
    const narrowed = await retrieve(world.ada, 'certificate', { tags: ['no-such-tag'] });
    expect(narrowed.emptyReason).toBe('No memory that passes the filter is near this question.');
  });

  it('is made of words alone where no encoder reads the language, and says so', async () => {
    const { memory } = await capture(world.cleo, '아이들과 끝말잇기 놀이를 했다.');
    const answer = await retrieve(world.cleo, '끝말잇기');
    expect(answer.mode).toBe('KEYWORD');
    expect(answer.hits[0]?.memory.id).toBe(memory.id);
    expect((await retrieve(world.cleo, '냉장고')).emptyReason).toContain('no encoder reads its language');
  });

  it('leaves out what a filter excludes, and what has expired', async () => {
    const about = 'The moon base generator';
    const todo = await capture(world.cleo, {
      text: `${about} needs oil.`,
      kind: 'TODO',
      tags: ['oil'],
      merge: 'NEVER',
    });
    const file = await capture(world.cleo, {
      text: `${about} is wired in the control file.`,
      filesModified: ['base/power/generator.ts'],
      occurredAt: '2026-01-05T00:00:00Z',
      merge: 'NEVER',
    });
    await capture(world.cleo, { text: `${about} is off today.`, expiresAt: '2026-01-01T00:00:00Z', merge: 'NEVER' });
    const both = [todo.memory.id, file.memory.id];
    expect((await ids(world.cleo, about)).sort()).toEqual([...both].sort());
    // Programs fill lists that they may leave out: an empty one narrows nothing, here and in a list.
    const empty = { kinds: [], tags: [], files: [] };
    expect((await ids(world.cleo, about, empty)).sort()).toEqual([...both].sort());
    const { memories } = await world.cleo.send<{ memories: { totalCount: number } }>(
      'query ($filter: MemoryFilter) { memories(first: 1, filter: $filter) { totalCount } }',
      { filter: empty },
    );
    expect(memories.totalCount).toBeGreaterThanOrEqual(2);
    expect(await ids(world.cleo, about, { kinds: ['TODO'] })).toEqual([todo.memory.id]);
    expect(await ids(world.cleo, about, { tags: ['oil', 'gas'] })).toEqual([todo.memory.id]);
    expect(await ids(world.cleo, about, { files: ['power/generator.ts'] })).toEqual([file.memory.id]);
    expect(await ids(world.cleo, about, { until: '2026-02-01T00:00:00Z' })).toEqual([file.memory.id]);
    expect(await ids(world.cleo, about, { since: '2026-02-01T00:00:00Z' })).toEqual([todo.memory.id]);
  });

  it('begins with what is pinned, and explains each place', async () => {
    const plain = await capture(world.ben, { text: 'Invoices are numbered per tenant and year.', merge: 'NEVER' });
    const pinned = await capture(world.ben, { text: 'Invoices must never be deleted.', pinned: true, merge: 'NEVER' });
    const { hits } = await retrieve(world.ben, 'How are invoices numbered per tenant and year?');
    expect(hits.slice(0, 2).map(({ memory }) => memory.id)).toEqual([pinned.memory.id, plain.memory.id]);
    expect(hits.map(({ place }) => place)).toEqual(hits.map((_, index) => index + 1));
    expect(hits.map(({ explanation }) => explanation.placeWithoutLearning)).toEqual(hits.map((_, index) => index + 1));
    expect(hits[1]?.similarity).toBeGreaterThan(hits[0]?.similarity ?? 1);
  });

  it('says of the same text that it is, of another wording that it is near, and of an unrelated text nothing of the kind', async () => {
    const text = 'Use the read replica for reports; the primary is for writes.';
    const { memory } = await capture(world.cleo, { text, tags: ['replica'], kind: 'DECISION', merge: 'NEVER' });
    await world.owner.send(SET, { input: { key: 'retrieval.min_similarity', value: '0' } });
    const hitOf = async (question: string): Promise<AnswerView['hits'][number] | undefined> =>
      (await retrieve(world.cleo, question, { limit: 50 })).hits.find((hit) => hit.memory.id === memory.id);
    const alike = async (question: string): Promise<number | undefined> => (await hitOf(question))?.similarity;
    expect(await alike(text)).toBeGreaterThanOrEqual(0.95);
    // As in the README: by its meaning alone, whatever the probability that it answers.
    const reworded = await hitOf('where do reports read from?');
    expect(reworded?.similarity).toBeGreaterThan(0.25);
    expect(reworded?.similarity).toBeLessThan(reworded?.explanation.cosine ?? 0);
    expect(reworded?.similarity).not.toBeCloseTo(reworded?.explanation.relevance ?? 0, 6);
    expect((await alike('Which colour has the logo on the invoice?')) ?? 0).toBeLessThan(0.1);
    await world.owner.send(RESET, { input: { key: 'retrieval.min_similarity' } });
  });

  it('shows what was captured in the same session', async () => {
    const first = await capture(world.cleo, { text: 'Solar panels face south.', sessionKey: 'roof', merge: 'NEVER' });
    const second = await capture(world.cleo, {
      text: 'The inverter hums at noon.',
      sessionKey: 'roof',
      merge: 'NEVER',
    });
    const { hits } = await retrieve(world.cleo, 'Which way do the solar panels face?', { limit: 1 });
    expect(hits[0]?.memory.id).toBe(first.memory.id);
    expect(hits[0]?.sessionMates.map(({ id }) => id)).toContain(second.memory.id);
  });

  it('of a Chinese question comes from Chinese memories by meaning', async () => {
    const { memory } = await capture(world.ben, '部署失败时，先检查数据库迁移有没有执行完。');
    const answer = await retrieve(world.ben, '上线出错应该先看什么？', { limit: 3 });
    expect(answer.hits[0]?.memory.id).toBe(memory.id);
  });

  it('keeps to one project when it is named, with what belongs to none', async () => {
    await world.owner.send('mutation { createProject(input: { slug: "lab", name: "Lab" }) { id } }');
    const lab = await capture(world.owner, { text: 'The lab printer jams on A3.', project: 'lab', merge: 'NEVER' });
    const shop = await capture(world.owner, { text: 'The shop printer jams on A4.', project: 'shop', merge: 'NEVER' });
    const found = await ids(world.owner, 'Which printer jams?', { project: 'lab', limit: 50 });
    expect(found).toContain(lab.memory.id);
    expect(found).not.toContain(shop.memory.id);
  });
});

describe('a question that cannot be asked', () => {
  it.each([
    ['an empty one', { query: ' ' }],
    ['one of 100 kB', { query: 'why '.repeat(25_000) }],
    ['no hits at all', { query: 'a', limit: 0 }],
    ['a negative number of hits', { query: 'a', limit: -1 }],
    ['51 hits', { query: 'a', limit: 51 }],
    ['a huge number of hits', { query: 'a', limit: 2_147_483_648 }],
    ['a NUL', { query: 'a\u0000' }],
    ['a time that runs backwards', { query: 'a', since: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' }],
  ])('%s is bad input', async (_, input) => {
    expect((await world.ada.refused(RETRIEVE, { input })).code).toBe('BAD_USER_INPUT');
  });

  it('about a hidden project answers like one about none', async () => {
    const hidden = await world.cleo.refused(RETRIEVE, { input: { query: 'a', project: 'shop' } });
    const missing = await world.cleo.refused(RETRIEVE, { input: { query: 'a', project: 'nowhere' } });
    expect([hidden.code, hidden.message]).toEqual([missing.code, missing.message]);
    expect(hidden.code).toBe('NOT_FOUND');
  });

  it('but made of odd signs only is answered with nothing', async () => {
    for (const query of ['???', '😀😀', "'; drop table memory; --", ':*&|!<->()', "\\' | \\\\"]) {
      expect((await retrieve(world.ada, query)).retrievalId).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe('one memory', () => {
  const MEMORY = 'query ($id: ID!) { memory(id: $id) { id } }';

  it('that is hidden answers like one that is not there, byte for byte', async () => {
    const { memory } = await capture(world.ada, 'Only Ada knows this.');
    const body = async (person: GraphQLClient, id: string): Promise<string> => {
      const { code, message, status } = await person.refused(MEMORY, { id });
      return JSON.stringify({ code, message, status });
    };
    const missing = await body(world.ben, '00000000-0000-4000-8000-000000000000');
    for (const id of [memory.id, memory.id.slice(0, 8), 'nonsense', ''])
      expect(await body(world.ben, id)).toBe(missing);
    expect(await body(stranger, memory.id)).toBe(missing);
  });

  it('is found by its first eight characters, unless they could mean several', async () => {
    const { me } = await world.ada.send<{ me: { user: { id: string }; tenant: { id: string } } }>(
      'query { me { user { id } tenant { id } } }',
    );
    const author = { tenantId: me.tenant.id, userId: me.user.id };
    const twins = ['abcdef01-0000-4000-8000-000000000001', 'abcdef01-ffff-4fff-bfff-ffffffffffff'];
    const now = new Date();
    const columns = {
      tenantId: me.tenant.id,
      ownerId: me.user.id,
      scope: 'private',
      kind: 'todo',
      title: 'twin',
      text: 'twin',
    };
    await world.api.database.doors.asTenant(author, (tx) =>
      tx.memory.createMany({
        data: twins.map((id) => ({ ...columns, id, validFrom: now, startedAt: now, endedAt: now })),
      }),
    );
    const refusal = await world.ada.refused(MEMORY, { id: 'ABCDEF01' });
    expect(refusal.code).toBe('CONFLICT');
    for (const id of twins) expect(refusal.message).toContain(id);
    expect((await world.ben.refused(MEMORY, { id: 'abcdef01' })).code).toBe('NOT_FOUND');
  });

  it('is listed only for those who may see it, and counted only there', async () => {
    const before = await total(world.ben);
    await capture(world.ada, 'Another private thought.');
    expect(await total(world.ben)).toBe(before);
    await capture(world.ada, { text: 'A shared thought.', project: 'shop' });
    expect(await total(world.ben)).toBe(before + 1);
  });

  it('pages through all memories, each once, newest first', async () => {
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const { memories }: { memories: PageView } = await world.ada.send(
        'query ($after: String) { memories(first: 3, after: $after) { nodes { id createdAt } pageInfo { hasNextPage endCursor } totalCount } }',
        { after },
      );
      seen.push(...memories.nodes.map(({ id }) => id));
      after = memories.pageInfo.hasNextPage ? memories.pageInfo.endCursor : null;
    } while (after !== null);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBe(await total(world.ada));
  });
});

interface PageView {
  nodes: { id: string; createdAt: string }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const total = async (person: GraphQLClient): Promise<number> => {
  const { memories } = await person.send<{ memories: { totalCount: number } }>(
    'query { memories(first: 1) { totalCount } }',
  );
  return memories.totalCount;
};
