/** One word in the place of another: in nearly equal texts that is rather another fact than another way to say it. */
import { isNegation } from './negations.js';
import { withoutQuantities } from './quantities.js';
import { contentStems, wordsOf } from './words.js';

/** Share of the shorter text's words that both have, from which the texts count as one sentence with a gap. */
const ONE_SENTENCE = 0.5;
/** A gap longer than this is a clause put in other words, which proves nothing. */
const LONGEST_GAP = 4;
/** Beyond this the alignment would take too long for a capture; then any two words of their own count. */
const MOST_CELLS = 1_000_000;

/** Lengths between which a word counts as another one cut short. */
const SHORTEST_CUT = 4;
const LONGEST_CUT = 24;

interface Gap {
  readonly one: readonly string[];
  readonly other: readonly string[];
}

/** Words that stand in each other's place, as `[those of a, those of b]`. */
export const substitutionsBetween = (a: string, b: string): Gap[] => {
  const one = contentOf(a);
  const other = contentOf(b);
  const ownToOne = wordsMissing(one, other);
  const ownToOther = wordsMissing(other, one);
  if (ownToOne.size === 0 || ownToOther.size === 0) return [];

  const shared = one.filter((word) => !ownToOne.has(word)).length;
  if (shared < ONE_SENTENCE * Math.min(one.length, other.length)) return [];
  if (one.length * other.length > MOST_CELLS) return [{ one: [...ownToOne], other: [...ownToOther] }];

  return gapsBetween(one, other)
    .filter(({ one: mine, other: theirs }) => mine.length <= LONGEST_GAP && theirs.length <= LONGEST_GAP)
    .map((gap) => ({
      one: gap.one.filter((word) => ownToOne.has(word)),
      other: gap.other.filter((word) => ownToOther.has(word)),
    }))
    .filter(({ one: mine, other: theirs }) => mine.length > 0 && theirs.length > 0);
};

const contentOf = (text: string): string[] =>
  contentStems(wordsOf(withoutQuantities(text)).filter((word) => !isNegation(word)));

/** "auth" and "authentication", "postgres" and "postgresql": one word cut short. */
const isSameWord = (one: string, other: string): boolean =>
  one === other ||
  (Math.min(one.length, other.length) >= SHORTEST_CUT &&
    Math.max(one.length, other.length) <= LONGEST_CUT &&
    (one.startsWith(other) || other.startsWith(one)));

/** Words of which the other text has none that {@link isSameWord}; by tables, since a memory may have 10,000 words. */
const wordsMissing = (from: readonly string[], other: readonly string[]): Set<string> => {
  const theirs = new Set(other);
  const theirCuts = new Set(other.flatMap(cutsOf));
  const isKnown = (word: string): boolean =>
    theirs.has(word) ||
    (word.length >= SHORTEST_CUT && theirCuts.has(word)) ||
    cutsOf(word).some((cut) => theirs.has(cut));
  return new Set(from.filter((word) => !isKnown(word)));
};

const cutsOf = (word: string): string[] =>
  word.length > LONGEST_CUT
    ? []
    : Array.from({ length: Math.max(0, word.length - SHORTEST_CUT) }, (_, index) =>
        word.slice(0, SHORTEST_CUT + index),
      );

/** The stretches in which two sequences differ, along a longest common subsequence. */
const gapsBetween = (one: readonly string[], other: readonly string[]): Gap[] => {
  const longest = commonLengths(one, other);
  const at = (i: number, j: number): number => longest[i]?.[j] ?? 0;
  const gaps: Gap[] = [];
  let gap: { one: string[]; other: string[] } = { one: [], other: [] };
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    const [mine, theirs] = [one[i], other[j]];
    if (mine !== undefined && theirs !== undefined && isSameWord(mine, theirs)) {
      gaps.push(gap);
      gap = { one: [], other: [] };
      i += 1;
      j += 1;
    } else if (mine !== undefined && (theirs === undefined || at(i + 1, j) >= at(i, j + 1))) {
      gap.one.push(mine);
      i += 1;
    } else if (theirs !== undefined) {
      gap.other.push(theirs);
      j += 1;
    }
  }
  return [...gaps, gap];
};

/** Cell (i, j) holds the length of the longest common subsequence of what follows i and j. */
const commonLengths = (one: readonly string[], other: readonly string[]): Uint16Array[] => {
  const rows = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let i = one.length - 1; i >= 0; i -= 1) {
    const [row, below] = [rows[i], rows[i + 1]];
    if (row === undefined || below === undefined) continue;
    for (let j = other.length - 1; j >= 0; j -= 1) {
      const same = isSameWord(one[i] ?? '', other[j] ?? '');
      row[j] = same ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return rows;
};
