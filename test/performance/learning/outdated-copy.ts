import { readOccurredAt, type NeutralSet } from '../neutral-sets.js';
import { chance } from './chance.js';

type Memory = NeutralSet['memories'][number];

const DAY_MS = 86_400_000;
/** How long before the current one the outdated one was true. */
const OLDER_DAYS = 90;

/** The id of a memory's outdated copy. */
export const outdatedOf = (id: string): string => `${id}~outdated`;

/**
 * A set in which an outdated near-copy stands beside each memory that a query asks for: the same words but for one number
 * or, where there is none, one word, and an older date.
 * @param now what memories without a date are dated by
 */
export const withOutdatedCopies = (
  set: NeutralSet,
  relevant: ReadonlySet<string>,
  now: Date,
  seed: number,
): NeutralSet => ({
  ...set,
  memories: set.memories.flatMap((memory) => {
    if (!relevant.has(memory.id)) return [memory];
    const at = new Date(readOccurredAt(memory.occurredAt) ?? now);
    const occurredAt = new Date(at.getTime() - OLDER_DAYS * DAY_MS).toISOString();
    return [
      memory,
      { ...memory, id: outdatedOf(memory.id), text: changedText(memory, set.memories, seed), occurredAt },
    ];
  }),
});

const NUMBER = /\d+/;
/** A Latin word of some length, or two characters of a script without spaces. */
const WORD = /[A-Za-z]{4,}|\p{Script=Han}{2}/gu;

/** The text with its first number, else one of its words, exchanged. */
export const changedText = ({ id, text }: Memory, others: readonly Memory[], seed: number): string => {
  const number = NUMBER.exec(text)?.[0];
  if (number !== undefined)
    return text.replace(NUMBER, String(BigInt(number) + BigInt(1 + draw(8, seed, id, 'number'))));
  const words = [...text.matchAll(WORD)];
  const word = words[draw(words.length, seed, id, 'word')];
  if (word === undefined) return `${text} (2)`;
  const other = otherWord(word[0], id, others, seed);
  return `${text.slice(0, word.index)}${other}${text.slice(word.index + word[0].length)}`;
};

/** A word of another memory, of the same script. */
const otherWord = (word: string, id: string, others: readonly Memory[], seed: number): string => {
  const isLatin = /^[A-Za-z]/.test(word);
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const text = others[draw(others.length, seed, id, `memory ${attempt}`)]?.text ?? '';
    const fitting = (text.match(WORD) ?? []).filter((one) => /^[A-Za-z]/.test(one) === isLatin && !sameWord(one, word));
    const chosen = fitting[draw(fitting.length, seed, id, `other ${attempt}`)];
    if (chosen !== undefined) return chosen;
  }
  return [...word].reverse().join('');
};

const sameWord = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const draw = (below: number, seed: number, ...words: readonly string[]): number =>
  Math.floor(chance(seed, 'outdated', ...words) * below);

/** How often the outdated one is what an answer shows first. */
export interface Standing {
  /** Pairs of which the answer shows at least one. */
  readonly shown: number;
  /** Of these, the outdated one alone or above the current one. */
  readonly above: number;
}

/** Compares the places of each relevant memory and its copy in one answer. */
export const standingIn = (ranked: readonly string[], relevant: readonly string[]): Standing => {
  const pairs = relevant.map((id) => [ranked.indexOf(id), ranked.indexOf(outdatedOf(id))] as const);
  const shown = pairs.filter(([current, outdated]) => current >= 0 || outdated >= 0);
  const above = shown.filter(([current, outdated]) => outdated >= 0 && (current < 0 || outdated < current));
  return { shown: shown.length, above: above.length };
};
