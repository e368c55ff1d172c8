import type { TenantId } from '@tempera/core';
import type { EncoderId } from '../../embedding/exports.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { QuestionVector } from '../../search/search-request.js';
import { toVectorLiteral } from '../../search/vector-literal.js';

/** `question` (encoder, vector, tau, like_question): the question as each encoder reads it. */
export function questionVectors(question: readonly QuestionVector[]): Prisma.Sql {
  return Prisma.sql`
    question as materialized (
      select encoder, literal::halfvec as vector, tau, like_question
      from unnest(${question.map(({ encoder }) => encoder)}::text[],
        ${question.map(({ vector }) => toVectorLiteral(vector))}::text[],
        ${question.map(({ tau }) => tau)}::float8[],
        ${question.map(({ likeQuestion }) => likeQuestion)}::float8[]) as given (encoder, literal, tau, like_question)
    )`;
}

/**
 * `nearest` (id, encoder, cosine): the best by each encoder among the memories that pass `conditions` (on memory m), each by
 * its best part. Exact: an index shared by tenants loses rows under row-level security. The join is with the table and not
 * with a list, because the planner cannot know how long a list is, and for a short one it would compare all with all.
 * @param found encoders whose nearest are known already, from an index
 */
export function vectorLeg(
  tenantId: TenantId,
  conditions: Prisma.Sql,
  limit: number,
  found: readonly EncoderId[],
): Prisma.Sql {
  return Prisma.sql`
    nearest as materialized (
      select n.id, q.encoder, n.cosine
      from question q cross join lateral (
        select e.memory_id as id, 1 - min(e.vector <=> q.vector) as cosine
        from embedding e join memory m on m.tenant_id = e.tenant_id and m.id = e.memory_id
        where e.tenant_id = ${tenantId}::uuid and e.encoder = q.encoder and ${conditions}
        group by e.memory_id order by cosine desc, e.memory_id limit ${limit}
      ) n
      where q.encoder <> all (${[...found]}::text[])
    )`;
}

/**
 * `voted` (id, user_id, retrieval_id, helpful, created_at, encoder, cosine, is_like, is_own): votes for questions like the
 * present one. What was merged into another memory speaks for that one; `is_own`: the voter wrote what the vote was given.
 */
export function likeQuestionVotes(tenantId: TenantId): Prisma.Sql {
  return Prisma.sql`
    voted as materialized (
      select coalesce(survivor.id, v.memory_id) as id, v.user_id, v.retrieval_id, v.helpful, v.created_at, v.encoder,
        v.cosine, v.cosine >= v.like_question as is_like, given.owner_id = v.user_id as is_own
      from (
        select v.memory_id, v.user_id, v.retrieval_id, v.helpful, v.created_at, v.encoder,
          1 - (v.vector <=> q.vector) as cosine, q.tau, q.like_question
        from vote_question v join question q on q.encoder = v.encoder
        where v.tenant_id = ${tenantId}::uuid offset 0
      ) v
      join memory given on given.tenant_id = ${tenantId}::uuid and given.id = v.memory_id
      left join lateral (
        with recursive up (id, merged_into, depth) as (
          select given.id, given.merged_into, 0 where given.merged_into is not null
          union all
          select m.id, m.merged_into, up.depth + 1 from up join memory m on m.tenant_id = ${tenantId}::uuid and m.id = up.merged_into
          where up.depth < 50
        )
        select up.id from up where up.merged_into is null
      ) survivor on true
      where v.cosine > v.tau
    )`;
}
