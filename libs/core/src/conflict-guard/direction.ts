/** Statements that hold the same words the other way round: "from A to B" and "from B to A". */
import { isStopWord, stem, wordsOf } from './words.js';

const DIRECTIONS = new Set([
  'to',
  'into',
  'before',
  'after',
  'over',
  'than',
  'under',
  'behind',
  'instead',
  'replaces',
  'extends',
  'wraps',
  'calls',
  'owns',
  'blocks',
  ...['by', 'von', 'durch', 'par', 'por'],
]);
/** Each is put between blanks as a word of its own, since Han words are compared by character. */
const HAN_DIRECTIONS =
  /改为|改成|换成|迁移到|替代|代替|取代|优于|先于|早于|晚于|大于|高于|低于|小于|而不是|由(?!于)|再|到|比|后|被|把|给|向/g;

/** How many words on either side of a direction word are taken for its sides. */
const REACH = 12;

interface Turn {
  readonly word: string;
  /** What follows the word. */
  readonly head: string;
  /** The other side: what stands before the word, or, where it opens the text ("Before A, do B"), after the head. */
  readonly side: readonly string[];
}

/** Direction words whose two sides are exchanged between the texts. */
export const turnsBetween = (a: string, b: string): string[] => {
  const sidesInB = new Map<string, Set<string>>();
  for (const { word, head, side } of turnsOf(b)) {
    const known = sidesInB.get(`${word} ${head}`) ?? new Set();
    side.forEach((other) => known.add(other));
    sidesInB.set(`${word} ${head}`, known);
  }
  const exchanged = ({ word, head, side }: Turn): boolean =>
    side.some((other) => other !== head && sidesInB.get(`${word} ${other}`)?.has(head) === true);
  return turnsOf(a)
    .filter(exchanged)
    .map(({ word }) => word);
};

const turnsOf = (text: string): Turn[] => {
  const words = wordsOf(text.replace(HAN_DIRECTIONS, (word) => ` ${markOf(word)} `));
  return words.flatMap((word, index) => {
    if (!isDirection(word)) return [];
    const [head, ...after] = matterOf(words.slice(index + 1, index + 1 + REACH));
    const before = matterOf(words.slice(Math.max(0, index - REACH), index));
    return head === undefined ? [] : [{ word, head, side: before.length > 0 ? before : after }];
  });
};

const isDirection = (word: string): boolean => DIRECTIONS.has(word) || word.startsWith(MARK);

const matterOf = (words: readonly string[]): string[] =>
  words.filter((word) => !isStopWord(word) && !isDirection(word)).map(stem);

const MARK = '__';

/** A Latin spelling, so that the word is not cut into characters. */
const markOf = (word: string): string =>
  `${MARK}${[...word].map((char) => char.codePointAt(0)?.toString(16)).join('_')}`;
