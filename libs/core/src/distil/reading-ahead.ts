/** What a conversation says later, read once, so that each of its facts is asked of it in the time of its own words. */
import type { SaidInTurn } from './candidates.js';
import { DONE, PUT_ASIDE } from './cues.js';
import { anchorsOf, telling } from './terms.js';

/** A later statement that does something is about a task that shares so much with it. */
const SAME_TASK = 0.5;

/** A statement that says something is done: in which turn, and how many words it has that say what. */
interface Doing {
  readonly turn: number;
  readonly size: number;
}

/** Answers what happens, after a turn, to what was said in it. */
export class ReadingAhead {
  /** By each telling word, the doings that have it. */
  private readonly doings = new Map<string, Doing[]>();
  /** Of each thing, the last turn whose prompt puts it aside. */
  private readonly asides = new Map<string, number>();

  constructor(said: readonly SaidInTurn[]) {
    for (const [turn, { prompt, answer }] of said.entries()) {
      for (const { text } of [...prompt, ...answer]) if (DONE.test(text)) this.addDoing(turn, telling(text));
      for (const { text } of prompt) for (const aside of asideIn(text)) this.asides.set(aside, turn);
    }
  }

  private addDoing(turn: number, terms: readonly string[]): void {
    const doing: Doing = { turn, size: terms.length };
    for (const term of terms) {
      const known = this.doings.get(term);
      if (known === undefined) this.doings.set(term, [doing]);
      else known.push(doing);
    }
  }

  /** Whether something said after the turn does what these words speak of. */
  isDone(terms: readonly string[], turn: number): boolean {
    const shared = new Map<Doing, number>();
    for (const term of terms)
      for (const doing of this.doings.get(term) ?? [])
        if (doing.turn > turn) shared.set(doing, (shared.get(doing) ?? 0) + 1);
    for (const [{ size }, count] of shared) if (count / Math.min(terms.length, size) >= SAME_TASK) return true;
    return false;
  }

  /** Whether a prompt after the turn puts aside what this text chose. */
  isPutAside(content: string, turn: number): boolean {
    const own = new Set(asideIn(content));
    return [...telling(content), ...anchorsOf(content)].some(
      (chosen) => !own.has(chosen) && (this.asides.get(chosen) ?? -1) > turn,
    );
  }
}

/** The first telling word of each thing put aside. */
const asideIn = (text: string): string[] =>
  [...text.matchAll(PUT_ASIDE)].flatMap(([, latin, han]) => {
    const thing = latin ?? han ?? '';
    return [...anchorsOf(thing), ...telling(thing)].slice(0, 1);
  });
