import { Prisma } from '../../generated/prisma/client.js';
import type { Tx } from '../context.js';
import type { ExportKind } from './data-export.repository.js';
import type { Alternative, ErrorResolution } from './memory-record.js';

/** Which rows a page is of, with the eyes of the asker. */
export interface ExportSpan {
  readonly tenantId: string;
  readonly userId: string;
  readonly kind: ExportKind;
  readonly projectId: string | null;
  /** The last row of the page before, as {@link ExportedRow} names it; null at the start. */
  readonly after: string | null;
  readonly limit: number;
}

/** What is written of a row; its names are those of the file. */
export interface ExportedRow {
  /** Where the next page goes on after it. */
  readonly cursor: string;
}

/** A memory as an export tells it. */
export interface ExportedMemory {
  readonly id: string;
  readonly kind: string;
  readonly scope: string;
  readonly project: string | null;
  readonly group: string | null;
  readonly title: string;
  readonly text: string;
  readonly taskType: string | null;
  readonly outcome: string | null;
  readonly tags: readonly string[];
  readonly filesModified: readonly string[];
  readonly errorsResolved: readonly ErrorResolution[];
  readonly alternatives: readonly Alternative[];
  readonly validity: string;
  readonly verification: string;
  readonly pinned: boolean;
  readonly expiresAt: Date | null;
  readonly state: string;
  readonly stateReason: string | null;
  readonly mergedInto: string | null;
  readonly supersededBy: string | null;
  readonly validFrom: Date;
  readonly validTo: Date | null;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly source: string;
  readonly revision: number;
  readonly proofCount: number;
  readonly owner: string;
  readonly author: string | null;
  /** `key`: the client's own, which only the owner of the session sees. */
  readonly session: { readonly id: string; readonly key: string | null } | null;
  /** What people said of it, in numbers. */
  readonly votes: { readonly helpful: number; readonly unhelpful: number };
  readonly conflicts: readonly {
    readonly with: string;
    readonly resolution: string | null;
    readonly reason: string | null;
  }[];
}

/** Which memories belong to an export; what its asker may not see is none of it anyway. */
const chosen = ({ kind, projectId, userId }: ExportSpan): Prisma.Sql => {
  switch (kind) {
    case 'tenant':
      return Prisma.sql`m.state <> 'forgotten'`;
    case 'project':
      return Prisma.sql`m.project_id = ${projectId}::uuid and m.scope in ('project', 'group') and m.state <> 'forgotten'`;
    case 'mine':
      return Prisma.sql`(m.owner_id = ${userId}::uuid or m.written_by = ${userId}::uuid)`;
  }
};

/** The next memories, with what hangs on each. */
export const exportMemories = (tx: Tx, span: ExportSpan): Promise<(ExportedMemory & ExportedRow)[]> => tx.$queryRaw`
  with page as (
    select m.* from memory m where m.tenant_id = ${span.tenantId}::uuid
      and (${span.after === null} or m.id > ${span.after}::uuid) and ${chosen(span)}
    order by m.id limit ${span.limit}::int
  ), names as (
    select id, display_name from display_names(
      (select array_agg(distinct i) from page m, unnest(array[m.owner_id, m.written_by]) i where i is not null))
  )
  select m.id as cursor, m.id, m.kind, m.scope, p.slug as project, g.slug as "group", m.title, m.text,
    m.task_type as "taskType", m.outcome, m.tags, m.files_modified as "filesModified", m.errors_resolved as "errorsResolved",
    m.alternatives, m.validity, m.verification, m.pinned, m.expires_at as "expiresAt", m.state,
    m.state_reason as "stateReason", m.merged_into as "mergedInto", m.superseded_by as "supersededBy",
    m.valid_from as "validFrom", m.valid_to as "validTo", m.started_at as "startedAt", m.ended_at as "endedAt",
    m.created_at as "createdAt", m.updated_at as "updatedAt", m.source, m.revision, m.proof_count as "proofCount",
    coalesce(o.display_name, '') as owner, w.display_name as author,
    case when m.session_id is null then null
      else jsonb_build_object('id', m.session_id, 'key', s.client_key) end as session,
    jsonb_build_object('helpful', coalesce(t.helpful_voters, 0), 'unhelpful', coalesce(t.unhelpful_voters, 0)) as votes,
    coalesce((select jsonb_agg(jsonb_build_object('with', l.to_id, 'resolution', l.resolution, 'reason', l.reason)
        order by l.to_id)
      from link l where l.tenant_id = m.tenant_id and l.from_id = m.id and l.kind = 'conflict'), '[]') as conflicts
  from page m
  left join project p on p.tenant_id = m.tenant_id and p.id = m.project_id
  left join project_group g on g.tenant_id = m.tenant_id and g.id = m.group_id
  left join work_session s on s.tenant_id = m.tenant_id and s.id = m.session_id
  left join memory_stat t on t.tenant_id = m.tenant_id and t.memory_id = m.id
  left join names o on o.id = m.owner_id
  left join names w on w.id = m.written_by
  order by m.id`;

