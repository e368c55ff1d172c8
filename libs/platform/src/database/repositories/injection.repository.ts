import {
  asId,
  type MemoryId,
  type MemoryKind,
  type ProjectId,
  type Scope,
  type TenantId,
  type UserId,
} from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { Tx } from '../context.js';
import { searchConditions, touchesFile } from './retrieval-searched.js';

/** Whose session it is, in which project. */
export interface InjectionPlace {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  readonly projectId: ProjectId;
  readonly sessionKey: string;
}

/** A memory as it is put before a session: one line, and what the beginning of its text is judged by. */
export interface InjectableMemory {
  readonly id: MemoryId;
  readonly title: string;
  readonly kind: MemoryKind;
  readonly scope: Scope;
  readonly author: string | null;
  readonly isOwn: boolean;
  readonly at: Date;
  readonly textEnds: string;
}

/** Characters of each end of a text that are read with its title; see `readsLikeInstruction`. */
const TEXT_END = 16_384;

/**
 * What may be put before a person unasked (m, s; docs/design.md M1): the own, what a maintainer pinned, and what somebody
 * other than its author found helpful; none of it while it contradicts something. What the distiller drew from a conversation may quote
 * whoever wrote the files of a folder: until somebody has said that it is good, it is put before its person in its own project alone.
 */
const injectable = (userId: UserId, projectId: ProjectId): Prisma.Sql => Prisma.sql`
  (m.owner_id = ${userId}::uuid and (m.pinned or m.verification <> 'untested' or m.project_id = ${projectId}::uuid
      or not exists (select from distilled_fact d where d.tenant_id = m.tenant_id and d.memory_id = m.id))
    or m.pinned and m.scope <> 'private' or s.helpful_others > 0)
  and not exists (select from link l where l.tenant_id = m.tenant_id and l.from_id = m.id and l.kind = 'conflict'
    and l.resolution is null)
  and not exists (select from link l where l.tenant_id = m.tenant_id and l.to_id = m.id and l.kind = 'conflict'
    and l.resolution is null)`;

/** Of some memories those that may be put before a person in a project now; in no order. */
export const readInjectable = async (
  tx: Tx,
  { tenantId, userId, projectId }: Omit<InjectionPlace, 'sessionKey'>,
  ids: readonly MemoryId[],
  now: Date,
): Promise<Map<MemoryId, InjectableMemory>> => {
  if (ids.length === 0) return new Map();
  const rows = await tx.$queryRaw<InjectableMemory[]>`
    with chosen as (
      select m.* from memory m join memory_stat s on s.tenant_id = m.tenant_id and s.memory_id = m.id
      where ${searchConditions({ tenantId, filter: {}, now })} and m.id = any (${[...ids]}::uuid[])
        and (m.project_id is null or m.project_id = ${projectId}::uuid or m.owner_id = ${userId}::uuid or m.scope = 'group')
        and ${injectable(userId, projectId)}
    ), names as (select id, display_name from display_names((select array_agg(coalesce(written_by, owner_id)) from chosen)))
    select m.id, m.title, m.kind, m.scope, n.display_name as author, m.owner_id = ${userId}::uuid as "isOwn", m.ended_at as at,
      left(m.text, ${TEXT_END}::int) || case when length(m.text) > ${TEXT_END}::int
        then E'\n' || right(m.text, ${TEXT_END}::int) else '' end as "textEnds"
    from chosen m left join names n on n.id = coalesce(m.written_by, m.owner_id)`;
  return new Map(rows.map((row) => [asId<MemoryId>(row.id), row]));
};

export type ToldSection = 'pinned' | 'todos' | 'changed' | 'files';

/** A memory that a session's start could tell, by the first section it belongs to. */
export interface ToldAtStart {
  readonly id: MemoryId;
  readonly section: ToldSection;
  /** How many belong to any section, fetched or not. */
  readonly total: number;
}

/** What else a start is about. */
export interface StartSubject {
  readonly files: readonly string[];
  /** Null: the person was not here before, and everything is new. */
  readonly since: Date | null;
  readonly perSection: number;
  readonly now: Date;
}

