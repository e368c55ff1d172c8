import { asId, type MemoryKind, type ProjectId, type Scope, type SessionId, type Validity } from '@tempera/core';
import type { EncoderId } from '../../embedding/exports.js';
import type { LikeQuestionVote, SearchCandidate } from '../../search/search-candidate.js';
import { type StandingRow, toStanding } from './memory-standing-row.js';

interface VoteJson {
  user: string;
  retrieval: string;
  helpful: boolean;
  encoder: string;
  cosine: number;
  isLike: boolean;
}

/** A row of {@link findCandidates}'s statement. */
export interface CandidateRow extends StandingRow {
  id: string;
  owner_id: string;
  project_id: string | null;
  scope: string;
  kind: string;
  validity: string;
  is_verified: boolean;
  pinned: boolean;
  session_id: string | null;
  ended_at: Date;
  bm25: number;
  cosines: Record<string, number> | null;
  votes: VoteJson[] | null;
}

/** The row in the words of the search. Its words are the CHECK constraints' words, so they are taken as they are. */
export function toCandidate(row: CandidateRow): SearchCandidate {
  return {
    ...toStanding(row),
    id: asId(row.id),
    ownerId: asId(row.owner_id),
    projectId: row.project_id === null ? null : asId<ProjectId>(row.project_id),
    scope: row.scope as Scope,
    kind: row.kind as MemoryKind,
    validity: row.validity as Validity,
    isVerified: row.is_verified,
    pinned: row.pinned,
    sessionId: row.session_id === null ? null : asId<SessionId>(row.session_id),
    endedAt: row.ended_at,
    cosines: new Map(Object.entries(row.cosines ?? {}) as [EncoderId, number][]),
    bm25: row.bm25,
    votes: (row.votes ?? []).map(toVote),
  };
}

function toVote({ user, retrieval, helpful, encoder, cosine, isLike }: VoteJson): LikeQuestionVote {
  return { userId: asId(user), retrievalId: asId(retrieval), helpful, encoder: encoder as EncoderId, cosine, isLike };
}
