import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invite } from '../support/graphql-client.js';
import { CAPTURE, capture, type MemoryWorld, openMemoryWorld, readMemory, retrieve } from './memory-world.js';

let world: MemoryWorld;

beforeAll(async () => {
  world = await openMemoryWorld();
});
afterAll(() => world.close());

describe('a capture', () => {
  it('is found by the very next query, with its vector', async () => {
    const text = 'The checkout test needs the Stripe sandbox key in the environment.';
    const { memory, status } = await capture(world.ada, text);
    expect(status).toBe('CREATED');
    expect(memory.embeddingState).toBe('READY');
    const answer = await retrieve(world.ada, 'Why does the payment test fail without credentials?');
    expect(answer.mode).toBe('VECTOR_AND_KEYWORD');
    expect(answer.hits[0]?.memory.id).toBe(memory.id);
    expect(answer.hits[0]?.explanation.cosine).toBeGreaterThan(0.5);
  });

  it('goes to the project when one is named, and is read there by the others', async () => {
    const { memory } = await capture(world.ada, { text: 'Deploys of the shop go out on Tuesdays.', project: 'shop' });
    expect(memory.scope).toBe('PROJECT');
    const seen = await readMemory(world.ben, memory.id.slice(0, 8));
    expect(seen).toMatchObject({
      id: memory.id,
      mine: false,
      author: { displayName: 'Ada' },
      project: { slug: 'shop' },
    });
  });

  it('takes its title from the first sentence', async () => {
    const { memory } = await capture(
      world.ada,
      '# Cache keys hold the locale. Otherwise German pages leak into French ones.',
    );
    expect(memory.title).toBe('Cache keys hold the locale');
  });

  it('of a long text is found by its words at once, and has its vectors soon after', async () => {
    const text = `${'The nightly import reads supplier price lists and compares them with the catalogue. '.repeat(20)} Zanzibar.`;
    const { memory } = await capture(world.ada, text);
    expect(memory.embeddingState).toBe('PENDING');
    const { hits } = await retrieve(world.ada, 'zanzibar');
    expect(hits[0]?.memory.id).toBe(memory.id);
    await expect
      .poll(async () => (await readMemory(world.ada, memory.id)).embeddingState, { timeout: 20_000 })
      .toBe('READY');
  });

  it('belongs to the session of the client, or to the work of the last two hours', async () => {
    const at = (time: string): object => ({ project: 'shop', occurredAt: `2026-03-02T${time}:00Z`, merge: 'NEVER' });
    const first = await capture(world.ben, { text: 'Morning: the queue worker leaks sockets.', ...at('09:00') });
    const second = await capture(world.ben, { text: 'Later: closing the pool stops the leak.', ...at('10:59') });
    const third = await capture(world.ben, { text: 'Afternoon: the invoices are rounded down.', ...at('13:30') });
    const keyed = await capture(world.ben, { text: 'Night: the backup runs twice.', sessionKey: 'k1', ...at('13:31') });
    expect(second.sessionId).toBe(first.sessionId);
    expect(third.sessionId).not.toBe(first.sessionId);
    expect(keyed.sessionId).not.toBe(third.sessionId);
  });
});

