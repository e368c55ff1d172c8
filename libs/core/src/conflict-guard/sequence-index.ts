/** One set of endings of the indexed sequence, as a suffix automaton keeps them. */
interface State {
  readonly length: number;
  link: number;
  readonly next: Map<string, number>;
}

/**
 * Whether a sequence of words stands somewhere in another: a suffix automaton, built in time proportional to the one and
 * asked in time proportional to the other. Trying each place where the first word stands takes the product of both, and a
 * text of 64 KiB may be one span of code, or ten thousand that begin alike.
 */
export class SequenceIndex {
  private readonly states: State[] = [{ length: 0, link: -1, next: new Map() }];
  private last = 0;

  constructor(words: readonly string[]) {
    for (const word of words) this.append(word);
  }

  /** Steps it takes are at most the words asked for. */
  has(words: readonly string[]): boolean {
    let at: number | undefined = 0;
    for (const word of words) {
      at = this.states[at]?.next.get(word);
      if (at === undefined) return false;
    }
    return true;
  }

  private append(word: string): void {
    const added = this.add({ length: (this.states[this.last]?.length ?? 0) + 1, link: 0, next: new Map() });
    let at = this.last;
    this.last = added;
    for (let state = this.states[at]; state !== undefined && !state.next.has(word); state = this.states[at]) {
      state.next.set(word, added);
      at = state.link;
    }
    const state = this.states[at];
    if (state !== undefined) this.linkTo(added, this.stateAfter(state, word));
  }

  /** Where a word leads from a state, made a state of its own where longer sequences lead there too. */
  private stateAfter(from: State, word: string): number {
    const target = from.next.get(word) ?? 0;
    const known = this.states[target];
    if (known === undefined || known.length === from.length + 1) return target;
    const copy = this.add({ length: from.length + 1, link: known.link, next: new Map(known.next) });
    known.link = copy;
    for (let state: State | undefined = from; state?.next.get(word) === target; state = this.states[state.link]) {
      state.next.set(word, copy);
    }
    return copy;
  }

  private add(state: State): number {
    return this.states.push(state) - 1;
  }

  private linkTo(state: number, target: number): void {
    const linked = this.states[state];
    if (linked !== undefined) linked.link = target;
  }
}
