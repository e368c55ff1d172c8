/**
 * Requests at a constant rate, whether or not the ones before were answered: a service that stands still meets as many as one
 * that does not.
 */
export class SteadyRequests {
  /** Requests that were answered as they should be. */
  answered = 0;
  /** What went wrong with the others. */
  readonly failures: string[] = [];
  /** The longest that an answer took, in milliseconds. */
  longestMs = 0;
  private readonly open = new Set<Promise<void>>();
  private readonly timer: NodeJS.Timeout;
  private count = 0;

  /** @param send the request of a number; those of two numbers may be different ones */
  constructor(
    private readonly send: (number: number) => Promise<unknown>,
    perSecond: number,
  ) {
    this.timer = setInterval(() => this.begin(), 1_000 / perSecond);
  }

  get total(): number {
    return this.answered + this.failures.length;
  }

  /** Begins nothing more, and waits for what is open. */
  async finish(): Promise<void> {
    clearInterval(this.timer);
    while (this.open.size > 0) await Promise.all(this.open);
  }

  private begin(): void {
    const began = performance.now();
    const one = this.send((this.count += 1)).then(
      () => void (this.answered += 1),
      (error: unknown) => void this.failures.push(wordsOf(error)),
    );
    const open = one.finally(() => {
      this.longestMs = Math.max(this.longestMs, performance.now() - began);
      this.open.delete(open);
    });
    this.open.add(open);
  }
}

const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
};
