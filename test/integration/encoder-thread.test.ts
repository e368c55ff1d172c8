import { performance } from 'node:perf_hooks';
import {
  EncoderDesk,
  EncoderPool,
  EncoderThread,
  type EncoderThreadOptions,
  STANDARD_ENCODERS,
  type TextEmbedding,
  transformersLoader,
} from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const source = { kind: 'folder', path: process.env['EMBEDDING_MODEL_DIR'] ?? '' } as const;
const now = (): number => performance.now();
const KIB_64 = 65_536;
const PROSE = 'The checkout pool ran dry because clients were never closed, so we close them in a finally block. ';
const prose = (bytes: number): string => PROSE.repeat(Math.ceil(bytes / PROSE.length)).slice(0, bytes);
const punctuation = '.,;!?-'.repeat(KIB_64 / 6);

const threadPool = (options: Partial<EncoderThreadOptions> = {}): EncoderPool =>
  new EncoderPool({ host: new EncoderThread({ source, ...options }), now });

const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

let pool: EncoderPool;
beforeAll(async () => {
  pool = threadPool();
  await pool.prepare();
});
afterAll(() => pool.dispose());

const vectorsOf = async (from: EncoderPool, text: string): Promise<readonly Float32Array[]> => {
  const { embeddings, missing } = await from.embedText(text);
  expect(missing).toEqual([]);
  return embeddings.flatMap(({ parts }: TextEmbedding) => parts);
};

describe('encoders in a thread', () => {
  it('give the same vectors as in the thread that asks, part by part', async () => {
    const direct = new EncoderPool({
      host: new EncoderDesk({ load: transformersLoader({ source, threads: 1 }), now }),
      now,
    });
    const texts = ['Roll back with helm.', '启动服务之前必须先执行迁移', prose(6_000), punctuation.slice(0, 1_500)];
    for (const text of texts) {
      const [here, there] = [await vectorsOf(direct, text), await vectorsOf(pool, text)];
      expect(there).toHaveLength(here.length);
      for (const [index, vector] of here.entries())
        expect(cosine(vector, there[index] ?? new Float32Array())).toBeGreaterThan(0.9999);
    }
    await direct.dispose();
  });

  // Nearly all tokens, 64 KiB of punctuation take many times as long as prose; the first seconds show how both are read.
  it.each([
    ['prose', prose(KIB_64)],
    ['punctuation', punctuation],
  ])(
    'leave the event loop free while 64 KiB of %s are read',
    async (_, text) => {
      const before = performance.eventLoopUtilization();
      let longest = 0;
      let last = now();
      const watch = setInterval(() => {
        longest = Math.max(longest, now() - last - 5);
        last = now();
      }, 5);
      const start = now();
      const { embeddings, missing } = await pool.embedText(text, { workMs: 4_000 });
      const duration = now() - start;
      clearInterval(watch);
      expect(embeddings.length + missing.filter(({ error }) => error.code === 'encoder-too-slow').length).toBe(1);
      // The share of the time in which this event loop had something to do; with an encoder of its own it is nearly 1.
      expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
      expect(longest).toBeLessThan(duration / 4);
    },
    180_000,
  );

  it("let another tenant's short question overtake long texts, and its short text too", async () => {
    const done: string[] = [];
    const note = (name: string, work: Promise<unknown>): Promise<unknown> => work.then(() => done.push(name));
    const long = prose(12_000);
    await Promise.all([
      ...Array.from({ length: 3 }, () => note('long text of a', pool.embedText(long, { tenantId: 'a' }))),
      note('text of b', pool.embedText('Short.', { tenantId: 'b', urgency: 'backlog' })),
      note('question of b', pool.embedQuestion('Where do reports read from?', { tenantId: 'b' })),
    ]);
    expect(done.slice(0, 2).sort()).toEqual(['question of b', 'text of b']);
  }, 120_000);
});

describe('a thread that breaks', () => {
  const program = new URL('../support/breakable-encoders.mjs', import.meta.url);

  it.each([
    ['crashes', 'CRASH', {}],
    ['stalls', 'STALL', { stalledAfterMs: 2_000 }],
  ])(
    'and %s is replaced: its text fails as unavailable, the rest is answered',
    async (_, word, options) => {
      const breakable = threadPool({ program, ...options });
      await breakable.prepare([STANDARD_ENCODERS['bge-small-en-v1.5']]);
      const [broken, waiting] = await Promise.all([
        breakable.embedText(`A text with ${word} in it.`),
        breakable.embedText('A text that waits behind it.'),
      ]);
      expect(broken.missing).toMatchObject([{ error: { kind: 'unavailable', code: 'encoder-crashed' } }]);
      expect(waiting.embeddings).toHaveLength(1);
      expect((await breakable.embedQuestion('Is anybody there?')).embeddings).toHaveLength(1);
      expect(breakable.statuses()[0]).toMatchObject({ state: 'ready' });
      await breakable.dispose();
    },
    60_000,
  );

  it('while a text was half read loses it without blaming it', async () => {
    const breakable = threadPool({ program });
    await breakable.prepare([STANDARD_ENCODERS['bge-small-en-v1.5']]);
    const half = breakable.embedText(prose(20_000), { tenantId: 'a' });
    const crash = breakable.embedText('CRASH', { tenantId: 'b' });
    expect((await crash).missing).toMatchObject([{ error: { code: 'encoder-crashed' } }]);
    expect((await half).missing).toMatchObject([{ error: { kind: 'unavailable', code: 'encoder-lost' } }]);
    await breakable.dispose();
  }, 60_000);

  it('inside native code, where ending it would end the process, is left behind', async () => {
    // One part of nearly 512 tokens: an instant of cutting, then 70 ms of native code.
    const impatient = threadPool({ stalledAfterMs: 15 });
    for (let time = 0; time < 2; time += 1) {
      await impatient.prepare([STANDARD_ENCODERS['bge-small-en-v1.5']]);
      const { missing } = await impatient.embedText(prose(2_000));
      expect(missing).toMatchObject([{ error: { code: 'encoder-crashed' } }]);
    }
    expect(await vectorsOf(pool, 'The process is alive.')).toHaveLength(1);
    await impatient.dispose();
  }, 60_000);

  it('that is closed in the middle of a text ends after the unit at hand', async () => {
    const closing = threadPool();
    await closing.prepare([STANDARD_ENCODERS['bge-small-en-v1.5']]);
    const text = closing.embedText(prose(KIB_64));
    await closing.embedQuestion('Has it begun?');
    await closing.dispose();
    const { missing } = await text;
    expect(missing).toMatchObject([
      { encoder: STANDARD_ENCODERS['bge-small-en-v1.5'], error: { kind: 'unavailable' } },
    ]);
  }, 60_000);
});
