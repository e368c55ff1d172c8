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
 * `nearest` (id, encoder, cosine): the best by each encoder among `searched` (id, is_past), each by its best part. Exact: an index shared
 * by tenants loses rows under row-level security. What is searched is looked up in a hash, which `is true` makes sure of: a join with a list, whose
 * length the planner cannot know, may compare all with all. Distances go on without their vectors, whose sorting takes longer.
 * @param found encoders whose nearest are known already, from an index
 */
export function vectorLeg(tenantId: TenantId, limit: number, found: readonly EncoderId[]): Prisma.Sql {
  return Prisma.sql`
    nearest as materialized (
      select n.id, q.encoder, n.cosine
      from question q cross join lateral (
        select part.id, 1 - min(part.distance) as cosine
        from (
          select e.memory_id as id, e.vector <=> q.vector as distance
          from embedding e
          where e.tenant_id = ${tenantId}::uuid and e.encoder = q.encoder
            and (e.memory_id in (select s.id from searched s where not s.is_past)) is true
          offset 0
        ) part
        group by part.id order by cosine desc, part.id limit ${limit}
      ) n
      where q.encoder <> all (${[...found]}::text[])
    )`;
}
