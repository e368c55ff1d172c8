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
