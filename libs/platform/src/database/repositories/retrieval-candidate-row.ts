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
import { Prisma } from '../../generated/prisma/client.js';
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

/**
 * A candidate as JSON has it, in the order of the columns that are selected: without their names, and with moments as milliseconds, hundreds
 * of them are read in a third of the time.
 */
type CandidateRow = readonly [
  id: string,
  ownerId: string,
  projectId: string | null,
  scope: string,
  kind: string,
  validity: string,
  verification: string,
  pinned: boolean,
  tags: string[],
  files: string[],
  sessionId: string | null,
  terms: number,
  endedAt: number,
  helpful: number,
  unhelpful: number,
  helpfulVoters: number,
  helpfulOthers: number,
  askedRetrievals: number,
  credit: number,
  propagated: number,
  reached: number,
  lastUsefulAt: number,
  cosines: Record<string, number> | null,
  votes: VoteJson[] | null,
];

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
    select coalesce(json_agg(json_build_array(m.id, m.owner_id, m.project_id, m.scope, m.kind, m.validity, m.verification,
        m.pinned, m.tags, m.files_modified, m.session_id, m.keyword_count, ${milliseconds(Prisma.sql`m.ended_at`)},
        s.helpful, s.unhelpful, s.helpful_voters, s.helpful_others, s.asked_retrievals, s.credit, s.propagated, s.reached,
        ${milliseconds(Prisma.sql`s.last_useful_at`)}, c.cosines, h.votes)), '[]')::text as rows
    from memory m join memory_stat s on s.tenant_id = m.tenant_id and s.memory_id = m.id left join compared c on c.id = m.id
      left join heard h on h.id = m.id
    where m.tenant_id = ${tenantId}::uuid and m.id = any (${[...ids]}::uuid[])`;
  return (JSON.parse(found?.rows ?? '[]') as CandidateRow[]).map((row) => toCandidate(row, legs));
}

/** A moment as JavaScript counts it. */
function milliseconds(moment: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`floor(extract(epoch from ${moment}) * 1000)`;
}

/** The row in the words of the search. Its words are the CHECK constraints' words, so they are taken as they are. */
function toCandidate(row: CandidateRow, { cosines, words, precededBy }: LegResults): SearchCandidate {
  const [
    id,
    ownerId,
    projectId,
    scope,
    kind,
    validity,
    verification,
    pinned,
    tags,
    files,
    sessionId,
    terms,
    ended,
    ...rest
  ] = row;
  const [helpful, unhelpful, helpfulVoters, helpfulOthers, askedRetrievals, credit, propagated, reached, useful] = rest;
  const [, , , , , , , , , compared, votes] = rest;
  const before = precededBy.get(id);
  const worded = words.get(id);
  return {
    id: asId(id),
    ownerId: asId(ownerId),
    projectId: projectId === null ? null : asId<ProjectId>(projectId),
    scope: scope as Scope,
    kind: kind as MemoryKind,
    validity: validity as Validity,
    verification: verification as Verification,
    pinned,
    tags,
    files,
    sessionId: sessionId === null ? null : asId<SessionId>(sessionId),
    endedAt: new Date(ended),
    precededBy: before === undefined ? null : asId<MemoryId>(before),
    terms,
    helpful,
    unhelpful,
    helpfulVoters,
    helpfulOthers,
    askedRetrievals,
    credit,
    propagated,
    reached,
    lastUsefulAt: new Date(useful),
    cosines: cosinesOf(cosines.get(id) ?? [], compared),
    bm25: worded?.bm25 ?? 0,
    covered: worded?.covered ?? 0,
    votes: (votes ?? []).map(toVote),
  };
}

function cosinesOf(
  found: readonly [EncoderId, number][],
  compared: Record<string, number> | null,
): ReadonlyMap<EncoderId, number> {
  return new Map(compared === null ? found : [...found, ...(Object.entries(compared) as [EncoderId, number][])]);
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
