import {
  asId,
  type MemoryId,
  type MemoryKind,
  type ProjectId,
  type Scope,
  type SessionId,
  type Validity,
  type Verification,
} from '@tempera/core';
import type { EncoderId } from '../../embedding/exports.js';
import type { LikeQuestionVote, SearchCandidate } from '../../search/search-candidate.js';
import type { SearchRequest } from '../../search/search-request.js';
import type { Tx } from '../context.js';
import { type StandingRow, toStanding } from './memory-standing-row.js';
import { votesForLikeQuestions } from './retrieval-like-questions.js';
import { questionVectors } from './retrieval-vector-leg.js';

/** A vote for a like question, as JSON has it. */
interface VoteJson {
  id: string;
  user_id: string;
  retrieval_id: string;
  helpful: boolean;
  created_at: string;
  encoder: string;
  cosine: number;
  is_like: boolean;
  is_own: boolean;
}

/** What the legs of the search know of memories, by id. */
export interface LegResults {
  readonly cosines: ReadonlyMap<string, readonly [EncoderId, number][]>;
  readonly words: ReadonlyMap<string, { readonly bm25: number; readonly covered: number }>;
  /** Each follower's predecessor in its session. */
  readonly precededBy: ReadonlyMap<string, string>;
}

/** A row as JSON has it: moments are texts. */
interface CandidateRow extends Omit<StandingRow, 'last_useful_at'> {
  id: string;
  owner_id: string;
  project_id: string | null;
  scope: string;
  kind: string;
  validity: string;
  verification: string;
  pinned: boolean;
  tags: string[];
  files_modified: string[];
  session_id: string | null;
  keyword_count: number;
  ended_at: string;
  last_useful_at: string;
  cosines: Record<string, number> | null;
  votes: VoteJson[] | null;
}

/**
 * All that the ranking reads of the candidates; cosines also of those that other legs than the vectors' found, compared
 * once: the planner, which expects one candidate, would compare all of them anew for each.
 */
export async function readCandidates(
  tx: Tx,
  { tenantId, question, past }: SearchRequest,
  ids: readonly MemoryId[],
  legs: LegResults,
): Promise<SearchCandidate[]> {
  if (ids.length === 0) return [];
  // Vectors are of the present text.
  const isPast = new Set(past?.map(({ id }) => id));
  const unread = ids.filter((id) => !isPast.has(id) && (legs.cosines.get(id)?.length ?? 0) < question.length);
  const [found] = await tx.$queryRaw<{ rows: string }[]>`/* kept */
    with ${questionVectors(question)}, compared as materialized (
      select id, json_object_agg(encoder, cosine) as cosines
      from (
        select e.memory_id as id, e.encoder, 1 - min(e.vector <=> q.vector) as cosine
        from embedding e join question q on q.encoder = e.encoder
        where e.tenant_id = ${tenantId}::uuid and e.memory_id = any (${unread}::uuid[])
        group by e.memory_id, e.encoder
      ) pair group by id
    ),
    ${votesForLikeQuestions(tenantId, ids)},
    heard as materialized (select id, json_agg(voted) as votes from voted group by id)
    select coalesce(json_agg(candidate), '[]')::text as rows from (
      select m.id, m.owner_id, m.project_id, m.scope, m.kind, m.validity, m.verification,
        m.pinned, m.tags, m.files_modified, m.session_id, m.keyword_count, m.ended_at, s.helpful, s.unhelpful, s.helpful_voters, s.helpful_others,
        s.asked_retrievals, s.credit, s.propagated, s.reached, s.last_useful_at, c.cosines, h.votes
      from memory m join memory_stat s on s.tenant_id = m.tenant_id and s.memory_id = m.id left join compared c on c.id = m.id
        left join heard h on h.id = m.id
      where m.tenant_id = ${tenantId}::uuid and m.id = any (${[...ids]}::uuid[])
    ) candidate`;
  return (JSON.parse(found?.rows ?? '[]') as CandidateRow[]).map((row) => toCandidate(row, legs));
}

/** The row in the words of the search. Its words are the CHECK constraints' words, so they are taken as they are. */
function toCandidate(row: CandidateRow, { cosines, words, precededBy }: LegResults): SearchCandidate {
  const before = precededBy.get(row.id);
  const compared = Object.entries(row.cosines ?? {}) as [EncoderId, number][];
  return {
    ...toStanding({ ...row, last_useful_at: new Date(row.last_useful_at) }),
    id: asId(row.id),
    ownerId: asId(row.owner_id),
    projectId: row.project_id === null ? null : asId<ProjectId>(row.project_id),
    scope: row.scope as Scope,
    kind: row.kind as MemoryKind,
    validity: row.validity as Validity,
    verification: row.verification as Verification,
    pinned: row.pinned,
    tags: row.tags,
    files: row.files_modified,
    sessionId: row.session_id === null ? null : asId<SessionId>(row.session_id),
    endedAt: new Date(row.ended_at),
    precededBy: before === undefined ? null : asId<MemoryId>(before),
    terms: row.keyword_count,
    cosines: new Map([...(cosines.get(row.id) ?? []), ...compared]),
    bm25: words.get(row.id)?.bm25 ?? 0,
    covered: words.get(row.id)?.covered ?? 0,
    votes: (row.votes ?? []).map(toVote),
  };
}

function toVote({
  user_id,
  retrieval_id,
  helpful,
  created_at,
  encoder,
  cosine,
  is_like,
  is_own,
}: VoteJson): LikeQuestionVote {
  return {
    userId: asId(user_id),
    retrievalId: asId(retrieval_id),
    helpful,
    at: new Date(created_at),
    encoder: encoder as EncoderId,
    cosine,
    isLike: is_like,
    isOwn: is_own,
  };
}
