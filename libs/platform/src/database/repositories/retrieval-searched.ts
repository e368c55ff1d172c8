import type { ProjectId } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { SearchFilter, SearchRequest } from '../../search/search-request.js';

const NOTHING = Prisma.empty;
// Not as values: the planner knows how many there are of each.
const ACTIVE = Prisma.sql`m.state = 'active'`;
const REFUTED = Prisma.sql`m.state = 'refuted'`;

/**
 * Which memories (m) a question is put to, of what row-level security leaves: those of the tenant that the filter passes
 * and that have neither expired nor been superseded nor refuted, or of the refuted ones alone; or those of which that was so at an earlier moment, and which said then
 * what they say now.
 */
export function searchConditions({
  tenantId,
  filter,
  now,
  asOf,
}: Pick<SearchRequest, 'tenantId' | 'filter' | 'now' | 'asOf'>): Prisma.Sql {
  if (asOf !== undefined) {
    return Prisma.sql`m.tenant_id = ${tenantId}::uuid and ${knownAt(asOf)} and m.text_since <= ${asOf} ${filterConditions(filter)}`;
  }
  return Prisma.sql`
    m.tenant_id = ${tenantId}::uuid and ${filter.refuted === true ? REFUTED : ACTIVE} and m.superseded_by is null
    and (m.expires_at is null or m.expires_at > ${now}) and (m.valid_to is null or m.valid_to > ${now})
    ${filterConditions(filter)}`;
}

/**
 * Whether a memory (m) was known and valid at a moment: captured by then, not put away, retired, refuted or expired, and
 * among those who saw it then. What is forgotten
 * by now stays gone, and what is not known to have ended by then had not. (Nobody captures what begins to hold later, but for
 * a client's clock.)
 */
export function knownAt(asOf: Date): Prisma.Sql {
  return Prisma.sql`m.created_at <= ${asOf}
    and (m.state = 'active' or m.state in ('archived', 'refuted') and m.state_since > ${asOf})
    and (m.superseded_by is null or m.superseded_at > ${asOf})
    and (m.valid_to is null or m.superseded_by is not null or m.valid_to > ${asOf})
    and (m.expires_at is null or m.expires_at > ${asOf}) and not m.absent @> ${asOf}::timestamptz
    and (m.audience_since <= ${asOf} or saw_memory_then(m.id, ${asOf}::timestamptz))`;
}

/** Which memories (m) a filter passes; begins with `and`, or is empty. */
export function filterConditions({
  projectId,
  exceptProjects,
  groupId,
  scope,
  kinds,
  tags,
  files,
  since,
  until,
}: SearchFilter): Prisma.Sql {
  return Prisma.sql`
    ${projectId === undefined ? NOTHING : Prisma.sql`and ${ofProject(projectId)}`}
    ${exceptProjects === undefined ? NOTHING : Prisma.sql`and (m.project_id is null or m.project_id <> all (${[...exceptProjects]}::uuid[]))`}
    ${groupId === undefined ? NOTHING : Prisma.sql`and m.group_id = ${groupId}::uuid`}
    ${scope === undefined ? NOTHING : Prisma.sql`and m.scope = ${scope}`}
    ${kinds === undefined ? NOTHING : Prisma.sql`and m.kind = any (${[...kinds]}::text[])`}
    ${tags === undefined ? NOTHING : Prisma.sql`and m.tags && ${[...tags]}::text[]`}
    ${files === undefined ? NOTHING : Prisma.sql`and ${touchesFile(files)}`}
    ${since === undefined ? NOTHING : Prisma.sql`and m.ended_at >= ${since}`}
    ${until === undefined ? NOTHING : Prisma.sql`and m.ended_at < ${until}`}`;
}

/** The groups are read once a query: the subquery knows nothing of a memory but its tenant's, which the policy gives. */
function ofProject(projectId: ProjectId): Prisma.Sql {
  return Prisma.sql`(m.project_id = ${projectId}::uuid or m.project_id is null
    or m.group_id = any (array(select g.group_id from group_project g where g.project_id = ${projectId}::uuid)))`;
}

/** Whether a memory (m) tells of one of the files: the same path, or one path is the end of the other at a `/`. */
export function touchesFile(files: readonly string[]): Prisma.Sql {
  return Prisma.sql`exists (
    select from unnest(m.files_modified) as known, unnest(${[...files]}::text[]) as wanted
    where known = wanted or right(known, length(wanted) + 1) = '/' || wanted
      or right(wanted, length(known) + 1) = '/' || known)`;
}
