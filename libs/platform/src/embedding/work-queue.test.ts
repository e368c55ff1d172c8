import { describe, expect, it, vi } from 'vitest';
import { WorkQueue } from './work-queue.js';

const LONG = 10_000;
const gate = (): { open: () => void; opened: Promise<void> } => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
};

describe('the queue of one encoder', () => {
  it('does one piece of work at a time', async () => {
    const queue = new WorkQueue(10);
    let running = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, (running += 1));
      await Promise.resolve();
      running -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => queue.run('text', LONG, work)));
    expect(most).toBe(1);
  });

  it('takes questions before texts, yet lets a text in after four of them', async () => {
    const queue = new WorkQueue(20);
    const order: string[] = [];
    const { open, opened } = gate();
    const note = (name: string) => async (): Promise<void> => void order.push(name);
    const first = queue.run('text', LONG, () => opened);
    const rest = [queue.run('text', LONG, note('t'))];
    for (let index = 0; index < 6; index += 1) rest.push(queue.run('question', LONG, note('q')));
    open();
    await Promise.all([first, ...rest]);
    expect(order.join('')).toBe('qqqqtqq');
  });

  it('refuses what does not fit', async () => {
    const queue = new WorkQueue(1);
    const { open, opened } = gate();
    const running = queue.run('text', LONG, () => opened);
    const waiting = queue.run('text', LONG, async () => undefined);
    await expect(queue.run('text', LONG, async () => undefined)).rejects.toMatchObject({ code: 'encoder-busy' });
    open();
    await Promise.all([running, waiting]);
  });

  it('tells a caller when the time is up, and does not do the work any more', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const queue = new WorkQueue(5);
      const { open, opened } = gate();
      const running = queue.run('text', LONG, () => opened);
      const work = vi.fn(async () => undefined);
      const late = expect(queue.run('question', 50, work)).rejects.toMatchObject({ code: 'encoder-deadline' });
      vi.advanceTimersByTime(51);
      await late;
      open();
      await running;
      await queue.run('text', LONG, async () => undefined);
      expect(work).not.toHaveBeenCalled();
    } finally {
      vi.useRealTimers();
    }
  });

  it('goes on after work that failed', async () => {
    const queue = new WorkQueue(5);
    await expect(queue.run('text', LONG, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(queue.run('text', LONG, async () => 7)).resolves.toBe(7);
  });
});
