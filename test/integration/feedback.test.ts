import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GraphQLClient, invite } from '../support/graphql-client.js';
import { oneDayClock } from '../support/one-day-clock.js';
import { change, VERIFY } from './edit-world.js';
import {
  capture,
  feedback,
  FEEDBACK,
  type HitView,
  type MemoryWorld,
  openMemoryWorld,
  retrieve,
} from './memory-world.js';

let world: MemoryWorld;

beforeAll(async () => {
  world = await openMemoryWorld({ now: oneDayClock() });
});
afterAll(() => world.close());

const hitOf = async (person: GraphQLClient, query: string, id: string): Promise<HitView> => {
  const { hits } = await retrieve(person, query, { limit: 50 });
  const hit = hits.find(({ memory }) => memory.id === id);
  if (hit === undefined) throw new Error(`not found: ${query}`);
  return hit;
};

/** In a session of its own: mates lend to each other at once. */
const shared = async (text: string): Promise<string> =>
  (await capture(world.ada, { text, project: 'shop', merge: 'NEVER', sessionKey: randomUUID() })).memory.id;

describe('a helpful vote', () => {
  it('lets a memory overtake one that lies nearer, for the question it was given for', async () => {
    const question = 'How do I reset a customer password?';
    await shared('Reset the password of a customer on the customer page.');
    await shared('The password of a customer is reset from the admin page.');
    const before = await retrieve(world.ben, question);
    const better = before.hits[1]?.memory.id ?? '';
    const vote = { memoryIds: [better], helpful: true, retrievalId: before.retrievalId };
    expect((await feedback(world.ben, vote)).recorded).toEqual([better]);
    const after = await retrieve(world.cleo, question);
    expect(after.hits).toEqual([]);
    const again = await retrieve(world.owner, question);
    expect(again.hits[0]?.memory.id).toBe(better);
    expect(again.hits[0]?.explanation).toMatchObject({ placeWithoutLearning: 2, contextPeople: null });
    // The first vote of somebody of whom nothing is known has an eighth of a voice (docs/decisions/0026).
    expect(again.hits[0]?.explanation.context).toBeGreaterThan(0.03);
    expect(again.hits[0]?.explanation.gain).toBeGreaterThan(0);
  });

  it('ends the distrust of a memory of someone else, which what verifies it lessens', async () => {
    const id = await shared('Thumbnails are rebuilt by the media worker.');
    const question = 'Who rebuilds thumbnails?';
    expect((await hitOf(world.ben, question, id)).explanation.trust).toBe(0.9);
    expect((await hitOf(world.ada, question, id)).explanation.trust).toBe(1);
    await change(world.ada, VERIFY, { id, verification: 'MERGED' });
    expect((await hitOf(world.ben, question, id)).explanation.trust).toBe(0.97);
    await feedback(world.ben, { memoryIds: [id], helpful: true });
    expect((await hitOf(world.owner, question, id)).explanation.trust).toBe(1);
  });

  it('of the author of a shared memory weighs half', async () => {
    const id = await shared('Coupons stack up to three.');
    const question = 'How many coupons stack?';
    await retrieve(world.ada, question);
    await feedback(world.ada, { memoryIds: [id], helpful: true });
    expect((await hitOf(world.ada, question, id)).explanation.utility.evidence).toBeCloseTo(1.5 / 2.5, 9);
  });

  it('tells a number of people from three on only', async () => {
    const id = await shared('Warehouse labels print on the second floor.');
    const question = 'Where do warehouse labels print?';
    const voters = [
      world.ben,
      world.owner,
      await invite(world.owner, { displayName: 'Dan', project: 'shop', projectRole: 'READER' }),
    ];
    const counts: (number | null)[] = [];
    for (const voter of voters) {
      await retrieve(voter, question);
      await feedback(voter, { memoryIds: [id], helpful: true });
      const { explanation } = await hitOf(world.ada, question, id);
      counts.push(explanation.utility.helpfulPeople, explanation.contextPeople);
    }
    expect(counts).toEqual([null, null, null, null, 3, 3]);
  });
});

