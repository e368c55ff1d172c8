/** What in a conversation could be a fact, before anybody asks whether it is worth keeping. */
import type { DistilledFact, FactKind, Refusal, Turn } from './conversation.js';
import { AGREEMENT, COMMITMENT, CUES, HEDGED, QUESTION, type Side, SMALL_TALK, TAKES_BACK } from './cues.js';
import { endOfPromise, expiryOf } from './expiry.js';
import { type Statement, statementsOf } from './statements.js';
import { anchorsOf } from './terms.js';

/** A statement that bears the marks of a fact. */
export interface Candidate extends DistilledFact {
  readonly turn: number;
  readonly side: Side;
  /** Whether it only says what somebody will do. */
  readonly isPromise: boolean;
  /** Whether it is one only because the next turn agrees. */
  readonly isAgreed: boolean;
  /** What speaks against it already. */
  readonly objection: Refusal | null;
}

/** Everything said in a turn, each side once. */
export interface SaidInTurn {
  readonly prompt: readonly Statement[];
  readonly answer: readonly Statement[];
}

export const saidIn = (turns: readonly Turn[]): SaidInTurn[] =>
  turns.map(({ prompt, answer }) => ({ prompt: statementsOf(prompt), answer: statementsOf(answer) }));

/** Under these an agent weighs what could be done; nothing there is decided. */
const WEIGHING =
  /\b(?:options?|alternatives?|pros|cons|trade-?offs?|examples?|questions?|if )\b|方案[一二三]|选项|示例|备选/iu;
const NEXT_STEPS =
  /\b(?:next steps?|follow-?ups?|remaining|todos?|to do|left to do|still open)\b|下一步|后续|待办|遗留/iu;
const LEADING =
  /^(?:(?:ok(?:ay)?|yes|yeah|yep|sure|so|and|but|also|oh|ah|well|right|great|perfect|thanks?|good|alright|hmm+|btw|by the way|then|because|agreed|got it|received|noted)(?:[,.!:;—–-]+\s+|\s+(?=i |we |let|please|always|never|it |the |remember )))+/i;
const LEADING_HAN = /^(?:(?:好的?|嗯|哦对?|对|行|可以|收到|那|那么|OK|ok|同意|明白|没问题|哦)[，,。！!、：: ]+)+/u;

/** A statement as a fact reads: without what only leads up to it. */
const worded = (text: string): string => {
  const plain = text.replace(LEADING, '').replace(LEADING_HAN, '').trim();
  return plain === '' ? text : plain;
};

/** The speaker's name where a sentence without it would not say who. */
const named = (text: string, speaker: string | undefined): string =>
  speaker !== undefined && /^(?:i\b|i'|我|my\b|let me\b)|\b(?:i|my|me)\b|我/iu.test(text)
    ? `${speaker}: ${text}`
    : text;

const MOST_TAGS = 5;
/** Names in it that could be asked for. */
export const tagsOf = (content: string): string[] =>
  anchorsOf(content)
    .filter((anchor) => /^[\p{L}][\p{L}\p{N}.+#_-]{1,23}$/u.test(anchor) && !/[._]$/.test(anchor))
    .slice(0, MOST_TAGS);

/** All candidates of a conversation's turns from one on, in order. */
export const candidatesIn = (turns: readonly Turn[], said: readonly SaidInTurn[], from: number): Candidate[] =>
  turns.flatMap((turn, index) => {
    const there = said[index];
    if (from === turns.length || index < from - 1 || there === undefined) return [];
    const isAgreedTo = agreesNext(turns, said, index);
    const read = (side: Side): Candidate[] =>
      there[side].flatMap((statement) => candidateOf(statement, { turn, index, side, isAgreedTo }) ?? []);
    // Of the last turn that was read before, only what the first new one agrees to is news.
    return [...read('prompt'), ...read('answer')].filter(({ isAgreed }) => index >= from || isAgreed);
  });

/** Whether the turn after one begins with a yes. */
export const agreesNext = (turns: readonly Turn[], said: readonly SaidInTurn[], index: number): boolean => {
  const next = said[index + 1]?.prompt[0];
  return next !== undefined && AGREEMENT.test(next.text) && !QUESTION.test(next.text) && turns[index + 1] !== undefined;
};

interface Place {
  readonly turn: Turn;
  readonly index: number;
  readonly side: Side;
  readonly isAgreedTo: boolean;
}

const candidateOf = (statement: Statement, { turn, index, side, isAgreedTo }: Place): Candidate | null => {
  const kindred = kindOf(statement, side, turn.speaker);
  if (kindred === null) return null;
  const content = named(kindred.content, turn.speaker);
  return {
    kind: kindred.kind,
    content,
    at: turn.at,
    expiresAt: expiryOf(statement.text, turn.at, kindred.kind) ?? (kindred.isPromise ? endOfPromise(turn.at) : null),
    tags: tagsOf(content),
    evidence: [{ turn: index, quote: statement.quote }],
    ...{ outcome: null, files: [], errors: [], turn: index, side },
    isPromise: kindred.isPromise,
    isAgreed: isAgreedTo && (kindred.isProposal || HEDGED.test(statement.text)),
    objection: objectionOf(statement.text, { ...kindred, isAgreedTo }),
  };
};

/** What a statement's own words have against it. */
const objectionOf = (
  text: string,
  { isProposal, isAgreedTo }: Pick<Kindred, 'isProposal'> & Pick<Place, 'isAgreedTo'>,
): Refusal | null => {
  if (QUESTION.test(text)) return 'question';
  if (SMALL_TALK.test(text)) return 'too-general';
  if (isAgreedTo) return null;
  if (isProposal) return 'undecided';
  return HEDGED.test(text) ? 'hedged' : null;
};

interface Kindred {
  readonly kind: FactKind;
  /** What of the statement says it. */
  readonly content: string;
  readonly isProposal: boolean;
  readonly isPromise: boolean;
}

const kindOf = ({ text, heading, isItem }: Statement, side: Side, speaker: string | undefined): Kindred | null => {
  const content = worded(text);
  const plain = { content, isProposal: false, isPromise: false };
  if (side === 'answer') {
    if (isItem && NEXT_STEPS.test(heading)) return { ...plain, kind: 'todo' };
    if (WEIGHING.test(heading)) return null;
  }
  if (TAKES_BACK.test(text) || (speaker !== undefined && ANSWERS_NO.test(text))) return null;
  const hit = CUES.find(({ pattern, sides }) => sides.includes(side) && (pattern.test(text) || pattern.test(content)));
  if (hit !== undefined) {
    return {
      kind: hit.kind,
      content: shortest(content, hit.pattern),
      isProposal: hit.isProposal === true,
      isPromise: false,
    };
  }
  // Where several people write, others will ask who does it; who works alone with an agent promises nothing.
  return speaker !== undefined && side === 'prompt' && COMMITMENT.test(content)
    ? { ...plain, kind: 'todo', isPromise: true }
    : null;
};

/** Among people "no" answers a question; to an agent it puts something right. */
const ANSWERS_NO = /^(?:no|nope)\s*[,.;!]/i;

/** Of thoughts strung together by dashes the one that bears the mark. */
const shortest = (content: string, pattern: RegExp): string => {
  // A list on one line stays whole.
  const parts = /[:;：；]\s*[-–—]\s/.test(content) ? [content] : content.split(/\s[-–—]\s/);
  return parts.length === 1
    ? content
    : (parts.map(worded).find((part) => pattern.test(part) && part.length >= 18) ?? content);
};
