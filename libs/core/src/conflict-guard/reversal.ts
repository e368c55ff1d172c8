/** Whether a text says the reverse of another, or only the same in another sentence, which may put its words in any order. */
import { turnsBetween } from './direction.js';
import { agentsBetween } from './exchange.js';
import { wordsOf } from './words.js';

/** From this share of their words on, as written, two texts are one arrangement of words and another. */
const SAME_WORDS = 0.8;
/** Also opens a clause ("to start it, first …") and follows a verb ("have to"): its sides say little. */
const LOOSE = 'to';

/**
 * Of two texts that differ in order: whether that is who does what, and not how it is put. Whoever tells the same again turns
 * the sentence round and bends its words ("primed before it starts", "before starting, prime"); whoever says the reverse
 * exchanges two sides of a word, or puts the very same words elsewhere.
 */
export const isReversal = (one: string, other: string): boolean =>
  turnsBetween(one, other).some((word) => word !== LOOSE) ||
  agentsBetween(one, other).length > 0 ||
  shareAsWritten(one, other) >= SAME_WORDS;

/** The share of words, of the longer text's, that both have equally often, in the same form. */
const shareAsWritten = (one: string, other: string): number => {
  const [mine, theirs] = [wordsOf(one), wordsOf(other)];
  const left = new Map<string, number>();
  for (const word of mine) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of theirs) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    shared += 1;
  }
  return shared / Math.max(1, mine.length, theirs.length);
};
