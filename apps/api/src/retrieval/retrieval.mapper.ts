import type { UserId } from '@tempera/core';
import { peopleOrNull, toMemory } from '../memories/memory.mapper.js';
import type { Answer, FoundMemory } from './answer-question.js';
import type { SearchMode } from './retrieval.enums.js';
import type { Hit, RetrieveAnswer } from './retrieve.types.js';

interface Viewing {
  readonly viewerId: UserId;
  readonly now: Date;
  readonly mode: SearchMode;
}

/** An answer as the caller is shown it. */
export const toAnswer = (answer: Answer, viewing: Viewing): RetrieveAnswer => ({
  retrievalId: answer.retrievalId,
  hits: answer.found.map((found, index) => toHit(found, index + 1, viewing)),
  searchedScopes: [...answer.searchedScopes],
  emptyReason: answer.emptyReason,
  mode: viewing.mode,
  asOf: answer.asOf,
  note: noteOf(answer),
});

const toHit = ({ ranked, record, mates, isPastText }: FoundMemory, place: number, { viewerId, now }: Viewing): Hit => {
  const memory = toMemory(record, viewerId, now);
  const { parts, context, score } = ranked;
  return {
    memory,
    place,
    similarity: ranked.likeness,
    score,
    explanation: {
      cosine: ranked.cosine,
      keyword: ranked.keyword,
      relevance: parts.relevance,
      ownRelevance: ranked.ownRelevance,
      trust: parts.trust,
      context: parts.net,
      contextPeople: peopleOrNull(context.people),
      utility: memory.utility,
      gain: parts.rankingInput,
      recency: parts.recency,
      rule: ranked.rules.length === 0 ? null : ranked.rules.join(', '),
      score,
      placeWithoutLearning: ranked.placeWithoutLearning,
    },
    isPastText,
    sessionMates: mates.map((mate) => toMemory(mate, viewerId, now)),
  };
};

/** Votes, credit and loans are today's: nobody keeps what they were. */
const noteOf = ({ asOf, found }: Answer): string | null => {
  if (asOf === null) return null;
  const changed = found.filter(({ isPastText }) => isPastText).length;
  const words =
    changed === 0
      ? 'All of them say the same still.'
      : `${changed} said something else then, and were found by their words alone.`;
  return `As of ${asOf.toISOString()}. ${found.length === 0 ? '' : `${words} `}Ranked by today's votes, and not counted as shown.`;
};
