import type { TenantId } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { QuestionVector } from '../../search/search-request.js';
import { toVectorLiteral } from '../../search/vector-literal.js';

/**
 * The vector leg over the list `searched`: `compared` (id, encoder, cosine), the best part of each memory by encoder, and
 * `nearest` (id, place). Exact, in a materialised list: an index shared by tenants loses rows under row-level security.
 */
export function vectorLeg(tenantId: TenantId, question: readonly QuestionVector[]): Prisma.Sql {
  return Prisma.sql`
    question as materialized (
      select encoder, literal::halfvec as vector, tau, like_question
      from unnest(${question.map(({ encoder }) => encoder)}::text[],
        ${question.map(({ vector }) => toVectorLiteral(vector))}::text[],
        ${question.map(({ tau }) => tau)}::float8[],
        ${question.map(({ likeQuestion }) => likeQuestion)}::float8[]) as given (encoder, literal, tau, like_question)
    ), compared as materialized (
      select e.memory_id as id, e.encoder, 1 - min(e.vector <=> q.vector) as cosine
      from embedding e join question q on q.encoder = e.encoder
      where e.tenant_id = ${tenantId}::uuid
      group by e.memory_id, e.encoder
    ), nearest as (
      select c.id, row_number() over (partition by c.encoder order by c.cosine desc, c.id) as place
      from compared c join searched s on s.id = c.id
    )`;
}

/** `voted` (id, user_id, retrieval_id, helpful, encoder, cosine, is_like): votes for questions like the present one. Needs `question`. */
export function likeQuestionVotes(tenantId: TenantId): Prisma.Sql {
  return Prisma.sql`
    voted as materialized (
      select v.memory_id as id, v.user_id, v.retrieval_id, v.helpful, v.encoder, v.cosine, v.cosine >= v.like_question as is_like
      from (
        select v.memory_id, v.user_id, v.retrieval_id, v.helpful, v.encoder, 1 - (v.vector <=> q.vector) as cosine, q.tau, q.like_question
        from vote_question v join question q on q.encoder = v.encoder
        where v.tenant_id = ${tenantId}::uuid offset 0
      ) v
      where v.cosine > v.tau
    )`;
}
