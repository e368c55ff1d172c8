import { asId, type MemoryId } from '@tempera/core';
import type { Prisma } from '../../generated/prisma/client.js';
import type { EncoderId } from '../../embedding/exports.js';
import type { SearchCandidate } from '../../search/search-candidate.js';
import type { SearchRequest } from '../../search/search-request.js';
import type { Tx } from '../context.js';
import { readCandidates } from './retrieval-candidate-row.js';
import { findFollowers, type LegScores } from './retrieval-followers.js';
import { type Nearest, nearestByIndex } from './retrieval-indexed-leg.js';
import { keywordLeg, searchedMemories } from './retrieval-keyword-leg.js';
import { likedMemories } from './retrieval-like-questions.js';
import { searchConditions } from './retrieval-searched.js';
import { questionVectors, vectorLeg } from './retrieval-vector-leg.js';

interface Legs {
  nearest: Nearest[];
  worded: { id: string; bm25: number; covered: number }[];
  liked: string[];
}

/**
 * Everything that could answer a question, of what the caller of the door may see: the nearest by each encoder, the best
 * by keyword, what followed the best of either in its session, and what was voted helpful for a very like question.
 * Row-level security hides rows before any of it; the explicit tenant is a second guard.
 * @returns in no order; none for a question that nothing resembles
 */
export async function findCandidates(tx: Tx, request: SearchRequest): Promise<SearchCandidate[]> {
  const conditions = searchConditions(request);
  const { nearest, worded, liked } = await searchLegs(tx, request, conditions);
  const precededBy = await findFollowers(tx, request, legScores(nearest, worded), conditions);
  const cosines = new Map<string, [EncoderId, number][]>();
  for (const { id, encoder, cosine } of nearest) {
    cosines.set(id, [...(cosines.get(id) ?? []), [encoder as EncoderId, cosine]]);
  }
  const words = new Map(worded.map((row) => [row.id, row]));
  const found = [...cosines.keys(), ...words.keys(), ...liked, ...precededBy.keys()];
  const ids = [...new Set(found)].map((id) => asId<MemoryId>(id));
  return readCandidates(tx, request, ids, { cosines, words, precededBy });
}

function legScores(nearest: Legs['nearest'], worded: Legs['worded']): LegScores[] {
  const byEncoder = new Map<string, [string, number][]>();
  for (const { id, encoder, cosine } of nearest) {
    byEncoder.set(encoder, [...(byEncoder.get(encoder) ?? []), [id, cosine]]);
  }
  return [...byEncoder.values(), worded.map(({ id, bm25 }) => [id, bm25])];
}

async function searchLegs(tx: Tx, request: SearchRequest, conditions: Prisma.Sql): Promise<Legs> {
  const { tenantId, question, terms, perLeg } = request;
  const indexed = await nearestByIndex(tx, request, conditions);
  // As one text: the driver's work on each value of hundreds of rows takes longer than the search itself.
  const [found] = await tx.$queryRaw<{ legs: string }[]>`/* kept */
    with ${questionVectors(question)},
    ${searchedMemories(terms, conditions, request.past)},
    ${vectorLeg(tenantId, perLeg, [...indexed.keys()])},
    ${keywordLeg(terms, perLeg)},
    ${likedMemories(request, conditions)}
    select json_build_object(
      'nearest', (select coalesce(json_agg(nearest), '[]') from nearest),
      'worded', (select coalesce(json_agg(worded), '[]') from worded),
      'liked', (select coalesce(json_agg(liked.id), '[]') from liked)
    )::text as legs`;
  const legs = JSON.parse(found?.legs ?? '') as Legs;
  return { ...legs, nearest: [...[...indexed.values()].flat(), ...legs.nearest] };
}
