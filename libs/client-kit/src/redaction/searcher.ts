import { RE2JS } from 're2js';
import type { Rule } from './rule.js';

/*
 * The engine is linear, but its two halves are not equally fast: whether there is a match, its DFA says at tens of megabytes a
 * second; where it is and what its groups are costs ten to a hundred times as much. So a text is cut into overlapping pieces, the
 * DFA looks at each, and only a piece that has a match is searched.
 */

/** How much of a text is looked at in one go, at least: small pieces suit the engine's quickest search for places. */
const PIECE = 256;
/**
 * How far beyond its piece a match without a bound may reach. One that touches the end is looked at anew in a longer piece; one of
 * which only the end says that it is a match, such as a key's last line, must end within this.
 */
const OPEN_END = 8192;
const OPEN_ENDS: Readonly<Record<string, number>> = { 'generic-api-key': 512, 'private-key': 32_768 };

/** Ends a piece that is cut out of a longer text, so that `$` does not hold there. No secret holds it. */
const GOES_ON = '\u0001';

/** `[\w.-]{0,50}?` at the front is what comes before a name: it never decides whether there is a secret, and is what costs most. */
const FRONT = [
  [String.raw`(?i)[\w.-]{0,50}?`, '(?i)'],
  [String.raw`[\w.-]{0,50}?(?i:[\w.-]{0,50}?`, '(?i:'],
] as const;

/** Where an expression matched, and where its groups did; a group that took no part has -1. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (readonly [number, number])[];
}

const core = (regex: string): string => {
  const front = FRONT.find(([start]) => regex.startsWith(start));
  return front === undefined ? regex : front[1] + regex.slice(front[0].length);
};

/** Finds what one rule's expression matches. */
export class Searcher {
  private readonly engine: RE2JS;
  private readonly reach: number;
  private readonly piece: number;

  constructor({ id, regex, longest }: Rule) {
    this.engine = RE2JS.compile(core(regex));
    // A character may be two units of a string.
    this.reach = longest === undefined ? (OPEN_ENDS[id] ?? OPEN_END) : 2 * longest;
    this.piece = Math.max(PIECE, this.reach / 2);
  }

  /** Every match, from the left, none overlapping another. */
  *hits(text: string): Generator<Hit> {
    let from = 0;
    let length = this.piece;
    while (from < text.length) {
      const stop = Math.min(text.length, from + length + this.reach);
      const next = this.next(text, from, stop);
      if (next === null) {
        from += length;
        length = this.piece;
      } else if (next.end >= stop && stop < text.length) {
        // What touches the end of a piece could go on, or not be one at all: an end of the piece is no end of the text. Nothing
        // before it matches, so it is looked at from where it begins.
        length = next.start > from ? this.piece : 2 * length;
        from = next.start;
      } else if (next.start >= from + length) {
        from += length;
        length = this.piece;
      } else {
        yield next;
        from = Math.max(next.end, from + 1);
      }
    }
  }

  /** The first match from a place on within a piece; what comes before it is seen as context alone. */
  private next(text: string, from: number, stop: number): Hit | null {
    const offset = from === 0 ? 0 : from - 1;
    const piece = stop < text.length ? text.slice(offset, stop) + GOES_ON : text.slice(offset, stop);
    if (!this.engine.test(piece)) return null;
    const matcher = this.engine.matcher(piece);
    if (!matcher.find(from - offset)) return null;
    const groups = Array.from({ length: matcher.groupCount() }, (_, at) => at + 1).map((group) => {
      const start = matcher.start(group);
      return start < 0 ? ([-1, -1] as const) : ([offset + start, offset + matcher.end(group)] as const);
    });
    return { start: offset + matcher.start(), end: offset + matcher.end(), groups };
  }
}