/** Pins, open todos, what others changed since, and what tells of the files: the newest of each, in order. */
export const findToldAtStart = (
  tx: Tx,
  { tenantId, userId, projectId }: InjectionPlace,
  { files, since, perSection, now }: StartSubject,
): Promise<ToldAtStart[]> => {
  const byFile = files.length === 0 ? Prisma.sql`false` : touchesFile(files);
  return tx.$queryRaw<ToldAtStart[]>`
    with told as (
      select m.id, m.ended_at, case when m.pinned then 'pinned' when m.kind = 'todo' then 'todos'
        when m.scope <> 'private' and m.written_by is distinct from ${userId}::uuid and m.text_since > ${since} then 'changed'
        when ${byFile} then 'files' end as section
      from memory m join memory_stat s on s.tenant_id = m.tenant_id and s.memory_id = m.id
      where ${searchConditions({ tenantId, filter: { projectId }, now })} and ${injectable(userId, projectId)}
    ), placed as (
      select id, section, ended_at, row_number() over (partition by section order by ended_at desc, id) as place,
        count(*) over ()::int as total
      from told where section is not null
    )
    select id, section, total from placed where place <= ${perSection}::int
    order by array_position(array['pinned', 'todos', 'changed', 'files'], section), place`;
};

/** The lines of the person's profile and the project's, in order. */
export const findProfileLines = (
  tx: Tx,
  { tenantId, userId, projectId }: InjectionPlace,
): Promise<{ readonly id: MemoryId; readonly of: 'user' | 'project' }[]> => tx.$queryRaw`
  select l.memory_id as id, case when p.user_id is null then 'project' else 'user' end as of
  from profile p join profile_line l on l.tenant_id = p.tenant_id and l.profile_id = p.id
  where p.tenant_id = ${tenantId}::uuid and (p.user_id = ${userId}::uuid or p.project_id = ${projectId}::uuid)
  order by p.user_id is null, l.place`;

/** When the person was last here, by another session; null: never. */
export const lastHere = async (tx: Tx, place: InjectionPlace): Promise<Date | null> => {
  const [row] = await tx.$queryRaw<{ at: Date | null }[]>`
    select max(created_at) as at from injection where tenant_id = ${place.tenantId}::uuid and user_id = ${place.userId}::uuid
      and project_id = ${place.projectId}::uuid and session_key <> ${place.sessionKey}`;
  return row?.at ?? null;
};

/** What was put before a session for a prompt: the answer, and its memories in order. */
export interface KnownInjection {
  readonly retrievalId: string | null;
  readonly ids: readonly MemoryId[];
}

export const findInjection = async (
  tx: Tx,
  { tenantId, userId, projectId, sessionKey }: InjectionPlace,
  promptKey: string,
): Promise<KnownInjection | null> => {
  const [row] = await tx.$queryRaw<KnownInjection[]>`
    select i.retrieval_id as "retrievalId", array(select h.memory_id from retrieval_hit h
      where h.tenant_id = i.tenant_id and h.retrieval_id = i.retrieval_id order by h.place) as ids
    from injection i where i.tenant_id = ${tenantId}::uuid and i.user_id = ${userId}::uuid
      and i.project_id = ${projectId}::uuid and i.session_key = ${sessionKey} and i.prompt_key = ${promptKey}`;
  return row ?? null;
};

/** What stands before the session already: put there at its latest start, or since. */
export const findInjected = async (
  tx: Tx,
  { tenantId, userId, projectId, sessionKey }: InjectionPlace,
): Promise<Set<MemoryId>> => {
  const rows = await tx.$queryRaw<{ id: MemoryId }[]>`
    with mine as (
      select retrieval_id, created_at, prompt_key from injection where tenant_id = ${tenantId}::uuid
        and user_id = ${userId}::uuid and project_id = ${projectId}::uuid and session_key = ${sessionKey}
    )
    select distinct h.memory_id as id from mine i
      join retrieval_hit h on h.tenant_id = ${tenantId}::uuid and h.retrieval_id = i.retrieval_id
    where i.created_at >= coalesce((select max(created_at) from mine where prompt_key is null), '-infinity')`;
  return new Set(rows.map(({ id }) => id));
};

export interface NewInjection extends InjectionPlace {
  /** Null: at the session's start. */
  readonly promptKey: string | null;
  readonly retrievalId: string | null;
  readonly now: Date;
}

/** @returns false where the same prompt was answered meanwhile */
export const insertInjection = async (tx: Tx, injection: NewInjection): Promise<boolean> => {
  const { tenantId, userId, projectId, sessionKey, promptKey, retrievalId, now } = injection;
  const count = await tx.$executeRaw`
    insert into injection (tenant_id, user_id, project_id, session_key, prompt_key, retrieval_id, created_at)
    values (${tenantId}::uuid, ${userId}::uuid, ${projectId}::uuid, ${sessionKey}, ${promptKey}, ${retrievalId}::uuid, ${now})
    on conflict do nothing`;
  return count === 1;
};
