import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capture, type CapturedView, type MemoryWorld, openMemoryWorld, retrieve } from './memory-world.js';

let world: MemoryWorld;

beforeAll(async () => {
  world = await openMemoryWorld();
});
afterAll(() => world.close());

const historyOf = async (id: string): Promise<number> => {
  const { memory } = await world.ada.send<{ memory: { history: object[] } }>(
    'query ($id: ID!) { memory(id: $id) { history { revision } } }',
    { id },
  );
  return memory.history.length;
};

const inTurn = async (inputs: readonly object[]): Promise<CapturedView[]> => {
  const answers: CapturedView[] = [];
  for (const input of inputs) answers.push(await capture(world.ada, { ...input }));
  return answers;
};

describe('the same text again', () => {
  it('is known already: no revision, no second proof by the session, and never near itself', async () => {
    const text = 'The label printer jams on humid days.';
    const answers = await inTurn(Array.from({ length: 50 }, () => ({ text, tags: ['printer'] })));
    const [first, ...others] = answers;
    expect(first?.status).toBe('CREATED');
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set(['REPEATED']));
    expect(new Set(answers.map(({ memory }) => memory.id)).size).toBe(1);
    expect(others.at(-1)?.memory).toMatchObject({ revision: 1, proofCount: 1 });
    expect(await historyOf(first?.memory.id ?? '')).toBe(1);
    const own = answers.flatMap(({ memory, near }) => near.filter((other) => other.memory.id === memory.id));
    expect(own).toEqual([]);
  });

  it.each([
    ['space around it', { text: '\n The freezer alarm is tested monthly.\t ' }],
    [
      'a title made from it',
      { text: 'The freezer alarm is tested monthly.', title: 'The freezer alarm is tested monthly' },
    ],
    ['tags it has', { text: 'The freezer alarm is tested monthly.', tags: ['alarm'] }],
  ])('with %s is the same', async (_, again) => {
    const [, second] = await inTurn([{ text: 'The freezer alarm is tested monthly.', tags: ['alarm'] }, again]);
    expect(second).toMatchObject({ status: 'REPEATED', memory: { revision: 1, text: expect.any(String) as string } });
  });

  it('counts each session once, in whatever order they come', async () => {
    const text = 'The loading dock closes at noon.';
    const answers = await inTurn(['d1', 'd2', 'd2', 'd1', 'd3', 'd2'].map((sessionKey) => ({ text, sessionKey })));
    expect(answers.map(({ memory }) => memory.proofCount)).toEqual([1, 2, 2, 2, 3, 3]);
  });

  it('adds the tags and files it brings, without a revision of the text', async () => {
    const text = 'The tide gauge drifts in winter.';
    const [first, second, third] = await inTurn([
      { text, tags: ['gauge'] },
      { text, tags: ['calibration'], filesModified: ['src/zephyr-probe.ts'], outcome: 'SUCCESS' },
      { text, filesModified: ['src/zephyr-probe.ts'] },
    ]);
    expect(second).toMatchObject({ status: 'MERGED', memory: { id: first?.memory.id, revision: 1 } });
    expect([...(second?.memory.tags ?? [])].sort()).toEqual(['calibration', 'gauge']);
    expect(third?.status).toBe('REPEATED');
    expect(await historyOf(first?.memory.id ?? '')).toBe(1);
    expect((await retrieve(world.ada, 'zephyr-probe')).hits[0]?.memory.id).toBe(first?.memory.id);
    expect((await retrieve(world.ada, 'Does the sensor for sea level lose accuracy?')).hits[0]?.memory.id).toBe(
      first?.memory.id,
    );
  });

  it('under a title of its own is the next revision', async () => {
    const text = 'The boathouse key hangs behind the door.';
    const [first, second] = await inTurn([{ text }, { text, title: 'The boathouse key' }]);
    expect(second).toMatchObject({ status: 'MERGED', memory: { revision: 2, title: 'The boathouse key' } });
    expect(await historyOf(first?.memory.id ?? '')).toBe(2);
  });

  it('of a memory that has expired is a new one', async () => {
    const text = 'The north gate is closed for repairs.';
    const [first, second] = await inTurn([{ text, expiresAt: '2026-01-01T00:00:00Z' }, { text }]);
    expect(second?.status).toBe('CREATED');
    expect(second?.memory.id).not.toBe(first?.memory.id);
  });
});

describe('nearly the same text', () => {
  it('counts each session once, and is never near itself', async () => {
    const ways = ['every', 'each', 'every', 'each'];
    const answers = await inTurn(
      ways.map((way, index) => ({ text: `The compost is turned ${way} week.`, sessionKey: `compost ${index % 2}` })),
    );
    expect(answers.map(({ status, memory }) => [status, memory.revision, memory.proofCount])).toEqual([
      ['CREATED', 1, 1],
      ['MERGED', 2, 2],
      ['MERGED', 3, 2],
      ['MERGED', 4, 2],
    ]);
    const own = answers.flatMap(({ memory, near }) => near.filter((other) => other.memory.id === memory.id));
    expect(own).toEqual([]);
  });
});