describe('votes of one person for near-equal questions', () => {
  const [asked, again] = ['Which cron job renews the TLS certificate?', 'Which cron job renews the TLS certificate'];

  it('count once a day, and the older counts again when the newer is taken back', async () => {
    const id = await shared('The TLS certificate is renewed by the weekly cron job.');
    const vote = { memoryIds: [id], helpful: true };
    await feedback(world.ben, { ...vote, retrievalId: (await retrieve(world.ben, asked)).retrievalId });
    const once = await hitOf(world.owner, asked, id);
    expect(once.explanation.context).toBeGreaterThan(0);
    const { retrievalId } = await retrieve(world.ben, again);
    await feedback(world.ben, { ...vote, retrievalId });
    const twice = await hitOf(world.owner, asked, id);
    expect(twice.explanation.context).toBeCloseTo(once.explanation.context, 9);
    expect(twice.explanation.utility.evidence).toBe(once.explanation.utility.evidence);
    await feedback(world.ben, { ...vote, retrievalId, withdraw: true });
    const after = await hitOf(world.owner, asked, id);
    expect(after.explanation.context).toBeCloseTo(once.explanation.context, 9);
  });
});

describe('an unhelpful vote', () => {
  it('lowers what it was given for, and the last vote stands', async () => {
    const question = 'Which port does the metrics server use?';
    const id = await shared('The metrics server uses port 9100.');
    const plain = await hitOf(world.ben, question, id);
    await feedback(world.ben, { memoryIds: [id], helpful: false });
    const blamed = await hitOf(world.ben, question, id);
    expect(blamed.score).toBeLessThan(plain.score);
    expect(blamed.explanation.utility.evidence).toBeCloseTo(1 / 3, 9);
  });

  it('can be changed and taken back, with all it did', async () => {
    const question = 'How long are carts kept?';
    const id = await shared('Carts are kept for ninety days.');
    const asked = await retrieve(world.ben, question);
    const vote = { memoryIds: [id], retrievalId: asked.retrievalId };
    await feedback(world.ben, { ...vote, helpful: false });
    await feedback(world.ben, { ...vote, helpful: true });
    const praised = await hitOf(world.ben, question, id);
    expect(praised.explanation.utility.evidence).toBeCloseTo(2 / 3, 9);
    expect(praised.explanation.context).toBeGreaterThan(0);
    expect(await feedback(world.ben, { memoryIds: [id], helpful: true, withdraw: true })).toMatchObject({
      recorded: [id],
    });
    const neutral = await hitOf(world.ben, question, id);
    expect(neutral.explanation).toMatchObject({ context: 0, gain: 0, utility: { evidence: 0.5 } });
    const { rejected } = await feedback(world.ben, { memoryIds: [id], helpful: true, withdraw: true });
    expect(rejected).toEqual([{ id, reason: 'You have no vote on it.' }]);
  });
});

describe('a vote that cannot be given', () => {
  it('is listed with its reason, beside those that can', async () => {
    const id = await shared('Sitemaps are built hourly.');
    const unseen = await shared('The llama pen was painted green.');
    await retrieve(world.ben, 'How often are sitemaps built?', { limit: 1 });
    const missing = randomUUID();
    const answer = await feedback(world.ben, {
      memoryIds: [id.slice(0, 8), unseen, missing, 'nonsense'],
      helpful: true,
    });
    expect(answer.recorded).toEqual([id]);
    expect(answer.rejected).toEqual(
      expect.arrayContaining([
        { id: unseen, reason: 'It was never shown to you; ask first, then vote on what helped.' },
        { id: missing, reason: 'No such memory.' },
        { id: 'nonsense', reason: 'No such memory.' },
      ]),
    );
  });

  it('because the memory is hidden is refused like one on a memory that is not there', async () => {
    const { memory } = await capture(world.ada, 'Ada keeps this to herself.');
    const { rejected } = await feedback(world.ben, { memoryIds: [memory.id, randomUUID()], helpful: true });
    expect(new Set(rejected.map(({ reason }) => reason))).toEqual(new Set(['No such memory.']));
  });

  it('names the answer when that did not show the memory', async () => {
    const id = await shared('Fonts are self-hosted.');
    const other = await retrieve(world.ben, 'zebra crossings', { limit: 1 });
    const mine = await retrieve(world.ada, 'Are fonts self-hosted?');
    for (const retrievalId of [other.retrievalId, mine.retrievalId, randomUUID(), 'nonsense']) {
      const { rejected } = await feedback(world.ben, { memoryIds: [id], helpful: true, retrievalId });
      expect(rejected).toEqual([{ id, reason: 'That answer did not show it to you.' }]);
    }
  });

  it.each([
    ['on nothing', { memoryIds: [], helpful: true }],
    ['on 51 memories', { memoryIds: Array.from({ length: 51 }, () => randomUUID()), helpful: true }],
    ['with a note that is too long', { memoryIds: [randomUUID()], helpful: true, note: 'x'.repeat(2_001) }],
  ])('%s is bad input', async (_, input) => {
    expect((await world.ben.refused(FEEDBACK, { input })).code).toBe('BAD_USER_INPUT');
  });
});
