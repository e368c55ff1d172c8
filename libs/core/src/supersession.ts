/**
 * Supersession (docs/design.md, "Supersession"): what a new text is to one that is there. A false retirement hides a decision
 * that holds, a false conflict asks a person: so a newer one retires an older one only where everything speaks for it.
 */
import { findConflicts, type TextConflict } from './conflict-guard.js';
import type { MemoryKind, ProjectId } from './memory.js';
import { saysItReplaces } from './supersession/says-so.js';
import { changesOnlyValues, sameButForValues } from './supersession/value-change.js';

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
  const found = findConflicts(older.text, newer.text);
  const isOtherValue = changesOnlyValues(older.text, newer.text, found);
  if (isOtherDecision(encounter, isOtherValue)) {
    return { relation: mayStandInstead(encounter) ? 'supersedes' : 'conflict', differences: found };
  }
  // Texts on one subject differ in words anyway; where they are no repetition, only a number, a negation and the like tell.
  const isSameWording = isOtherValue || found.every(({ kind }) => kind !== 'wording' && kind !== 'name');
  if (found.length > 0 && (nearness === 'repetition' || isSameWording)) {
    return { relation: 'conflict', differences: found };
  }
  if (nearness === 'repetition') return { relation: 'same', differences: [] };
  return { relation: nearness === 'near' ? 'near' : 'far', differences: [] };
};

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
