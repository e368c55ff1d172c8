import { describe, expect, it, vi } from 'vitest';
import { EncoderQueue, type QueueRequest, type UnitWork } from './encoder-queue.js';

const NEVER = Number.POSITIVE_INFINITY;
const request = (given: Partial<QueueRequest> = {}): QueueRequest => ({
  urgency: 'backlog',
  tenant: 'a',
  size: 1,
  deadlineMs: NEVER,
  workMs: NEVER,
  ...given,
});
const queueOf = (options: { now?: () => number; capacity?: number; tenantCapacity?: number } = {}): EncoderQueue =>
  new EncoderQueue({ now: () => 0, ...options });

/** Work of some units that writes its name into `order` at each. */
const work = (order: string[], name: string, units = 1): UnitWork => {
  let left = units;
  return {
    advance: async () => {
      order.push(name);
      left -= 1;
      return left <= 0;
    },
    abandon: () => order.push(`${name} abandoned`),
  };
};

/** Holds the queue until it is opened, so that what comes meanwhile has to wait. */
const hold = (queue: EncoderQueue): { open: () => void; done: Promise<void> } => {
  let open = (): void => undefined;
  const opened = new Promise<boolean>((resolve) => (open = () => resolve(true)));
  const done = queue.run(request({ urgency: 'question', tenant: 'holder' }), {
    advance: () => opened,
    abandon: () => undefined,
  });
  return { open, done };
};

/** The order in which the units of everything queued while the queue was held are done. */
const orderOf = async (queue: EncoderQueue, add: (order: string[]) => Promise<void>[]): Promise<string> => {
  const order: string[] = [];
  const held = hold(queue);
  const all = add(order);
  held.open();
  await Promise.all([held.done, ...all]);
  return order.join('');
};

describe('the queue of the encoders', () => {
  it('does one unit at a time', async () => {
    const queue = queueOf();
    let running = 0;
    let most = 0;
    const advance = async (): Promise<boolean> => {
      most = Math.max(most, (running += 1));
      await Promise.resolve();
      running -= 1;
      return true;
    };
    const one = (): Promise<void> => queue.run(request(), { advance, abandon: () => undefined });
    await Promise.all(Array.from({ length: 8 }, one));
    expect(most).toBe(1);
  });

  it('takes questions before captures before the backlog, yet starves neither', async () => {
    const queue = queueOf();
    const order = await orderOf(queue, (seen) => [
      queue.run(request(), work(seen, 'b')),
      queue.run(request({ urgency: 'capture' }), work(seen, 'c')),
      ...Array.from({ length: 7 }, () => queue.run(request({ urgency: 'question' }), work(seen, 'q'))),
    ]);
    expect(order).toMatch(/^q{3,4}cbq+$/);
  });

  it('lets tenants take turns, however much one of them sent before', async () => {
    const queue = queueOf();
    const order = await orderOf(queue, (seen) => [
      ...Array.from({ length: 5 }, () => queue.run(request({ tenant: 'a' }), work(seen, 'a', 3))),
      queue.run(request({ tenant: 'b' }), work(seen, 'b', 2)),
    ]);
    expect(order.slice(0, 4)).toBe('abab');
  });

  it('does short texts of a tenant first, between the units of a long one that began', async () => {
    const queue = queueOf();
    const order = await orderOf(queue, (seen) => [
      queue.run(request({ size: 9 }), work(seen, 'L', 3)),
      queue.run(request({ size: 1 }), work(seen, 's')),
      queue.run(request({ size: 2 }), work(seen, 't')),
    ]);
    expect(order).toBe('stLLL');
  });

  it('lets a long text in after eight short ones that came later', async () => {
    const queue = queueOf();
    const order = await orderOf(queue, (seen) => [
      queue.run(request({ size: 9 }), work(seen, 'L')),
      ...Array.from({ length: 20 }, () => queue.run(request({ size: 1 }), work(seen, 's'))),
    ]);
    expect(order.indexOf('L')).toBe(8);
  });

  it('refuses what does not fit, of one tenant and in all, and keeps room for questions', async () => {
    const queue = queueOf({ capacity: 3, tenantCapacity: 2 });
    const held = hold(queue);
    const seen: string[] = [];
    const run = (given: Partial<QueueRequest>): Promise<void> => queue.run(request(given), work(seen, 'x'));
    const accepted = [run({ tenant: 'a' }), run({ tenant: 'a' })];
    await expect(run({ tenant: 'a' })).rejects.toMatchObject({ kind: 'unavailable', code: 'encoder-busy' });
    accepted.push(run({ tenant: 'b' }));
    await expect(run({ tenant: 'c' })).rejects.toMatchObject({ kind: 'unavailable', code: 'encoder-busy' });
    accepted.push(run({ tenant: 'a', urgency: 'question' }));
    held.open();
    await Promise.all([held.done, ...accepted]);
    expect(seen).toHaveLength(4);
  });

  it('tells a caller when the time is up, and does not do the work any more', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const queue = queueOf();
      const held = hold(queue);
      const seen: string[] = [];
      const late = expect(queue.run(request({ deadlineMs: 50 }), work(seen, 'x'))).rejects.toMatchObject({
        code: 'encoder-deadline',
      });
      vi.advanceTimersByTime(51);
      await late;
      held.open();
      await held.done;
      await queue.run(request(), work(seen, 'y'));
      expect(seen).toEqual(['y']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('gives up a text whose own work takes too long, however short the wait', async () => {
    let now = 0;
    const seen: string[] = [];
    const slow = work(seen, 'x', 100);
    const advance = (): Promise<boolean> => {
      now += 30;
      return slow.advance();
    };
    const tooLong = queueOf({ now: () => now }).run(request({ workMs: 90 }), { ...slow, advance });
    await expect(tooLong).rejects.toMatchObject({ code: 'encoder-too-slow' });
    expect(seen).toEqual(['x', 'x', 'x', 'x abandoned']);
  });

  it('ends at a signal, after the unit at hand', async () => {
    const seen: string[] = [];
    const stop = new AbortController();
    const endless = work(seen, 'x', 1_000_000);
    const advance = (): Promise<boolean> => {
      if (seen.length === 2) stop.abort();
      return endless.advance();
    };
    const running = queueOf().run(request({ signal: stop.signal }), { ...endless, advance });
    await expect(running).rejects.toMatchObject({ code: 'encoder-closed' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual(['x', 'x', 'x', 'x abandoned']);
  });

  it('goes on after work that failed', async () => {
    const queue = queueOf();
    const seen: string[] = [];
    const broken = { advance: () => Promise.reject(new Error('broken')), abandon: () => undefined };
    await expect(queue.run(request(), broken)).rejects.toThrow('broken');
    await queue.run(request(), work(seen, 'x'));
    expect(seen).toEqual(['x']);
  });
});
