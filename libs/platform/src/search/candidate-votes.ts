import {
  contextualEvidence,
  type ContextualEvidence,
  countsInContext,
  type KindredVote,
  nearestVoices,
  questionKinship,
} from '@tempera/core';
import type { RankingContext } from './ranking-context.js';
import type { SearchCandidate } from './search-candidate.js';

/** A vote that speaks for the present question. */
export interface Voice extends KindredVote {
  /** Its question asks the same thing, by one of the encoders. */
  readonly isLike: boolean;
}

/**
 * The votes for like questions that count for this asker: each once, by its nearest reading, and of a person's votes of
 * one day the nearest. Each encoder has its own tau, so kinship is worked out here.
 */
export function voicesFor({ votes, scope }: SearchCandidate, { askerId, cards }: RankingContext): Voice[] {
  const kindred = new Map<string, Voice>();
  for (const { userId, retrievalId, helpful, at, encoder, cosine, isLike, isOwn } of votes) {
    const tau = cards.get(encoder)?.thresholds.tau.cosine;
    // Whoever wrote it, not who owns it by now.
    const counts =
      !isOwn || countsInContext({ voterId: userId, authorId: userId, askerId, shared: scope !== 'private' });
    if (tau === undefined || !counts) continue;
    const key = `${userId} ${retrievalId}`;
    const known = kindred.get(key);
    kindred.set(key, {
      user: userId,
      id: retrievalId,
      at,
      helpful,
      kinship: Math.max(questionKinship(cosine, tau), known?.kinship ?? 0),
      isLike: isLike || known?.isLike === true,
    });
  }
  return nearestVoices([...kindred.values()].filter(({ kinship }) => kinship > 0));
}

/** What the voices amount to. Their kinship is handed on as a cosine above 0. */
export function weighVoices(voices: readonly Voice[], { settings }: RankingContext): ContextualEvidence {
  const { contextCap: cap, contextNu: nu, contextLambda: lambda } = settings.retrieval;
  const votes = voices.map(({ user, helpful, kinship }) => ({ user, helpful, cosine: kinship }));
  return contextualEvidence(votes, { tau: 0, cap, nu, lambda });
}
