import { AppError } from '@tempera/client-kit';
import { describe, expect, it, vi } from 'vitest';
import { type EncoderCard, encoderIdOf } from './encoder-card.js';
import { EncoderPool } from './encoder-pool.js';
import type { Encoder } from './encoder.js';

/** An encoder whose vector tells what it was given. */
const encoderOf = (card: EncoderCard, embed?: (text: string) => Promise<Float32Array>): Encoder => ({
  id: encoderIdOf(card),
  card,
  countTokens: (text) => text.split(/\s+/).length,
  embed: embed ?? (async (text) => Float32Array.from([text.length])),
  dispose: async () => undefined,
});

describe('a pool of encoders', () => {
  it('loads an encoder at its first use, once, however many ask at the same time', async () => {
    const load = vi.fn(async (card: EncoderCard) => encoderOf(card));
    const pool = new EncoderPool({ load, now: () => 0 });
    expect(pool.statuses().map(({ state }) => state)).toEqual(['idle', 'idle']);
    await Promise.all([pool.embedText('one'), pool.embedText('two'), pool.embedQuestion('three')]);
    expect(load).toHaveBeenCalledTimes(1);
    expect(pool.statuses().map(({ state }) => state)).toEqual(['ready', 'idle']);
  });

  it('answers that an encoder is missing, and finds it when it has arrived', async () => {
    let isThere = false;
    let now = 0;
    const load = vi.fn(async (card: EncoderCard) => {
      if (!isThere) throw new AppError('unavailable', 'encoder-missing', 'no file');
      return encoderOf(card);
    });
    const pool = new EncoderPool({ load, now: () => now, retryAfterMs: 100 });
    expect(await pool.embedText('text')).toMatchObject({
      embeddings: [],
      missing: [{ error: { code: 'encoder-missing' } }],
    });
    expect(pool.statuses()[0]).toMatchObject({ state: 'unavailable', reason: 'no file' });
    isThere = true;
    now = 50;
    expect((await pool.embedText('text')).embeddings).toEqual([]);
    expect(load).toHaveBeenCalledTimes(1);
    now = 100;
    expect((await pool.embedText('text')).embeddings).toHaveLength(1);
  });

  it('keeps what one encoder gave when the other fails', async () => {
    const load = async (card: EncoderCard): Promise<Encoder> =>
      encoderOf(card, card.language === 'zh' ? () => Promise.reject(new Error('out of memory')) : undefined);
    const pool = new EncoderPool({ load, now: () => 0 });
    const { embeddings, missing } = await pool.embedText('The gateway drops idle connections. 网关会断开空闲连接。');
    expect(embeddings.map(({ card }) => card.language)).toEqual(['en']);
    expect(missing).toMatchObject([{ name: 'bge-small-zh-v1.5', error: { code: 'encoder-failed' } }]);
  });

  it('waits for a slow load no longer than the deadline', async () => {
    const pool = new EncoderPool({ load: () => new Promise(() => undefined), now: () => performance.now() });
    const { missing } = await pool.embedQuestion('anyone?', { deadlineMs: 20 });
    expect(missing).toMatchObject([{ error: { code: 'encoder-deadline' } }]);
  });

  it('gives the English encoder no letters that it cannot read', async () => {
    const seen: string[] = [];
    const load = async (card: EncoderCard): Promise<Encoder> =>
      encoderOf(card, async (text) => {
        seen.push(text);
        return Float32Array.from([1]);
      });
    await new EncoderPool({ load, now: () => 0 }).embedText('The service 网关 was renamed by the platform team.');
    expect(seen.join()).toContain('renamed by the platform team');
    expect(seen.join()).not.toMatch(/\p{Script=Han}/u);
  });

  it('uses only the encoders that are active, and none for a language nobody reads', async () => {
    const pool = new EncoderPool({ load: async (card) => encoderOf(card), now: () => 0 });
    expect(pool.chosen('部署使用 helm', { active: ['bge-small-en-v1.5'] })).toEqual([]);
    expect(await pool.embedText('금요일에는 배포하지 않는다')).toEqual({ embeddings: [], missing: [] });
    expect(pool.chosen('anything', { exactly: ['bge-small-zh-v1.5'] })).toEqual(['bge-small-zh-v1.5']);
  });
});
