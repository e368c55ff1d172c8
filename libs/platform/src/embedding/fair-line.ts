/** What a line needs to know of one who waits. */
export interface Waiting {
  readonly tenant: string;
  /** Bytes of the text: known at once, where tokens would have to be counted. */
  readonly size: number;
}

/** So often may later, shorter ones of the same tenant go before the one that has waited longest. */
const PATIENCE = 8;

/**
 * Who is next among many that wait: one tenant after the other, and within a tenant the shortest, unless the oldest has been
 * passed over too often. Whoever is picked stays in the line until removed, so that a long one is picked again and again.
 */
export class FairLine<T extends Waiting> {
  /** In the order of their turns; each list in the order of arrival. */
  private readonly tenants = new Map<string, T[]>();
  private readonly passedOver = new Map<T, number>();
  private count = 0;

  get length(): number {
    return this.count;
  }

  lengthOf(tenant: string): number {
    return this.tenants.get(tenant)?.length ?? 0;
  }

  add(item: T): void {
    const items = this.tenants.get(item.tenant);
    if (items === undefined) this.tenants.set(item.tenant, [item]);
    else items.push(item);
    this.count += 1;
  }

  remove(item: T): void {
    const items = this.tenants.get(item.tenant) ?? [];
    const index = items.indexOf(item);
    if (index < 0) return;
    items.splice(index, 1);
    if (items.length === 0) this.tenants.delete(item.tenant);
    this.passedOver.delete(item);
    this.count -= 1;
  }

  /** The next one; its tenant's turn is over with that. */
  pick(): T | undefined {
    for (const [tenant, items] of this.tenants) {
      this.tenants.delete(tenant);
      this.tenants.set(tenant, items);
      return this.pickOf(items);
    }
    return undefined;
  }

  private pickOf(items: readonly T[]): T | undefined {
    const [oldest] = items;
    if (oldest === undefined) return undefined;
    const shortest = items.reduce((best, item) => (item.size < best.size ? item : best), oldest);
    const passes = this.passedOver.get(oldest) ?? 0;
    if (shortest !== oldest && passes < PATIENCE) {
      this.passedOver.set(oldest, passes + 1);
      return shortest;
    }
    this.passedOver.delete(oldest);
    return oldest;
  }
}
