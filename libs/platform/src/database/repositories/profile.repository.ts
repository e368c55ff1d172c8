import {
  asId,
  type MemoryId,
  type MemoryKind,
  type ProfileLine,
  type ProfileOf,
  type ProfilePart,
  type Validity,
} from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { Tx } from '../context.js';
import { derivedId } from '../derived-id.js';
import { inOpenPlace } from './page-of-memories.js';

/** Of what could be told, so many are compared: the pinned, what helped most, the newest. */
const MAX_CANDIDATES = 500;

/** A person, or a project. */
export interface ProfileSubject {
  readonly of: ProfileOf;
  readonly id: string;
}

/** A memory that a profile could tell, with its standing on a date: no word of it. */
export interface ProfileCandidateRow {
  readonly id: MemoryId;
  readonly kind: MemoryKind;
  readonly pinned: boolean;
  readonly validity: Validity;
  readonly helpful: number;
  readonly unhelpful: number;
  readonly credit: number;
  readonly propagated: number;
  readonly reached: number;
  readonly helpfulOthers: number;
  readonly endedAt: Date;
  /** Whole days in the tenant's time zone, negative counted as 0. */
  readonly daysSinceUseful: number;
}

const FACTS = Prisma.sql`m.kind in ('preference', 'correction', 'decision', 'background')`;

/** What a person wrote and sees still; what everybody in a project sees, whoever wrote it. */
const toldOf = ({ of, id }: ProfileSubject): Prisma.Sql =>
  of === 'user'
    ? Prisma.sql`m.owner_id = ${id}::uuid and (m.pinned or ${FACTS}) and ${inOpenPlace}
        and (m.scope <> 'project' or exists (select from membership x
          where x.tenant_id = m.tenant_id and x.project_id = m.project_id and x.user_id = m.owner_id))`
    : Prisma.sql`m.scope = 'project' and m.project_id = ${id}::uuid and (m.pinned or ${FACTS} or s.helpful_others > 0)`;

/** What holds today: neither superseded nor over. */
const holdsOn = (runDate: string): Prisma.Sql => Prisma.sql`m.state = 'active' and m.superseded_by is null
  and (m.expires_at is null or (m.expires_at at time zone t.time_zone)::date > ${runDate}::date)
  and (m.valid_to is null or (m.valid_to at time zone t.time_zone)::date > ${runDate}::date)`;

/** What a profile could tell on a date. */
export const profileCandidates = (
  tx: Tx,
  tenantId: string,
  subject: ProfileSubject,
  runDate: string,
): Promise<ProfileCandidateRow[]> => tx.$queryRaw<ProfileCandidateRow[]>`
  select m.id, m.kind, m.pinned, m.validity, s.helpful, s.unhelpful, s.credit, s.propagated, s.reached,
    s.helpful_others as "helpfulOthers", m.ended_at as "endedAt",
    greatest(0, ${runDate}::date - (s.last_useful_at at time zone t.time_zone)::date) as "daysSinceUseful"
  from memory m
    join memory_stat s on s.tenant_id = m.tenant_id and s.memory_id = m.id
    join tenant t on t.id = m.tenant_id
  where m.tenant_id = ${tenantId}::uuid and ${holdsOn(runDate)} and ${toldOf(subject)}
  order by m.pinned desc, s.helpful_others desc, m.ended_at desc, m.id limit ${MAX_CANDIDATES}::int`;

/** Puts these lines in the place of those that a profile had. */
export const writeProfile = async (
  tx: Tx,
  tenantId: string,
  { of, id: subjectId }: ProfileSubject,
  lines: readonly ProfileLine<MemoryId>[],
  at: Date,
): Promise<void> => {
  const id = derivedId('profile', of, subjectId);
  const [userId, projectId] = of === 'user' ? [subjectId, null] : [null, subjectId];
  // The row is held from here on: of two who write it, the second waits.
  await tx.$executeRaw`
    insert into profile (tenant_id, id, user_id, project_id, refreshed_at)
    values (${tenantId}::uuid, ${id}::uuid, ${userId}::uuid, ${projectId}::uuid, ${at})
    on conflict (tenant_id, id) do update set refreshed_at = excluded.refreshed_at`;
  await tx.$executeRaw`delete from profile_line where tenant_id = ${tenantId}::uuid and profile_id = ${id}::uuid`;
  await tx.$executeRaw`
    insert into profile_line (tenant_id, profile_id, memory_id, part, place)
    select ${tenantId}::uuid, ${id}::uuid, l.id, l.part, l.place
    from unnest(${lines.map((line) => line.id)}::uuid[], ${lines.map(({ part }) => part)}::text[])
      with ordinality as l (id, part, place)`;
};

/** A profile as it reads now. */
export interface StoredProfile {
  /** Null: it was never written. */
  readonly refreshedAt: Date | null;
  readonly lines: readonly ProfileLine<MemoryId>[];
}

/** The lines that hold still, of those that the caller may see. */
export const readProfile = async (
  tx: Tx,
  tenantId: string,
  { of, id: subjectId }: ProfileSubject,
  runDate: string,
): Promise<StoredProfile> => {
  const id = derivedId('profile', of, subjectId);
  const [row] = await tx.$queryRaw<{ refreshedAt: Date }[]>`
    select refreshed_at as "refreshedAt" from profile where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`;
  if (row === undefined) return { refreshedAt: null, lines: [] };
  const lines = await tx.$queryRaw<{ id: string; part: ProfilePart }[]>`
    select m.id, l.part from profile_line l
      join memory m on m.tenant_id = l.tenant_id and m.id = l.memory_id
      join tenant t on t.id = l.tenant_id
    where l.tenant_id = ${tenantId}::uuid and l.profile_id = ${id}::uuid and ${holdsOn(runDate)} order by l.place`;
  return { refreshedAt: row.refreshedAt, lines: lines.map((line) => ({ ...line, id: asId<MemoryId>(line.id) })) };
};

/** Whom and what a night writes profiles of, in order: who wrote something that is in use, and projects that are not archived. */
export const pageOfProfiled = (
  tx: Tx,
  tenantId: string,
  { after, limit }: { readonly after: ProfileSubject | null; readonly limit: number },
): Promise<ProfileSubject[]> => tx.$queryRaw<ProfileSubject[]>`
  select x.of, x.id from (
    select 'project' as of, p.id from project p where p.tenant_id = ${tenantId}::uuid and p.archived_at is null
    union all
    select 'user', m.owner_id from memory m where m.tenant_id = ${tenantId}::uuid and m.state = 'active' group by m.owner_id
  ) x where (${after === null} or (x.of, x.id) > (${after?.of ?? null}::text, ${after?.id ?? null}::uuid))
  order by x.of, x.id limit ${limit}::int`;
