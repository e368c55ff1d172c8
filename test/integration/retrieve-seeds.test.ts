import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedMemories } from '../../prisma/seed-memories.js';
import { capture, type MemoryWorld, openMemoryWorld, retrieve } from './memory-world.js';

const POOL = 'The checkout connection pool ran dry because clients were never closed';

let world: MemoryWorld;

beforeAll(async () => {
  world = await openMemoryWorld();
  for (const { key: _, ...memory } of seedMemories('cli.js')) await capture(world.ada, { ...memory, project: 'shop' });
  await capture(world.ada, { text: POOL, project: 'shop' });
});
afterAll(() => world.close());

describe('among the memories of a first run', () => {
  it.each([
    ['why are we out of connections?', POOL],
    ['Why does checkout run out of database connections?', POOL],
    ['Who can see my private notes?', 'Who sees a memory: private, project, tenant'],
    ['What happens at night?', 'What happens at night: credit, snapshot, propagation'],
    ['port already in use', 'npm start ended because port 4747 was taken'],
  ])('%s is answered first by what knows it', async (question, title) => {
    const { hits } = await retrieve(world.ben, question);
    expect(hits[0]?.memory.title).toBe(title);
  });

  it.each([
    'best pizza in Naples',
    'Who won the chess championship in 1972?',
    'recipe for banana bread',
    'Which restaurant serves the team dinner?',
    'What time does the night train to Vienna start?',
  ])('%s is answered by saying that nothing is known', async (question) => {
    const { hits, emptyReason } = await retrieve(world.ben, question);
    expect(hits.map(({ memory }) => memory.title)).toEqual([]);
    expect(emptyReason).toBe('No memory is near this question.');
  });

  it('a pinned memory that shares one common word with the question neither leads nor fills the answer', async () => {
    const text = 'The team lunch is on Thursdays.';
    await capture(world.ben, { text, pinned: true });
    const { hits } = await retrieve(world.ben, 'Who on the team knows why checkout has no connections?');
    expect(hits[0]?.memory.title).toBe(POOL);
    expect(hits.map(({ memory }) => memory.text)).not.toContain(text);
  });
});
