/** Captures of one prompt are one memory (docs/design.md, "One prompt"). */
import { findConflicts, type TextConflict } from './conflict-guard.js';
import { normalise } from './conflict-guard/words.js';
import { isReversal } from './conflict-guard/reversal.js';
import { endingConflict, judgeEncounter, type Encounter, type Verdict } from './supersession.js';

/**
 * Decides what a capture is to an earlier one of the same author, session and prompt, which tell of one thing unless
 * something says otherwise: a number, a name, a negation, a reversal, another ending and the like, or another subject.
 * @param isOfOneSubject whether encoder or words find them near at all
 */
export const judgeOnePrompt = (encounter: Encounter, isOfOneSubject: boolean): Verdict => {
  const verdict = judgeEncounter(encounter);
  if (!isOfOneSubject || verdict.relation === 'supersedes') return verdict;
  const { older, newer } = encounter;
  const ending = endingConflict(older, newer);
  const found = findConflicts(older.text, newer.text);
  if (!found.every((difference) => isRetold(encounter, difference))) {
    return verdict.relation === 'far' ? { relation: 'near', differences: [] } : verdict;
  }
  return ending.length > 0 ? { relation: 'conflict', differences: ending } : { relation: 'same', differences: [] };
};

/** Differs wherever somebody says the same in other words, and the encoder has found the two near. */
const isRetold = ({ older, newer }: Encounter, { kind }: TextConflict): boolean =>
  kind === 'wording' || (kind === 'order' && !isReversal(normalise(older.text), normalise(newer.text)));
