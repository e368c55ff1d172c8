import type { Clock } from '../platform/platform.tokens.js';

interface Entry<T> {
  readonly value: T;
  readonly until: number;
}

/** Remembers answers for a short while, and no more than so many of them; the oldest go first. Failures are not kept. */
export class ShortMemory<T> {
  private readonly entries = new Map<string, Entry<T>>();

  constructor(
    private readonly clock: Clock,
    private readonly lifeMs: number,
    private readonly capacity: number,
  ) {}

  async get(key: string, ask: () => Promise<T>): Promise<T> {
    const now = this.clock.now().getTime();
    const known = this.entries.get(key);
    if (known !== undefined && known.until > now) return known.value;
    const value = await ask();
    this.entries.delete(key);
    this.entries.set(key, { value, until: now + this.lifeMs });
    if (this.entries.size > this.capacity) this.dropOldest();
    return value;
  }

  clear(): void {
    this.entries.clear();
  }

  private dropOldest(): void {
    const oldest = this.entries.keys().next();
    if (!oldest.done) this.entries.delete(oldest.value);
  }
}
