/** Adds up how long somebody waits; waits beside each other count once. */
export class WaitClock {
  private waitedMs = 0;
  private waiting = 0;
  private since = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** How much of `budgetMs` is left at this moment; 0 where nothing is. */
  left(budgetMs: number): number {
    const running = this.waiting > 0 ? this.now() - this.since : 0;
    return Math.max(0, budgetMs - this.waitedMs - running);
  }

  /** A wait begins. @returns ends it, once */
  begin(): () => void {
    if (this.waiting === 0) this.since = this.now();
    this.waiting += 1;
    let isWaiting = true;
    return () => {
      if (!isWaiting) return;
      isWaiting = false;
      this.waiting -= 1;
      if (this.waiting === 0) this.waitedMs += this.now() - this.since;
    };
  }
}
