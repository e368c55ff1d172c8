/**
 * Supersession (docs/design.md, "Supersession"): what a new text is to one that is there. A false retirement hides a decision
 * that holds, a false conflict asks a person: so a newer one retires an older one only where everything speaks for it.
 */
import { findConflicts, type TextConflict } from './conflict-guard.js';
import type { MemoryKind, Outcome, ProjectId } from './memory.js';
import { saysItReplaces } from './supersession/says-so.js';
import { changesOnlyValues, contradictsOnly, sameButForValues } from './supersession/value-change.js';

/**
 * How near two texts lie: above the card's merge or cluster threshold in every part; `alike`: not near for the encoder,
 * which tells "on" from "off" no better than two texts on one subject, but in words; else far.
 */
export type Nearness = 'repetition' | 'near' | 'alike' | 'far';

/** From this share of their words on, two texts are alike, and near ones are on one subject. */
export const ALIKE_SHARE = 0.6;

/** One of two texts. */
export interface Standpoint {
  readonly kind: MemoryKind;
  /** Title and text. */
  readonly text: string;
  readonly projectId: ProjectId | null;
  /** When the work that it tells of ended. */
  readonly endedAt: Date;
  /** How it ended, where that is said. */
  readonly outcome?: Outcome | null;
}

/** A text that is there, a newer one for the same people, and how they stand to each other. */
export interface Encounter {
  readonly older: Standpoint;
  readonly newer: Standpoint;
  readonly nearness: Nearness;
  /** The share of terms, of the larger text's, that both have, 0..1. */
  readonly sharedWords: number;
  /** Whether who says the newer may change the older, and take a pin off it where it has one. */
  readonly mayRetire: boolean;
}

/** `same`: a repetition. `far`: nothing to each other. */
export type Relation = 'same' | 'supersedes' | 'conflict' | 'near' | 'far';

export interface Verdict {
  readonly relation: Relation;
  /** What keeps the two apart, for a conflict or where one takes the other's place. */
  readonly differences: readonly TextConflict[];
}

/** Decides what a newer text is to an older one of the same audience. */
export const judgeEncounter = (encounter: Encounter): Verdict => {
  const { older, newer, nearness } = encounter;
  if (nearness === 'far') return { relation: 'far', differences: [] };
  const ending = endingConflict(older, newer);
  if (nearness === 'repetition' && ending.length > 0) {
    return { relation: 'conflict', differences: [...findConflicts(older.text, newer.text), ...ending] };
  }
  const found = findConflicts(older.text, newer.text);
  const isOtherValue = changesOnlyValues(older.text, newer.text, found);
  if (isOtherDecision(encounter, isOtherValue)) {
    return { relation: mayStandInstead(encounter) ? 'supersedes' : 'conflict', differences: found };
  }
  // Texts on one subject differ in words anyway; where they are no repetition, only a number, a negation and the like tell.
  const isSameWording =
    contradictsOnly(older.text, newer.text, found) || found.every(({ kind }) => kind !== 'wording' && kind !== 'name');
  if (found.length > 0 && (nearness === 'repetition' || isSameWording)) {
    return { relation: 'conflict', differences: found };
  }
  if (nearness === 'repetition') return { relation: 'same', differences: [] };
  // A bare name may as well be another subject ("in web", "in api"), so it is only pointed out.
  const isOtherName = found.some(({ kind }) => kind === 'name');
  return { relation: nearness === 'near' || isOtherName ? 'near' : 'far', differences: [] };
};

/** A success does not become a failure by being told again, nor the other way round; what was done in part may still end. */
export const endingConflict = (
  { outcome: was = null }: Pick<Standpoint, 'outcome'>,
  { outcome: is = null }: Pick<Standpoint, 'outcome'>,
): TextConflict[] =>
  (was === 'success' && is === 'failure') || (was === 'failure' && is === 'success')
    ? [{ kind: 'outcome', one: [was], other: [is] }]
    : [];

/**
 * Whether both decide the same thing, and differently. The encoder holds "30 s" and "60 s" apart like two texts on one
 * subject (.89 to .93, where texts that cluster begin at .927); there the words must be the same but for the value.
 */
const isOtherDecision = ({ older, newer, nearness, sharedWords }: Encounter, isOtherValue: boolean): boolean => {
  if (older.kind !== 'decision' || newer.kind !== 'decision') return false;
  if (saysItReplaces(older.text, newer.text)) return true;
  if (!isOtherValue || sharedWords < ALIKE_SHARE) return false;
  return nearness !== 'alike' || sameButForValues(older.text, newer.text);
};

const mayStandInstead = ({ older, newer, mayRetire }: Encounter): boolean =>
  mayRetire && older.projectId === newer.projectId && newer.endedAt.getTime() > older.endedAt.getTime();
