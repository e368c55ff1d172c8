/** Which candidates are worth a reader's time, and of the others why not. */
import { findConflicts } from '../conflict-guard.js';
import type { Candidate, SaidInTurn } from './candidates.js';
import { cameBack } from './errors.js';
import type { DistilPorts, Refusal, Turn } from './conversation.js';
import { TAKES_BACK } from './cues.js';
import { ReadingAhead } from './reading-ahead.js';
import { anchorsOf, eastAsianShare, overlap, telling, weightOf } from './terms.js';

const LONGEST = 600;
const SHORTEST_LATIN = 18;
const SHORTEST_EAST_ASIAN = 8;
/** Below, a reader who was not there learns nothing. */
const LEAST_TELLING = 3;
/** Two statements that share so many of the smaller's terms are about one thing. */
const SAME_SUBJECT = 0.6;

const NOISE = [
  /<\/?[a-z][a-z0-9_-]*[^>]*>/i,
  /[─-╿▀-▟�]/u,
  /\b[0-9a-f]{32,}\b|[A-Za-z0-9+/]{60,}={0,2}/,
  /\b(?:Co-Authored-By|Generated with|Exit code \d+|tool_use_error|stack trace)\b/i,
  /^\s*(?:[[{]|\$ |> |at \S+:\d+)/,
  /\blorem ipsum\b/i,
  /(?:\\n|\\t|\\"){2,}/,
];

/** More signs than letters is no sentence. */
const isMostlySigns = (text: string): boolean => {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const signs = text.match(/[^\p{L}\p{N}\s,.，。；：、“”"'()（）/-]/gu)?.length ?? 0;
  return letters === 0 || signs > letters / 2;
};

/** A beginning that points at something said elsewhere: alone, it tells nothing. */
const POINTING =
  /^(?:it|this|that|these|those|they|he|she)(?:'s|'ll| is| was| are| will| needs?| has)?\b(?! \S+ (?:must|should|needs?))|^(?:这|那|它|这个|那个|这样|那样)(?!个?(?:项目|服务|仓库|系统))/iu;

/** What can be said of one candidate by itself. */
export const objectionTo = (fact: Candidate, turns: readonly Turn[], ports: DistilPorts): Refusal | null => {
  const { content } = fact;
  if (fact.objection !== null) return fact.objection;
  if (ports.bearsSecret(content)) return 'bears-secret';
  if (NOISE.some((pattern) => pattern.test(content)) || isMostlySigns(content)) return 'machine-noise';
  if (content.length < (eastAsianShare(content) > 0.5 ? SHORTEST_EAST_ASIAN : SHORTEST_LATIN)) return 'too-short';
  if (content.length > LONGEST) return 'too-long';
  if (!isTelling(fact)) return 'too-general';
  if (fact.expiresAt !== null && ports.isOver?.(fact.expiresAt) === true) return 'expired';
  return fact.evidence.every(({ turn, quote }) => occurs(quote, turns[turn])) && fact.evidence.length > 0
    ? null
    : 'no-evidence';
};

/** A promise is soon forgotten: it must say more to be worth it. What is put right is short. */
const isTelling = ({ content, kind, isPromise }: Candidate): boolean => {
  const points = POINTING.test(content) && anchorsOf(content).length === 0;
  if (/[:：]$/.test(content)) return false;
  const more = (points ? 2 : 0) + (isPromise ? 1 : 0) - (kind === 'correction' ? 1 : 0);
  return weightOf(content) >= LEAST_TELLING + more;
};

const spaced = (text: string): string => text.replace(/\s+/g, ' ');

/** Whether a quotation stands in the turn, word for word but for white space. */
export const occurs = (quote: string, turn: Turn | undefined): boolean => {
  if (turn === undefined || quote.trim() === '') return false;
  const sought = spaced(quote.trim());
  const tools = turn.tools.flatMap(({ error, resolution, command }) => [error, resolution, command]);
  return [turn.prompt, turn.answer, ...tools].some((text) => text !== null && spaced(text).includes(sought));
};

/** What the rest of the conversation does to each of the candidates that stand by themselves. */
export const objectionsAmong = (
  facts: readonly Candidate[],
  said: readonly SaidInTurn[],
  turns: readonly Turn[],
): ReadonlyMap<Candidate, Refusal> => {
  const terms = new Map(facts.map((fact) => [fact, telling(fact.content)]));
  const ahead = new ReadingAhead(said);
  const against = new Map<Candidate, Refusal>();
  for (const [index, fact] of facts.entries()) {
    const own = terms.get(fact) ?? [];
    const reason =
      laterAgainst(fact, own, said, ahead) ??
      (fact.side === 'answer' && cameBack(turns, fact.turn) ? 'refuted-later' : null) ??
      facts
        .slice(index + 1)
        .map((later) => judgedBy(fact, later, overlap(own, terms.get(later) ?? [])))
        .find((found) => found !== null) ??
      null;
    if (reason !== null) against.set(fact, reason);
  }
  return against;
};

/** The later of two statements on one subject stands: the earlier is either the same or refuted by it. */
const judgedBy = (fact: Candidate, later: Candidate, shared: number): Refusal | null => {
  if (shared < SAME_SUBJECT || fact.kind === 'episode' || later.kind === 'episode') return null;
  const differs = findConflicts(fact.content, later.content).length > 0;
  if (!differs) return 'repeated';
  return later.turn > fact.turn && (later.kind === 'correction' || (later.kind === fact.kind && shared >= 0.8))
    ? 'refuted-later'
    : null;
};

const laterAgainst = (
  fact: Candidate,
  own: readonly string[],
  said: readonly SaidInTurn[],
  ahead: ReadingAhead,
): Refusal | null => {
  if (fact.kind === 'todo') return ahead.isDone(own, fact.turn) ? 'done-later' : null;
  if (fact.kind === 'episode') return null;
  const next = said[fact.turn + 1]?.prompt[0];
  if (next !== undefined && TAKES_BACK.test(next.text)) return 'refuted-later';
  return ahead.isPutAside(fact.content, fact.turn) ? 'refuted-later' : null;
};