/** What the memories said before, and say: one row for each revision. */
export const exportRevisions = (tx: Tx, span: ExportSpan): Promise<(object & ExportedRow)[]> => {
  const [memoryId, revision] = span.after?.split('/') ?? [null, null];
  return tx.$queryRaw`
    select r.memory_id || '/' || r.revision as cursor, r.memory_id as memory, r.revision, r.title, r.text, r.tags,
      r.files_modified as "filesModified", r.reason, r.since,
      (select display_name from display_names(array[r.author_id])) as author
    from revision r join memory m on m.tenant_id = r.tenant_id and m.id = r.memory_id
    where r.tenant_id = ${span.tenantId}::uuid
      and (${memoryId === null} or (r.memory_id, r.revision) > (${memoryId ?? null}::uuid, ${Number(revision ?? 0)}::int))
      and ${chosen(span)}
    order by r.memory_id, r.revision limit ${span.limit}::int`;
};

/** The asker's own votes. */
export const exportVotes = (
  tx: Tx,
  { tenantId, userId, after, limit }: ExportSpan,
): Promise<(object & ExportedRow)[]> => {
  const [retrievalId, memoryId] = after?.split('/') ?? [null, null];
  return tx.$queryRaw`
    select v.retrieval_id || '/' || v.memory_id as cursor, v.retrieval_id as retrieval, v.memory_id as memory, v.helpful,
      v.note, v.revision, v.created_at as at
    from vote v where v.tenant_id = ${tenantId}::uuid and v.user_id = ${userId}::uuid
      and (${after === null} or (v.retrieval_id, v.memory_id) > (${retrievalId ?? null}::uuid, ${memoryId ?? null}::uuid))
    order by v.retrieval_id, v.memory_id limit ${limit}::int`;
};

/** What the asker asked, or was given by a hook. */
export const exportQuestions = (
  tx: Tx,
  { tenantId, userId, after, limit }: ExportSpan,
): Promise<(object & ExportedRow)[]> => tx.$queryRaw`
  select r.id as cursor, r.id as retrieval, r.kind, r.question, p.slug as project, r.created_at as at
  from retrieval r left join project p on p.tenant_id = r.tenant_id and p.id = r.project_id
  where r.tenant_id = ${tenantId}::uuid and r.user_id = ${userId}::uuid and (${after === null} or r.id > ${after}::uuid)
  order by r.id limit ${limit}::int`;

/** What the asker and their clients said, as far as it is kept. */
export const exportTurns = (
  tx: Tx,
  { tenantId, userId, after, limit }: ExportSpan,
): Promise<(object & ExportedRow)[]> => tx.$queryRaw`
  select t.id as cursor, t.id as turn, t.conversation_id as conversation, p.slug as project, t.session_key as session,
    t.prompt_key as "promptKey", t.at, t.prompt, t.answer, t.tools, t.branch, t.client, t.is_backfill as "isBackfill"
  from turn t join conversation c on c.tenant_id = t.tenant_id and c.id = t.conversation_id
    left join project p on p.tenant_id = c.tenant_id and p.id = c.project_id
  where t.tenant_id = ${tenantId}::uuid and t.user_id = ${userId}::uuid and (${after === null} or t.id > ${after}::uuid)
  order by t.id limit ${limit}::int`;
