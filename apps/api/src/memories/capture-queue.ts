import { AppError } from '@tempera/client-kit';

/** So many captures of one person may wait; the hundred of one call come one after another and wait for nobody. */
const MAX_WAITING = 200;

/**
 * Lets one piece of work per key run at a time in this process. The database has the same rule (lockCaptures) for all
 * processes, but whoever waits there holds a connection: fifty captures sent at once would leave none for other people.
 */
export class CaptureQueue {
  private readonly tails = new Map<string, { last: Promise<unknown>; waiting: number }>();

  /** Runs `work` after everything of this key that came before. @throws AppError `limit-exceeded` when too much waits */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const tail = this.tails.get(key) ?? { last: Promise.resolve(), waiting: 0 };
    if (tail.waiting >= MAX_WAITING) {
      throw new AppError('limit-exceeded', 'captures-waiting', `${MAX_WAITING} of your captures are waiting already.`);
    }
    const turn = tail.last.then(work, work);
    tail.last = turn;
    tail.waiting += 1;
    this.tails.set(key, tail);
    try {
      return await turn;
    } finally {
      tail.waiting -= 1;
      if (tail.waiting === 0) this.tails.delete(key);
    }
  }
}
