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
});

const toHit = ({ ranked, record, mates }: FoundMemory, place: number, { viewerId, now }: Viewing): Hit => {
  const memory = toMemory(record, viewerId, now);
  const { parts, context, score } = ranked;
  return {
    memory,
    place,
    similarity: parts.relevance,
    score,
    explanation: {
      cosine: ranked.cosine,
      keyword: ranked.keyword,
      relevance: parts.relevance,
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
    sessionMates: mates.map((mate) => toMemory(mate, viewerId, now)),
  };
};
