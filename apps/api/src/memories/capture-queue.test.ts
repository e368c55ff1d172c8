import { describe, expect, it } from 'vitest';
import { CaptureQueue } from './capture-queue.js';

/** Work that ends when it is told to. */
const heldWork = (): { work: () => Promise<void>; release: () => void; isRunning: () => boolean } => {
  let running = false;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const work = async (): Promise<void> => {
    running = true;
    await held;
    running = false;
  };
  return { work, release: () => release(), isRunning: () => running };
};

const silence = new Error('nobody answers');
const isSilence = (error: unknown): boolean => error === silence;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a queue of captures', () => {
  it('runs one piece of work of a person at a time, and those of two people at once', async () => {
    const queue = new CaptureQueue(isSilence);
    const [first, second, others] = [heldWork(), heldWork(), heldWork()];
    const all = [queue.run('ada', first.work), queue.run('ada', second.work), queue.run('ben', others.work)];
    await turn();
    expect([first.isRunning(), second.isRunning(), others.isRunning()]).toEqual([true, false, true]);
    first.release();
    await turn();
    expect(second.isRunning()).toBe(true);
    second.release();
    others.release();
    await Promise.all(all);
  });

  it('goes on after work that failed', async () => {
    const queue = new CaptureQueue(isSilence);
    const failing = queue.run('ada', () => Promise.reject(new Error('no')));
    const next = queue.run('ada', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });

  it('tells those who wait at once that nobody answers, and lets who comes then try again', async () => {
    const queue = new CaptureQueue(isSilence);
    let began = 0;
    const unanswered = (): Promise<never> => {
      began += 1;
      return Promise.reject(silence);
    };
    const waiting = await Promise.allSettled([1, 2, 3].map(() => queue.run('ada', unanswered)));
    expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(began).toBe(1);
    expect(await queue.run('ada', () => Promise.resolve('done'))).toBe('done');
  });

  it('refuses what would wait behind too much', async () => {
    const queue = new CaptureQueue(isSilence);
    const held = heldWork();
    const waiting = Array.from({ length: 200 }, () => queue.run('ada', held.work));
    await expect(queue.run('ada', held.work)).rejects.toMatchObject({ kind: 'limit-exceeded' });
    held.release();
    await Promise.all(waiting);
  });
});
