import { AppError } from '@tempera/client-kit';
import { describe, expect, it, vi } from 'vitest';
import { type EncoderCard, type EncoderId, encoderIdOf } from './encoder-card.js';
import { STANDARD_ENCODERS } from './encoder-catalogue.js';
import { EncoderDesk } from './encoder-desk.js';
import { EncoderPool, type EncoderPoolOptions } from './encoder-pool.js';
import type { Encoder, LoadEncoder } from './encoder.js';

/** An encoder whose vector tells what it was given. */
const encoderOf = (card: EncoderCard, embed?: (text: string) => Promise<Float32Array>): Encoder => ({
  id: encoderIdOf(card),
  card,
  countTokens: (text) => text.split(/\s+/).length,
  embed: embed ?? (async (text) => Float32Array.from([text.length])),
  dispose: async () => undefined,
});

const poolOf = (load: LoadEncoder, options: Partial<EncoderPoolOptions> = {}): EncoderPool =>
  new EncoderPool({ host: new EncoderDesk({ load, now: () => 0 }), now: () => 0, ...options });

describe('a pool of encoders', () => {
  it('loads an encoder at its first use, once, however many ask at the same time', async () => {
    const load = vi.fn(async (card: EncoderCard) => encoderOf(card));
    const pool = poolOf(load);
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
    const pool = poolOf(load, { now: () => now, retryAfterMs: 100 });
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
    const pool = poolOf(load);
    const { embeddings, missing } = await pool.embedText('The gateway drops idle connections. 网关会断开空闲连接。');
    expect(embeddings.map(({ card }) => card.language)).toEqual(['en']);
    expect(missing).toMatchObject([
      { encoder: STANDARD_ENCODERS['bge-small-zh-v1.5'], error: { code: 'encoder-failed' } },
    ]);
  });

  it('waits for a slow load no longer than the deadline', async () => {
    const pool = poolOf(() => new Promise(() => undefined), { now: () => performance.now() });
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
    await poolOf(load).embedText('The service 网关 was renamed by the platform team.');
    expect(seen.join()).toContain('renamed by the platform team');
    expect(seen.join()).not.toMatch(/\p{Script=Han}/u);
  });

  it('uses only the encoders that are active, and none for a language nobody reads', async () => {
    const pool = poolOf(async (card) => encoderOf(card));
    const further = 'bge-small-zh-v1.5@0123456789ab' as EncoderId;
    const active = { ...STANDARD_ENCODERS, 'bge-small-zh-v1.5': further };
    expect(pool.chosen('部署使用 helm', { active })).toEqual([further]);
    expect((await pool.embedText('部署使用 helm', { active })).missing).toMatchObject([
      { encoder: further, error: { code: 'encoder-unknown' } },
    ]);
    expect(await pool.embedText('금요일에는 배포하지 않는다')).toEqual({ embeddings: [], missing: [] });
    expect(pool.chosen('anything', { exactly: [further] })).toEqual([further]);
  });
});
