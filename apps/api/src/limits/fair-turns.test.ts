import { describe, expect, it, vi } from 'vitest';
import { type Asking, FairTurns } from './fair-turns.js';

/** Turns whose clock stands still until it is moved. */
const fixture = (): { turns: FairTurns; pass: (ms: number) => void } => {
  let nowMs = 0;
  return { turns: new FairTurns(() => nowMs, 10), pass: (ms) => (nowMs += ms) };
};

const asks = (tenantId: string, userId = 'ada', isLong = false): Asking => ({ tenantId, userId, isLong });

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Asks so many times, and tells who has begun, in that order, with the ends of their turns. */
const askAll = (turns: FairTurns, all: readonly Asking[], begun: string[]): (() => void)[] => {
  const ends: (() => void)[] = [];
  for (const asking of all) {
    void turns.take(asking).then((end) => {
      begun.push(`${asking.tenantId} ${asking.userId}`);
      ends.push(end);
    });
  }
  return ends;
};

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('turns of requests', () => {
  it('leave room for a tenant that comes while another asks all it can', async () => {
    const { turns } = fixture();
    const begun: string[] = [];
    askAll(turns, times(30, asks('noisy')), begun);
    await settle();
    expect(begun).toHaveLength(5);
    await turns.take(asks('quiet'));
    await turns.take(asks('quiet'));
    expect(turns.waitingCount).toBe(25);
  });

  it('go to the tenant with least at work, and in it to the person with least', async () => {
    const { turns } = fixture();
    const begun: string[] = [];
    const ends = askAll(turns, times(8, asks('noisy')), begun);
    askAll(turns, times(8, asks('other')), begun);
    await settle();
    askAll(turns, [asks('noisy', 'ben')], begun);
    begun.length = 0;
    ends[0]?.();
    ends[1]?.();
    await settle();
    expect(begun).toEqual(['noisy ben']);
  });

  it('give a tenant that is alone again what others left', async () => {
    const { turns, pass } = fixture();
    const quiet = await turns.take(asks('quiet'));
    const begun: string[] = [];
    const ends = askAll(turns, times(10, asks('noisy')), begun);
    await settle();
    expect(begun).toHaveLength(4);
    quiet();
    pass(6_000);
    ends[0]?.();
    await settle();
    expect(begun).toHaveLength(6);
  });

  it('let long work take no more than two of a tenant’s places', async () => {
    const { turns } = fixture();
    const begun: string[] = [];
    askAll(turns, times(4, asks('team', 'ada', true)), begun);
    askAll(turns, [asks('team', 'ben')], begun);
    await settle();
    expect(begun).toEqual(['team ada', 'team ada', 'team ben']);
  });

  it('refuse before any work what would wait too long', async () => {
    const { turns } = fixture();
    const refused: unknown[] = [];
    for (const asking of times(1_000, asks('noisy'))) turns.take(asking).catch((error: unknown) => refused.push(error));
    await settle();
    // At first a request is taken for one of 50 ms: five at once and five seconds' patience are five hundred.
    expect(turns.waitingCount).toBe(500);
    expect(refused).toHaveLength(495);
    expect(refused[0]).toMatchObject({ kind: 'unavailable', code: 'too-busy' });
  });

  it('refuse who has waited too long, and forget whose client has left', async () => {
    vi.useFakeTimers();
    try {
      const { turns } = fixture();
      askAll(turns, times(5, asks('slow')), []);
      const late = turns.take(asks('slow'));
      const left = new AbortController();
      const gone = turns.take(asks('slow'), left.signal);
      left.abort();
      await expect(gone).rejects.toMatchObject({ code: 'too-busy' });
      expect(turns.waitingCount).toBe(1);
      const refusal = expect(late).rejects.toMatchObject({ code: 'too-busy' });
      await vi.advanceTimersByTimeAsync(5_000);
      await refusal;
      expect(turns.waitingCount).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('count an end once', async () => {
    const { turns } = fixture();
    const begun: string[] = [];
    const ends = askAll(turns, times(7, asks('team')), begun);
    await settle();
    ends[0]?.();
    ends[0]?.();
    await settle();
    expect(begun).toHaveLength(6);
  });
});
