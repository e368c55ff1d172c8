import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  feedbackRate: number;
  highValue: number;
  neverRetrieved: number;
  meanUtility: number;
  advice: string[];
}

const STATUS = `query ($project: String) { status(project: $project) { memories ownMemories sharedMemories
  awaitingEmbedding retrievals helpfulVotes feedbackRate highValue neverRetrieved meanUtility advice } }`;

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

  it('of a hidden project answers like one of none', async () => {
    const hidden = await world.cleo.refused(STATUS, { project: 'shop' });
    const missing = await world.cleo.refused(STATUS, { project: 'nowhere' });
    expect([hidden.code, hidden.message]).toEqual(['NOT_FOUND', missing.message]);
  });
});
