/** The piece of work that a stretch of conversation was: what was wanted, what came of it, with which files and errors. */
import type { Outcome } from '../memory.js';
import type { Candidate, SaidInTurn } from './candidates.js';
import type { Evidence, Turn } from './conversation.js';
import { AGREEMENT, outcomeIn, QUESTION } from './cues.js';
import { cut, EDITING, resolvedErrors, showsError } from './errors.js';
import type { Statement } from './statements.js';
import { telling } from './terms.js';

const MOST_FILES = 20;
const MOST_ERRORS = 10;
/** The work of the turns from one on; null where nothing was done. */
export const episodeOf = (turns: readonly Turn[], said: readonly SaidInTurn[], from: number): Candidate | null => {
  const worked = turns.slice(from);
  const asked = intentIn(said, from);
  const last = worked.at(-1);
  if (asked === null || last === undefined) return null;
  const files = filesIn(worked);
  const errors = resolvedErrors(turns, said, from);
  const ending = endingIn(said, from);
  if (files.length === 0 && errors.length === 0) return null;
  const content = [asked.text, ending?.text]
    .filter((part) => part !== undefined)
    .map(cut)
    .join('\n');
  const evidence: Evidence[] = [
    { turn: asked.turn, quote: asked.quote },
    ...(ending === null ? [] : [{ turn: ending.turn, quote: ending.quote }]),
    ...errors.flatMap(({ turn, quotes }) => quotes.map((quote) => ({ turn, quote }))),
  ];
  return {
    kind: 'episode',
    content,
    at: last.at,
    ...{
      expiresAt: null,
      tags: [],
      evidence,
      files,
      turn: turns.length - 1,
      side: 'prompt',
      isPromise: false,
      isAgreed: false,
      objection: ending === null && errors.length === 0 ? 'too-general' : null,
    },
    outcome: ending === null ? null : outcomeAfter(ending, turns),
    errors: errors.slice(0, MOST_ERRORS).map(({ error, resolution }) => ({ error, resolution })),
  };
};

/** What a person asked for first, in words that tell what. */
const intentIn = (said: readonly SaidInTurn[], from: number): (Statement & { readonly turn: number }) | null => {
  for (const [index, { prompt }] of said.entries()) {
    if (index < from) continue;
    const found = prompt.find(({ text }) => text.length >= 8 && telling(text).length >= 2 && !isOnlyAgreement(text));
    if (found !== undefined) return { ...found, turn: index };
  }
  return null;
};

const isOnlyAgreement = (text: string): boolean => AGREEMENT.test(text) && text.length < 24;

const filesIn = (turns: readonly Turn[]): string[] => {
  const files = turns.flatMap(({ tools }) =>
    tools.flatMap(({ name, file, error }) => (file !== null && error === null && EDITING.test(name) ? [file] : [])),
  );
  return [...new Set(files)].slice(0, MOST_FILES);
};

interface Ending extends Statement {
  readonly turn: number;
  readonly outcome: Outcome;
}

/** Who comes back with an error after the last good word is not through. */
const outcomeAfter = ({ outcome, turn }: Ending, turns: readonly Turn[]): Outcome =>
  outcome === 'success' && turns.slice(turn + 1).some(({ prompt }) => showsError(prompt)) ? 'partial' : outcome;

/** The last word on how it went; what is announced or asked is none. */
const endingIn = (said: readonly SaidInTurn[], from: number): Ending | null => {
  for (let index = said.length - 1; index >= from; index -= 1) {
    const { answer } = said[index] ?? { answer: [] };
    for (const statement of answer) {
      const outcome = isAnnouncement(statement) ? null : outcomeIn(statement.text);
      if (outcome !== null && telling(statement.text).length >= 2) return { ...statement, turn: index, outcome };
    }
  }
  return null;
};

const isAnnouncement = ({ text, isItem }: Statement): boolean =>
  isItem ||
  QUESTION.test(text) ||
  /^(?:let(?:'s| me)|now (?:let|i'll|i need)|i'll|i will|i can|i see|you (?:can|need|could)|next|if|try|好|让我|我来|我会)/iu.test(
    text,
  ) ||
  /[:：]$/.test(text);
