import type { EnvelopeLabel } from '../envelope.js';
import type { LabelledMemory, MemoryView, RetrieveHit } from '../memory-view.js';
import { cutText } from '../untrusted-text.js';
import { shortId } from './arguments.js';

const MINUTE_MS = 60_000;
const JUST_NOW = 'just now';
const AGE_STEPS: readonly (readonly [limitMinutes: number, unitMinutes: number, unit: string])[] = [
  [60, 1, 'minute'],
  [24 * 60, 60, 'hour'],
  [60 * 24 * 60, 24 * 60, 'day'],
  [730 * 24 * 60, 30.44 * 24 * 60, 'month'],
  [Number.POSITIVE_INFINITY, 365.25 * 24 * 60, 'year'],
];

/** How long ago, in words; a moment in the future counts as now. */
export const ageText = (from: Date, now: Date): string => {
  const minutes = Math.max(0, (now.getTime() - from.getTime()) / MINUTE_MS);
  if (minutes < 1) return JUST_NOW;
  const [, unitMinutes, unit] = AGE_STEPS.find(([limit]) => minutes < limit) ?? [0, 1, 'minute'];
  const count = Math.floor(minutes / unitMinutes);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
};

/** {@link ageText} as the end of a sentence. */
export const agoText = (from: Date, now: Date): string => {
  const age = ageText(from, now);
  return age === JUST_NOW ? age : `${age} ago`;
};

/** A share of 1 as whole percents. */
export const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** What speaks for a memory, in a few words: shown beside it wherever its text is shown. */
export const trustText = (memory: Omit<LabelledMemory, 'title'>): string => {
  const { helpfulPeople, foundHelpful } = memory.utility;
  const helped = helpfulPeople === null ? 'found helpful' : `found helpful by ${helpfulPeople} people`;
  const verified = memory.verification === 'UNTESTED' ? [] : [memory.verification.toLowerCase().replaceAll('_', ' ')];
  const votes = foundHelpful ? [helped] : [];
  const seen = memory.proofCount > 1 ? [`captured ${memory.proofCount} times`] : [];
  const reasons = [...verified, ...votes, ...seen];
  if (reasons.length > 0) return reasons.join(', ');
  return memory.mine ? 'your own, untested' : 'low: untested';
};

/** Where a memory lives, in words. */
export const placeText = (memory: Pick<MemoryView, 'scope' | 'project' | 'group'>): string => {
  if (memory.group !== null) return `group ${memory.group.slug}`;
  if (memory.scope === 'PRIVATE') return memory.project === null ? 'private' : `${memory.project.slug} (private)`;
  return memory.project === null ? memory.scope.toLowerCase() : memory.project.slug;
};

/** The label of a memory's envelope. */
export const labelOf = (memory: Omit<LabelledMemory, 'title'>, now: Date): EnvelopeLabel => ({
  id: shortId(memory.id),
  project: placeText(memory),
  author: memory.author.displayName,
  age: ageText(memory.createdAt, now),
  trust: trustText(memory),
});

const day = (moment: Date): string => moment.toISOString().slice(0, 10);

/** Whoever reads a refuted memory is told that it is false, whatever it says itself. */
const refutation = ({ refutedBy, stateReason }: MemoryView): string => {
  const by = refutedBy === null ? '' : ` by ${shortId(refutedBy)}`;
  return `Refuted${by}: this turned out to be false${stateReason === null ? '' : ` (${stateReason})`}`;
};

const particulars = (memory: MemoryView): string[] => [
  ...(memory.tags.length > 0 ? [`Tags: ${memory.tags.join(', ')}`] : []),
  ...(memory.filesModified.length > 0 ? [`Files: ${memory.filesModified.join(', ')}`] : []),
  ...memory.errorsResolved.map(
    ({ error, resolution }) => `Error: ${error}${resolution === null ? ' (unresolved)' : ` => ${resolution}`}`,
  ),
  ...memory.alternatives.map(
    ({ approach, whyNot, revisitIf }) =>
      `Rejected: ${approach} because ${whyNot}${revisitIf === null ? '' : ` (again if ${revisitIf})`}`,
  ),
  ...(memory.expiresAt === null ? [] : [`Expires: ${day(memory.expiresAt)}`]),
  ...(memory.validTo === null ? [] : [`No longer valid since: ${day(memory.validTo)}`]),
  ...(memory.state === 'REFUTED' ? [refutation(memory)] : []),
];

/**
 * The stored text of a memory as one block: title, text, particulars. Still untrusted: it goes through an envelope.
 *
 * @param maxTokens above it the text is cut, then the particulars
 * @param whole how its reader gets the whole of a memory that was cut
 */
export const memoryText = (
  memory: MemoryView,
  extra: readonly string[],
  maxTokens: number,
  whole: (id: string) => string,
): string => {
  const title = memory.title.trim();
  const body = memory.text.trim();
  // A title that was made from the text says nothing more.
  const beginning = body.slice(0, 2 * title.length + 40).replace(/\s+/g, ' ');
  const head = beginning.includes(title.replace(/…$/, '')) ? body : `${title}\n${body}`;
  const tail = cutToTokens([...particulars(memory), ...extra].join('\n'), Math.max(20, maxTokens / 3));
  const text = cutToTokens(head, Math.max(20, maxTokens - estimateTokens(tail)));
  const cut = text === head ? [] : [`(cut; the whole: ${whole(memory.id)})`];
  return [text, ...cut, ...(tail === '' ? [] : [tail])].join('\n');
};

/** A rough count of model tokens: four Latin characters, or one of any other script, a token. */
export const estimateTokens = (text: string): number => {
  let tokens = 0;
  for (const character of text) tokens += character.charCodeAt(0) < 0x2000 ? 0.25 : 1;
  return Math.ceil(tokens);
};

/** Cuts a text to a rough count of tokens, at a code point. */
export const cutToTokens = (text: string, maxTokens: number): string => {
  let tokens = 0;
  let points = 0;
  for (const character of text) {
    tokens += character.charCodeAt(0) < 0x2000 ? 0.25 : 1;
    if (tokens > maxTokens) return cutText(text, points);
    points += 1;
  }
  return text;
};

const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(2)}`;

/** Why a hit stands where it stands, in one line of ours. */
export const explanationText = (hit: RetrieveHit): string => {
  const why = hit.explanation;
  const use = hit.memory.utility;
  const lentFrom = use.lentFrom === null ? '' : ` from ${shortId(use.lentFrom)}`;
  const people = why.contextPeople === null ? 'someone' : `${why.contextPeople} people`;
  const context = why.context === 0 ? 'none' : `${signed(why.context)} (${people})`;
  const isRaised = why.relevance - why.ownRelevance > 1e-6;
  const bySession = isRaised ? `, ${why.ownRelevance.toFixed(2)} before its session` : '';
  return [
    `score ${why.score.toFixed(3)}`,
    `relevance ${why.relevance.toFixed(2)} (cosine ${why.cosine?.toFixed(2) ?? 'none'}, keyword ${why.keyword.toFixed(2)}${bySession})`,
    `trust ${why.trust.toFixed(2)} (${trustText(hit.memory)})`,
    `votes for like questions ${context}`,
    `utility ${use.utility.toFixed(2)} (evidence ${use.evidence.toFixed(2)}, credit ${use.credit.toFixed(2)}, lent ${use.lent.toFixed(2)}${lentFrom}, fade ${use.fade.toFixed(2)})`,
    `gain ${signed(why.gain)}`,
    `recency ${why.recency.toFixed(2)}`,
    `place ${hit.place}, without learning ${why.placeWithoutLearning}`,
  ].join('; ');
};
