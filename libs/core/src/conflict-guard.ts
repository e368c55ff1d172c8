/**
 * The conflict guard (docs/design.md, "Conflict guard"): two texts that differ in a number, unit, version, weekday or month, negation, name, path or
 * command, and also in a sign or in who does what to whom, are a conflict for a person, not a merge. Encoders cannot tell: "timeout 30 s" and "timeout 60 s" have a
 * cosine of .946, "enabled" and "not enabled" .982. It errs towards conflict, since a fact overwritten costs more than
 * a memory stored beside another.
 */
import { datesOf, withoutDates } from './conflict-guard/dates.js';
import { turnsBetween } from './conflict-guard/direction.js';
import { exchangesBetween } from './conflict-guard/exchange.js';
import { mentionsOf, MentionIndex, type Mention, type MentionKind } from './conflict-guard/names.js';
import { negationsOf } from './conflict-guard/negations.js';
import { oppositesBetween } from './conflict-guard/opposites.js';
import { quantitiesOf, type Quantity } from './conflict-guard/quantities.js';
import { symbolsOf } from './conflict-guard/symbols.js';
import { substitutionsBetween } from './conflict-guard/wording.js';
import { asWritten, contentStems, normalise, trimEdges, wordsOf } from './conflict-guard/words.js';

/** What two texts can differ in; `opposite`, `order` and `wording` catch negations and names that carry no mark, and `outcome` is said beside them. */
export const CONFLICT_KINDS = [
  'number',
  'unit',
  'version',
  'date',
  'negation',
  'opposite',
  'name',
  'path',
  'command',
  'symbol',
  'order',
  'wording',
  'outcome',
] as const;
export type ConflictKind = (typeof CONFLICT_KINDS)[number];

/** One difference, with what each text says; an empty list where it says nothing. */
export interface TextConflict {
  readonly kind: ConflictKind;
  readonly one: readonly string[];
  readonly other: readonly string[];
}

/** Whether two texts may become one memory without asking a person. */
export const mayMerge = (one: string, other: string): boolean => findConflicts(one, other).length === 0;

/** What keeps two texts apart, at most one entry of each kind; empty when they may merge. */
export const findConflicts = (one: string, other: string): TextConflict[] => {
  const [a, b] = [normalise(one), normalise(other)];
  if (spaced(a) === spaced(b)) return [];
  if (!isReadable(a) || !isReadable(b)) return wordlessConflict(a, b);
  if (bare(a) === bare(b)) return [];
  return [
    ...quantityConflicts(quantitiesOf(a), quantitiesOf(b)),
    ...listConflict('date', datesOf(a), datesOf(b)),
    ...listConflict('negation', negationsOf(a), negationsOf(b)),
    ...oppositeConflict(a, b),
    ...mentionConflicts(withoutDates(a), withoutDates(b)),
    ...listConflict('symbol', symbolsOf(a), symbolsOf(b)),
    ...orderConflict(a, b),
    ...wordingConflict(withoutDates(a), withoutDates(b)),
  ];
};

const spaced = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Spacing and the closing mark never make a difference; case may (Mb and MB). */
const bare = (text: string): string => trimEdges(spaced(text), ' ', ' .!。');

const isReadable = (text: string): boolean => contentStems(wordsOf(text)).length > 0;

/** Where a text holds nothing to compare, such as pictures alone, nobody can say that two are one. */
const wordlessConflict = (a: string, b: string): TextConflict[] => {
  const [one, other] = [wordsOf(a), wordsOf(b)];
  const areSame = one.length > 0 && one.join(' ') === other.join(' ');
  const quote = (text: string): string => [...spaced(text)].slice(0, QUOTED).join('');
  return areSame ? [] : [{ kind: 'wording', one: [quote(a)], other: [quote(b)] }];
};
/** So much of a text without words is shown. */
const QUOTED = 40;

const listConflict = (kind: ConflictKind, one: readonly string[], other: readonly string[]): TextConflict[] =>
  one.length === other.length && one.every((item, index) => item === other[index]) ? [] : [{ kind, one, other }];

/** In order, not as a set: "retry 5 times after 30 s" holds the numbers of "retry 30 times after 5 s". */
const quantityConflicts = (one: readonly Quantity[], other: readonly Quantity[]): TextConflict[] => {
  const texts = (quantities: readonly Quantity[]): string[] => quantities.map(({ value, unit }) => `${value}${unit}`);
  const versions = (quantities: readonly Quantity[]): Quantity[] => quantities.filter(({ isVersion }) => isVersion);
  const [difference] = listConflict('number', texts(one), texts(other));
  if (difference === undefined) return [];
  const sameVersions = listConflict('version', texts(versions(one)), texts(versions(other))).length === 0;
  if (!sameVersions) return [{ ...difference, kind: 'version' }];
  const values = (quantities: readonly Quantity[]): string[] => quantities.map(({ value }) => value);
  const sameValues = listConflict('number', values(one), values(other)).length === 0;
  return [{ ...difference, kind: sameValues ? 'unit' : 'number' }];
};

const oppositeConflict = (a: string, b: string): TextConflict[] => {
  const opposed = oppositesBetween(a, b);
  if (opposed.length === 0) return [];
  return [{ kind: 'opposite', one: opposed.map(([mine]) => mine), other: opposed.map(([, theirs]) => theirs) }];
};

const mentionConflicts = (a: string, b: string): TextConflict[] => {
  const [mine, theirs] = [mentionsOf(a), mentionsOf(b)];
  const [inA, inB] = [new MentionIndex(a), new MentionIndex(b)];
  const kinds: readonly MentionKind[] = ['name', 'path', 'command'];
  return kinds.flatMap((kind): TextConflict[] => {
    const ofKind = (mentions: readonly Mention[]): Mention[] => mentions.filter((mention) => mention.kind === kind);
    const missingInB = ofKind(mine).filter((mention) => !inB.has(mention));
    const missingInA = ofKind(theirs).filter((mention) => !inA.has(mention));
    const text = (mentions: readonly Mention[]): string[] => mentions.map((mention) => mention.text);
    return missingInA.length + missingInB.length === 0
      ? []
      : [{ kind, one: text(missingInB), other: text(missingInA) }];
  });
};

const orderConflict = (a: string, b: string): TextConflict[] => {
  const turns = [...turnsBetween(a, b), ...exchangesBetween(a, b)];
  return turns.length === 0 ? [] : [{ kind: 'order', one: turns, other: turns }];
};

/** Aligned in one fixed direction, so that the answer does not depend on which text came first. */
const wordingConflict = (a: string, b: string): TextConflict[] => {
  const gaps =
    a <= b
      ? substitutionsBetween(a, b)
      : substitutionsBetween(b, a).map(({ one, other }) => ({ one: other, other: one }));
  if (gaps.length === 0) return [];
  const [one, other] = [gaps.flatMap((gap) => gap.one), gaps.flatMap((gap) => gap.other)];
  return [{ kind: 'wording', one: asWritten(a, one), other: asWritten(b, other) }];
};
