import { Prisma } from '../../generated/prisma/client.js';
import type { SearchFilter, SearchRequest } from '../../search/search-request.js';
import { toTsqueryLiteral } from '../../search/text/exports.js';

const NOTHING = Prisma.empty;

/**
 * The memories a question is put to, as a list (id, keyword_count, keywords): what row-level security leaves, narrowed by
 * the filter, without what has expired or was superseded. Keywords are kept only where a term occurs, because copying them
 * all costs more than the match.
 */
export function searchedMemories({ tenantId, terms, filter, now }: SearchRequest): Prisma.Sql {
  return Prisma.sql`
    select id, keyword_count, case when keywords @@ ${toTsqueryLiteral(terms)}::tsquery then keywords end as keywords
    from memory
    where tenant_id = ${tenantId}::uuid and state = 'active' and superseded_by is null
      and (expires_at is null or expires_at > ${now}) and (valid_to is null or valid_to > ${now})
      ${filterConditions(filter)}`;
}

function filterConditions({ projectId, scope, kinds, tags, files, since, until }: SearchFilter): Prisma.Sql {
  return Prisma.sql`
    ${projectId === undefined ? NOTHING : Prisma.sql`and (project_id = ${projectId}::uuid or project_id is null)`}
    ${scope === undefined ? NOTHING : Prisma.sql`and scope = ${scope}`}
    ${kinds === undefined ? NOTHING : Prisma.sql`and kind = any (${[...kinds]}::text[])`}
    ${tags === undefined ? NOTHING : Prisma.sql`and tags && ${[...tags]}::text[]`}
    ${files === undefined ? NOTHING : Prisma.sql`and ${touchesFile(files)}`}
    ${since === undefined ? NOTHING : Prisma.sql`and ended_at >= ${since}`}
    ${until === undefined ? NOTHING : Prisma.sql`and ended_at < ${until}`}`;
}

/** Whether a memory tells of one of the files: the same path, or one path is the end of the other at a `/`. */
export function touchesFile(files: readonly string[]): Prisma.Sql {
  return Prisma.sql`exists (
    select from unnest(files_modified) as known, unnest(${[...files]}::text[]) as wanted
    where known = wanted or right(known, length(wanted) + 1) = '/' || wanted
      or right(wanted, length(known) + 1) = '/' || known)`;
}
