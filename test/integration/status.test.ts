import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import type { GraphQLClient } from '../support/graphql-client.js';
import { capture, feedback, type MemoryWorld, openMemoryWorld, retrieve } from './memory-world.js';

let world: MemoryWorld;

beforeAll(async () => {
  world = await openMemoryWorld();
});
afterAll(() => world.close());

interface StatusView {
  memories: number;
  ownMemories: number;
  sharedMemories: number;
  awaitingEmbedding: number;
  retrievals: number;
  helpfulVotes: number;
  unhelpfulVotes: number;
  feedbackRate: number;
  highValue: number;
  neverRetrieved: number;
  meanUtility: number;
  advice: string[];
}

const STATUS = `query ($project: String) { status(project: $project) { memories ownMemories sharedMemories
  awaitingEmbedding retrievals helpfulVotes unhelpfulVotes feedbackRate highValue neverRetrieved meanUtility advice } }`;

const status = async (person: GraphQLClient, project?: string): Promise<StatusView> =>
  (await person.send<{ status: StatusView }>(STATUS, { project })).status;

describe('the status', () => {
  it('of nothing says what to do', async () => {
    const empty = await status(world.cleo);
    expect(empty).toMatchObject({ memories: 0, meanUtility: 0, feedbackRate: 0 });
    expect(empty.advice).toEqual(['Nothing is remembered yet: capture what you learn as you work.']);
  });

  it('counts what the caller may see, not what others keep to themselves', async () => {
    await capture(world.ada, 'Ada alone knows the wifi password policy.');
    const { memory } = await capture(world.ada, { text: 'Orders are archived after a year.', project: 'shop' });
    await retrieve(world.ben, 'When are orders archived?');
    await feedback(world.ben, { memoryIds: [memory.id], helpful: true });
    expect(await status(world.ada)).toMatchObject({
      memories: 2,
      ownMemories: 2,
      sharedMemories: 1,
      neverRetrieved: 1,
    });
    const seen = await status(world.ben, 'shop');
    expect(seen).toMatchObject({
      memories: 1,
      ownMemories: 0,
      retrievals: 1,
      helpfulVotes: 1,
      feedbackRate: 1,
      highValue: 1,
    });
    expect(seen.meanUtility).toBeCloseTo(2 / 3, 2);
    expect(await status(world.cleo)).toMatchObject({ memories: 0 });
  });

  it('counts who found a memory unhelpful, whatever their votes weigh', async () => {
    const { memory } = await capture(world.ada, { text: 'Refunds are booked by hand every Friday.', project: 'shop' });
    const [before, people] = [await status(world.ada, 'shop'), [world.ada, world.ben]];
    for (const person of people) {
      // Three times: several votes of one person are one voice here, and the author's own weighs half.
      for (const question of ['When are refunds booked?', 'Who books refunds?', 'Are refunds booked by hand?']) {
        await retrieve(person, question);
        await feedback(person, { memoryIds: [memory.id], helpful: false });
      }
    }
    expect((await status(world.ada, 'shop')).unhelpfulVotes - before.unhelpfulVotes).toBe(2);
    await feedback(world.ben, { memoryIds: [memory.id], helpful: true });
    await feedback(world.ada, { memoryIds: [memory.id], helpful: true });
    const after = await status(world.ada, 'shop');
    // Of what a person said in a day the last word counts, so the memory stands as one that two people praised.
    expect([after.unhelpfulVotes - before.unhelpfulVotes, after.highValue - before.highValue]).toEqual([0, 1]);
  });

  it('a memory that only borrows has not proved useful, however high its utility', async () => {
    const { memory } = await capture(world.ada, { text: 'Invoices are numbered without gaps.', project: 'shop' });
    const before = await status(world.ada, 'shop');
    await asSuperuser(world.api.database.adminUrl, (client) =>
      client.query('update memory_stat set propagated = .9, reached = .9 where memory_id = $1', [memory.id]),
    );
    const after = await status(world.ada, 'shop');
    expect(after.meanUtility).toBeGreaterThan(before.meanUtility);
    expect(after.highValue).toBe(before.highValue);
  });

  it('of a hidden project answers like one of none', async () => {
    const hidden = await world.cleo.refused(STATUS, { project: 'shop' });
    const missing = await world.cleo.refused(STATUS, { project: 'nowhere' });
    expect([hidden.code, hidden.message]).toEqual(['NOT_FOUND', missing.message]);
  });
});
