import { AppError } from '@tempera/client-kit';

/** So many captures of one person may wait; the hundred of one call come one after another and wait for nobody. */
const MAX_WAITING = 200;

/** Who waits for a turn behind whom. */
interface Tail {
  last: Promise<unknown>;
  waiting: number;
  /** Why nobody who waits gets a turn any more; who comes after that does. */
  ended?: { readonly error: unknown };
}

/**
 * Lets one piece of work per key run at a time in this process. The database has the same rule (lockCaptures) for all
 * processes, but whoever waits there holds a connection: fifty captures sent at once would leave none for other people.
 *
 * Where the work of one got no answer, those who wait behind it are told at once, or each would find that out in its turn, and the
 * last of them long after its client has gone.
 */
export class CaptureQueue {
  private readonly tails = new Map<string, Tail>();

  /** @param gotNoAnswer whether what failed says nothing about the work, but that nobody answers */
  constructor(private readonly gotNoAnswer: (error: unknown) => boolean) {}

  /** Runs `work` after everything of this key that came before. @throws AppError `limit-exceeded` when too much waits */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const tail = this.tails.get(key) ?? { last: Promise.resolve(), waiting: 0 };
    if (tail.waiting >= MAX_WAITING) {
      throw new AppError('limit-exceeded', 'captures-waiting', `${MAX_WAITING} of your captures are waiting already.`);
    }
    const mine = (): Promise<T> => this.inTurn(key, tail, work);
    const turn = tail.last.then(mine, mine);
    tail.last = turn;
    tail.waiting += 1;
    this.tails.set(key, tail);
    try {
      return await turn;
    } finally {
      tail.waiting -= 1;
      if (tail.waiting === 0) this.leave(key, tail);
    }
  }

  private async inTurn<T>(key: string, tail: Tail, work: () => Promise<T>): Promise<T> {
    if (tail.ended !== undefined) throw tail.ended.error;
    try {
      return await work();
    } catch (error) {
      if (this.gotNoAnswer(error)) {
        tail.ended = { error };
        this.leave(key, tail);
      }
      throw error;
    }
  }

  /** The next to come begins a queue of its own. */
  private leave(key: string, tail: Tail): void {
    if (this.tails.get(key) === tail) this.tails.delete(key);
  }
}