describe('repeating oneself', () => {
  it('with one key makes one memory, however often and however concurrently it is sent', async () => {
    const input = { text: 'Feature flags are read once at start.', idempotencyKey: randomUUID(), merge: 'NEVER' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => capture(world.ada, input)));
    expect(new Set(answers.map(({ memory }) => memory.id)).size).toBe(1);
    expect(answers.map(({ status }) => status).filter((status) => status === 'CREATED')).toHaveLength(1);
    expect(new Set(answers.map(({ sessionId }) => sessionId)).size).toBe(1);
  });

  it('with one key for another text is a conflict, and stores nothing', async () => {
    const idempotencyKey = randomUUID();
    await capture(world.ada, { text: 'Logs rotate daily.', idempotencyKey });
    const refusal = await world.ada.refused(CAPTURE, { input: { text: 'Jupiter has rings.', idempotencyKey } });
    expect(refusal.code).toBe('CONFLICT');
    expect((await retrieve(world.ada, 'Jupiter rings')).hits.map(({ memory }) => memory.text)).not.toContain(
      'Jupiter has rings.',
    );
  });

  it('in nearly the same words is the next revision, with tags joined and the old text kept', async () => {
    const first = await capture(world.ada, { text: 'The staging database is reset every night.', tags: ['staging'] });
    const second = await capture(world.ada, { text: 'The staging database is reset each night.', tags: ['db'] });
    expect(second).toMatchObject({ status: 'MERGED', memory: { id: first.memory.id, revision: 2 } });
    expect([...second.memory.tags].sort()).toEqual(['db', 'staging']);
    const { memory } = await world.ada.send<{ memory: { history: { revision: number; text: string }[] } }>(
      'query ($id: ID!) { memory(id: $id) { history { revision text reason author { displayName } } } }',
      { id: first.memory.id },
    );
    expect(memory.history.map(({ revision, text }) => [revision, text])).toEqual([
      [2, 'The staging database is reset each night.'],
      [1, 'The staging database is reset every night.'],
    ]);
  });

  it('leaves one memory where paraphrases arrive at once', async () => {
    const ways = ['always', 'ALWAYS', 'always ', ' always', 'Always'];
    const answers = await Promise.all(
      ways.map((way) => capture(world.ben, `Payments are ${way} retried with the same key.`)),
    );
    expect(new Set(answers.map(({ memory }) => memory.id)).size).toBe(1);
  });

  it.each([
    ['a number', 'The gateway timeout is 30 seconds.', 'The gateway timeout is 60 seconds.'],
    ['a negation', 'Compression is enabled on the edge.', 'Compression is not enabled on the edge.'],
    ['a number in Chinese', '网关的超时时间是三十秒。', '网关的超时时间是六十秒。'],
    ['a negation in Chinese', '边缘节点已启用压缩。', '边缘节点未启用压缩。'],
    ['a sign', 'Squash merges into the main branch ✅', 'Squash merges into the main branch ❌'],
    ['a comparison', 'The gate opens when load < limit.', 'The gate opens when load > limit.'],
    ['what is struck out', 'Archive ~~the invoices~~ and receipts.', 'Archive the invoices and ~~receipts~~.'],
    ['who does it', 'Alice approves what Bob writes.', 'Bob approves what Alice writes.'],
    ['having no words', '👍', '👎'],
  ])('but for %s is kept beside the first, and told as a conflict', async (_, one, other) => {
    const first = await capture(world.ada, one);
    const second = await capture(world.ada, other);
    expect(second.status).toBe('CREATED');
    expect(second.conflicts.map(({ memory }) => memory.id)).toContain(first.memory.id);
    expect(second.conflicts[0]?.differences.length).toBeGreaterThan(0);
  });

  it('after someone else is never merged into their text', async () => {
    const first = await capture(world.ada, { text: 'The admin pages need the VPN.', project: 'shop' });
    const second = await capture(world.ben, { text: 'The admin pages need the VPN.', project: 'shop' });
    expect(second.status).toBe('CREATED');
    expect(second.near.map(({ memory }) => memory.id)).toContain(first.memory.id);
    expect((await readMemory(world.ada, first.memory.id)).revision).toBe(1);
  });

  it('is kept apart where merging is switched off', async () => {
    const input = { text: 'Tests run in random order.', merge: 'NEVER' };
    const [first, second] = [await capture(world.ada, input), await capture(world.ada, input)];
    expect(second.memory.id).not.toBe(first.memory.id);
  });
});

describe('what a memory is related to', () => {
  const RELATED = 'query ($id: ID!) { memory(id: $id) { related { kind weight memory { id } } } }';
  const relatedTo = async (id: string): Promise<Map<string, string>> => {
    const { memory } = await world.ada.send<{ memory: { related: { kind: string; memory: { id: string } }[] } }>(
      RELATED,
      { id },
    );
    return new Map(memory.related.map(({ kind, memory: other }) => [other.id, kind]));
  };

  it('is told from both ends, a conflict as a conflict, and never across audiences', async () => {
    const session = { sessionKey: 'brewing', merge: 'NEVER' };
    const first = await capture(world.ada, { text: 'The espresso boiler is set to 93 degrees.', ...session });
    const other = await capture(world.ada, { text: 'The espresso boiler is set to 95 degrees.', merge: 'NEVER' });
    const mate = await capture(world.ada, { text: 'Zebras sleep standing.', ...session });
    const shared = await capture(world.ada, { text: 'The espresso boiler is at 93 degrees.', project: 'shop' });
    for (const [one, another] of [
      [first, other],
      [other, first],
    ] as const) {
      expect((await relatedTo(one.memory.id)).get(another.memory.id)).toBe('CONFLICT');
    }
    const related = await relatedTo(first.memory.id);
    expect(related.get(mate.memory.id)).toBe('SESSION');
    expect(related.has(shared.memory.id)).toBe(false);
  });
});

