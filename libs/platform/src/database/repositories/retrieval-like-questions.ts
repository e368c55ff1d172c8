import type { MemoryId, TenantId } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { SearchRequest } from '../../search/search-request.js';

/** Questions of one encoder that are compared with the present one, of all audiences together: about 10 ms. */
const QUESTIONS = 20_000;
/** Of each audience at least so many, however many the asker belongs to. */
const QUESTIONS_OF_ONE = 500;

/**
 * `liked` (id): what was voted helpful for a very like question, the likest first, among the memories that pass `conditions`
 * (on memory m). Compared are the newest questions of each audience that the asker belongs to; exactly, since an index over
 * vectors that others share loses rows under row-level security. What was merged into another memory speaks for that one.
 * @param conditions on memory m
 */
export function likedMemories(
  { tenantId, filter, perLeg }: Pick<SearchRequest, 'tenantId' | 'filter' | 'perLeg'>,
  conditions: Prisma.Sql,
): Prisma.Sql {
  const asked =
    filter.projectId === undefined ? Prisma.empty : Prisma.sql`where project_id = ${filter.projectId}::uuid`;
  return Prisma.sql`
    audience as materialized (
      select 'tenant' as scope, ${tenantId}::uuid as id
      union all select 'private', (select uid())
      union all select 'project', project_id from unnest((select my_projects())::uuid[]) as project_id ${asked}
      union all select 'group', group_id from unnest((select my_groups())::uuid[]) as group_id
    ),
    share as materialized (select greatest(${QUESTIONS_OF_ONE}, ${QUESTIONS} / count(*)) as size from audience),
    alike as materialized (
      select v.memory_id, max(v.cosine) as cosine
      from question q cross join audience a cross join lateral (
        select given.memory_id, 1 - (given.vector <=> q.vector) as cosine from (
          select v.memory_id, v.vector from vote_question v
          where v.tenant_id = ${tenantId}::uuid and v.encoder = q.encoder and v.helpful and v.scope = a.scope
            and case v.scope when 'project' then v.project_id when 'group' then v.group_id
              when 'private' then v.owner_id else v.tenant_id end = a.id
          order by v.created_at desc limit (select size from share)
        ) given offset 0
      ) v
      where v.cosine >= q.like_question group by v.memory_id
    ),
    spoken as materialized (
      with recursive up (voted, id, merged_into, cosine, depth) as (
        select m.id, m.id, m.merged_into, v.cosine, 0
        from alike v join memory m on m.tenant_id = ${tenantId}::uuid and m.id = v.memory_id
        union all
        select up.voted, m.id, m.merged_into, up.cosine, up.depth + 1
        from up join memory m on m.tenant_id = ${tenantId}::uuid and m.id = up.merged_into
        where up.depth < 50
      )
      select coalesce((array_agg(id) filter (where merged_into is null))[1], voted) as id, max(cosine) as cosine
      from up group by voted
    ),
    liked as materialized (
      select m.id, max(v.cosine) as cosine from spoken v join memory m on m.id = v.id
      where ${conditions} group by m.id order by cosine desc, m.id limit ${perLeg}
    )`;
}

/**
 * `voted` (id, user_id, retrieval_id, helpful, created_at, encoder, cosine, is_like, is_own): votes on the memories for
 * questions like the present one. What was merged into another memory speaks for that one; `is_own`: the voter wrote what
 * the vote was given. One memory at a time: a plan that joined them to all votes would read the whole tenant's.
 */
export function votesForLikeQuestions(tenantId: TenantId, ids: readonly MemoryId[]): Prisma.Sql {
  return Prisma.sql`
    part as materialized (
      with recursive merged (root, id, depth) as (
        select m.id, m.id, 0 from memory m
        where m.tenant_id = ${tenantId}::uuid and m.id = any (${[...ids]}::uuid[]) and (m.merged_into is null or not exists (
          select from memory up where up.tenant_id = ${tenantId}::uuid and up.id = m.merged_into))
        union all
        select p.root, m.id, p.depth + 1
        from merged p join memory m on m.tenant_id = ${tenantId}::uuid and m.merged_into = p.id
        where p.depth < 50
      )
      select root, id from merged
    ),
    voted as materialized (
      select p.root as id, v.user_id, v.retrieval_id, v.helpful, v.created_at, q.encoder, v.cosine,
        v.cosine >= q.like_question as is_like, wrote_memory(p.id, v.user_id) as is_own
      from part p cross join question q cross join lateral (
        select v.user_id, v.retrieval_id, v.helpful, v.created_at, 1 - (v.vector <=> q.vector) as cosine
        from vote_question v
        where v.tenant_id = ${tenantId}::uuid and v.memory_id = p.id and v.encoder = q.encoder offset 0
      ) v
      where v.cosine > q.tau
    )`;
}
