import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capture, type MemoryWorld, openMemoryWorld, readMemory, retrieve } from './memory-world.js';

let world: MemoryWorld;

beforeAll(async () => {
  world = await openMemoryWorld();
});
afterAll(() => world.close());

describe('a capture', () => {
  it('is found by the very next query, with its vector', async () => {
    const { memory, status } = await capture(
      world.ada,
      'The checkout test needs the Stripe sandbox key in the environment.',
    );
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
    const refusal = await world.cleo.refused('query ($id: ID!) { memory(id: $id) { id } }', { id: memory.id });
    expect(refusal).toMatchObject({ code: 'NOT_FOUND' });
  });
});
