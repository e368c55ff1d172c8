import type { KeySet } from './key-set.js';

/** The keys a program works with right now; they change while it runs. */
export class KeyRing {
  constructor(private now: KeySet) {}

  get set(): KeySet {
    return this.now;
  }

  /** From here on the new keys count; nothing in flight is disturbed, since each use asks anew. */
  replace(set: KeySet): void {
    this.now = set;
  }

  /** Something made of the keys, made once for each set: ask the returned function at each use. */
  view<T>(make: (set: KeySet) => T): () => T {
    let of = this.now;
    let made = make(of);
    return () => {
      if (of !== this.now) {
        of = this.now;
        made = make(of);
      }
      return made;
    };
  }
}
