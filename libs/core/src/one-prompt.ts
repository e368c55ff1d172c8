/** Captures of one prompt are one memory (docs/design.md, "One prompt"). */
import { findConflicts, type ConflictKind } from './conflict-guard.js';
import { judgeEncounter, type Encounter, type Verdict } from './supersession.js';

/** What differs wherever somebody says the same in other words; the encoder has found the two near. */
const OTHER_WORDS: ReadonlySet<ConflictKind> = new Set(['order', 'wording']);

/**
 * Decides what a capture is to an earlier one of the same author, session and prompt, which tell of one thing unless
 * something says otherwise: a number, a name, a negation and the like that differ, or texts on different subjects.
 * @param isOfOneSubject whether encoder or words find them near at all
 */
export const judgeOnePrompt = (encounter: Encounter, isOfOneSubject: boolean): Verdict => {
  const verdict = judgeEncounter(encounter);
  if (!isOfOneSubject || verdict.relation === 'supersedes') return verdict;
  const isRetold = findConflicts(encounter.older.text, encounter.newer.text).every(({ kind }) => OTHER_WORDS.has(kind));
  if (isRetold) return { relation: 'same', differences: [] };
  return verdict.relation === 'far' ? { relation: 'near', differences: [] } : verdict;
};
