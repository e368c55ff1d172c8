import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capture, type MemoryWorld, openMemoryWorld, readMemory, retrieve } from './memory-world.js';

const NAMES = ['bge-small-en-v1.5', 'bge-small-zh-v1.5'];
const models = process.env['EMBEDDING_MODEL_DIR'] ?? '';

let folder: string;
let world: MemoryWorld;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tempera-no-encoder-'));
  process.env['EMBEDDING_MODEL_DIR'] = folder;
  world = await openMemoryWorld();
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true });
});

describe('while no encoder is there', () => {
  it('a capture is kept and found by its words; the encoder that arrives reads it', async () => {
    const english = await capture(world.ada, 'The coffee machine needs descaling every Friday.');
    // In a session of its own: else it would stand in the light of what was captured before it.
    const chinese = await capture(world.ada, { text: '咖啡机每周五都要除垢。', sessionKey: 'another' });
    expect(english.memory.embeddingState).toBe('PENDING');
    const byWords = await retrieve(world.ada, 'descaling');
    expect(byWords).toMatchObject({ mode: 'KEYWORD', emptyReason: null });
    expect(byWords.hits.map(({ memory }) => memory.id)).toEqual([english.memory.id]);
    expect((await retrieve(world.ada, '除垢')).hits[0]?.memory.id).toBe(chinese.memory.id);
    const nothing = await retrieve(world.ada, 'espresso maintenance');
    expect(nothing).toMatchObject({ mode: 'KEYWORD', hits: [] });
    expect(nothing.emptyReason).toContain('no encoder is ready');

    for (const name of NAMES) await symlink(join(models, name), join(folder, name));
    for (const { id } of [english.memory, chinese.memory]) {
      await expect
        .poll(async () => (await readMemory(world.ada, id)).embeddingState, { timeout: 30_000 })
        .toBe('READY');
    }
    const byMeaning = await retrieve(world.ada, 'espresso maintenance');
    expect(byMeaning.mode).toBe('VECTOR_AND_KEYWORD');
    expect(byMeaning.hits[0]?.memory.id).toBe(english.memory.id);
  });

  it('the same text twice is one memory all the same', async () => {
    const text = 'Plants are watered on Mondays.';
    const first = await capture(world.ben, text);
    expect(await capture(world.ben, text)).toMatchObject({ status: 'REPEATED', memory: { id: first.memory.id } });
  });
});
