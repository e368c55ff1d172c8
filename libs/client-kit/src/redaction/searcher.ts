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
 * A piece that has a match is searched in steps of so many characters where the expression is long: with what it may reach
 * beyond, a step then fits the engine's quickest search (577 characters for this expression), which a whole piece does not.
 */
const STEPS: Readonly<Record<string, number>> = { 'generic-api-key': 48 };
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
  private readonly step: number;

  constructor({ id, regex, longest }: Rule) {
    this.engine = RE2JS.compile(core(regex));
    // A character may be two units of a string.
    this.reach = longest === undefined ? (OPEN_ENDS[id] ?? OPEN_END) : 2 * longest;
    this.piece = Math.max(PIECE, this.reach / 2);
    this.step = STEPS[id] ?? this.piece;
  }

  /** Every match, from the left, none overlapping another. */
  *hits(text: string): Generator<Hit> {
    let from = 0;
    let length = this.step;
    // A match begins before here, or has begun.
    let seen = 0;
    while (from < text.length) {
      if (from >= seen) {
        if (!this.holdsOne(text, from)) {
          from += this.piece;
          length = this.step;
          continue;
        }
        seen = from + this.piece;
      }
      const stop = Math.min(text.length, from + length + this.reach);
      const next = this.next(text, from, stop);
      if (next === null) {
        from += length;
        length = this.step;
      } else if (next.end >= stop && stop < text.length) {
        // What touches the end of a piece could go on, or not be one at all: an end of the piece is no end of the text. Nothing
        // before it matches, so it is looked at from where it begins.
        length = next.start > from ? this.step : 2 * length;
        from = next.start;
      } else if (next.start >= from + length) {
        from += length;
        length = this.step;
      } else {
        yield next;
        from = Math.max(next.end, from + 1);
      }
    }
  }

  /** Whether anything matches in the piece that begins here. */
  private holdsOne(text: string, from: number): boolean {
    return this.engine.test(this.cut(text, from, Math.min(text.length, from + this.piece + this.reach)));
  }

  /** The first match from a place on within a piece; what comes before it is seen as context alone. */
  private next(text: string, from: number, stop: number): Hit | null {
    const offset = from === 0 ? 0 : from - 1;
    const matcher = this.engine.matcher(this.cut(text, from, stop));
    if (!matcher.find(from - offset)) return null;
    const groups: (readonly [number, number])[] = [];
    for (let group = 1; group <= matcher.groupCount(); group += 1) {
      const start = matcher.start(group);
      groups.push(start < 0 ? [-1, -1] : [offset + start, offset + matcher.end(group)]);
    }
    return { start: offset + matcher.start(), end: offset + matcher.end(), groups };
  }

  /** With the character before it, for what looks at that. */
  private cut(text: string, from: number, stop: number): string {
    const offset = from === 0 ? 0 : from - 1;
    return stop < text.length ? text.slice(offset, stop) + GOES_ON : text.slice(offset, stop);
  }
}