describe('captures at the same time', () => {
  it('all stay', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `Parallel note about topic ${index} of the roadmap.`);
    const people = [world.ada, world.ben];
    const captured = await Promise.all(
      people.flatMap((person) => texts.map((text) => capture(person, { text, project: 'shop', merge: 'NEVER' }))),
    );
    expect(new Set(captured.map(({ memory }) => memory.id)).size).toBe(40);
    expect(new Set(captured.slice(0, 20).map(({ sessionId }) => sessionId)).size).toBe(1);
    const { memories } = await world.ben.send<{ memories: { totalCount: number } }>(
      'query { memories(first: 1, filter: { project: "shop", since: "2026-11-01T00:00:00Z" }) { totalCount } }',
    );
    expect(memories.totalCount).toBeGreaterThanOrEqual(40);
  });

  it('of one call succeed or fail each by itself', async () => {
    const { captureMany } = await world.ada.send<{
      captureMany: { captured: number; failed: number; results: { error: { code: string; message: string } | null }[] };
    }>(
      `mutation ($inputs: [CaptureInput!]!) { captureMany(inputs: $inputs) {
        captured failed results { captured { memory { id } } error { code message } } } }`,
      { inputs: [{ text: 'A good one about sharding.' }, { text: ' ' }, { text: 'To nowhere.', project: 'nowhere' }] },
    );
    expect(captureMany).toMatchObject({ captured: 1, failed: 2 });
    expect(captureMany.results.map(({ error }) => error)).toEqual([
      null,
      { code: 'BAD_USER_INPUT', message: '`text` is empty.' },
      { code: 'NOT_FOUND', message: 'No such project.' },
    ]);
  });
});

describe('what may not be captured', () => {
  it.each([
    ['an empty text', { text: ' \n ' }, 'BAD_USER_INPUT'],
    ['a text over 64 KiB', { text: 'x'.repeat(65_537) }, 'BAD_USER_INPUT'],
    ['a text over 64 KiB in bytes', { text: '记'.repeat(22_000) }, 'BAD_USER_INPUT'],
    ['a NUL', { text: 'a\u0000b' }, 'BAD_USER_INPUT'],
    ['half a character', { text: 'a\ud800b' }, 'BAD_USER_INPUT'],
    ['a title of two lines', { text: 'a', title: 'one\ntwo' }, 'BAD_USER_INPUT'],
    ['too many tags', { text: 'a', tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }, 'BAD_USER_INPUT'],
    ['a wrong type', { text: 5 }, 'BAD_USER_INPUT'],
    ['a kind nobody knows', { text: 'a', kind: 'NOVEL' }, 'BAD_USER_INPUT'],
    ['project scope without a project', { text: 'a', scope: 'PROJECT' }, 'BAD_USER_INPUT'],
    ['a date ahead', { text: 'a', occurredAt: '2199-01-01T00:00:00Z' }, 'BAD_USER_INPUT'],
    ['an unknown project', { text: 'a', project: 'nowhere' }, 'NOT_FOUND'],
    ['the whole tenant, by a member', { text: 'a', scope: 'TENANT' }, 'FORBIDDEN'],
    [
      'a pin before everyone, by a contributor',
      { text: 'a', scope: 'PROJECT', project: 'shop', pinned: true },
      'FORBIDDEN',
    ],
  ])('%s is refused, and nothing is stored', async (_, input, code) => {
    const count = async (): Promise<number> => {
      const { memories } = await world.ada.send<{ memories: { totalCount: number } }>(
        'query { memories(first: 1, filter: { mine: true }) { totalCount } }',
      );
      return memories.totalCount;
    };
    const before = await count();
    const refusal = await world.ada.refused(CAPTURE, { input });
    expect(refusal.code).toBe(code);
    expect(await count()).toBe(before);
  });

  it('a hidden project answers like one that is not there, byte for byte', async () => {
    const hidden = await world.cleo.refused(CAPTURE, { input: { text: 'a', project: 'shop' } });
    const missing = await world.cleo.refused(CAPTURE, { input: { text: 'a', project: 'nowhere' } });
    expect(hidden.message).toBe(missing.message);
    expect(hidden.code).toBe('NOT_FOUND');
  });

  it('of a project one only reads is kept private, unless asked for the project', async () => {
    const reader = await invite(world.owner, { displayName: 'Rita', project: 'shop', projectRole: 'READER' });
    expect((await capture(reader, { text: 'Readers have notes too.', project: 'shop' })).memory.scope).toBe('PRIVATE');
    const refusal = await reader.refused(CAPTURE, { input: { text: 'a', project: 'shop', scope: 'PROJECT' } });
    expect(refusal.code).toBe('FORBIDDEN');
  });
});
