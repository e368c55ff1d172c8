import {
  asId,
  type Audience,
  type EpisodeSpan,
  type GroupId,
  MAX_CREDIT,
  type ProjectId,
  type Scope,
  type SessionId,
  type UserId,
} from '@tempera/core';
import type { Tx } from '../context.js';
import { ofPage, type PageOfMemories } from './page-of-memories.js';

/** An episode as credit along time sees it: when, whose, and who may see it. */
export interface CreditEpisode extends EpisodeSpan {
  readonly audience: Audience;
}

/** A success, or what once was one and still has credits to take back. */
export interface CreditGiver extends CreditEpisode {
  /** False where the outcome is no longer success or the memory was forgotten. */
  readonly stands: boolean;
}

/** An episode that may have led to a success. */
export interface CreditCandidate extends CreditEpisode {
  readonly successId: string;
}

/** One credit: the k-th most recent episode before a success. */
export interface LedgerEntry {
  readonly successId: string;
  readonly receiverId: string;
  readonly rank: number;
  readonly amount: number;
}

interface EpisodeRow {
  readonly id: string;
  readonly ownerId: string;
  readonly projectId: string | null;
  readonly groupId: string | null;
  readonly scope: Scope;
  readonly sessionId: string | null;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

const toEpisode = (row: EpisodeRow): CreditEpisode => ({
  id: row.id,
  sessionId: row.sessionId === null ? null : asId<SessionId>(row.sessionId),
  startedAt: row.startedAt,
  endedAt: row.endedAt,
  audience: {
    scope: row.scope,
    ownerId: asId<UserId>(row.ownerId),
    projectId: asId<ProjectId>(row.projectId ?? ''),
    groupId: row.groupId === null ? null : asId<GroupId>(row.groupId),
  },
});

/** Successes, and givers of credits that may have to be withdrawn, in order of id. */
export const pageOfGivers = async (tx: Tx, tenantId: string, page: PageOfMemories): Promise<CreditGiver[]> => {
  const rows = await tx.$queryRaw<(EpisodeRow & { stands: boolean })[]>`
    select m.id, m.owner_id as "ownerId", m.project_id as "projectId", m.group_id as "groupId", m.scope, m.session_id as "sessionId",
      m.started_at as "startedAt", m.ended_at as "endedAt",
      coalesce(m.kind = 'episode' and m.outcome = 'success' and m.state <> 'forgotten', false) as stands
    from memory m
    where m.tenant_id = ${tenantId}::uuid and ${ofPage(page)}
      and (m.kind = 'episode' and m.outcome = 'success' and m.state <> 'forgotten' or exists (
        select from credit_ledger l where l.tenant_id = m.tenant_id and l.success_id = m.id))
    order by m.id limit ${page.limit}::int`;
  return rows.map((row) => ({ ...toEpisode(row), stands: row.stands }));
};

/**
 * For each success the four latest earlier episodes of its user and project in the same session, and the four latest
 * that ended within the window before it started; core picks and ranks. An archived episode keeps its place: what
 * happened does not change because it is no longer shown.
 */
export const creditCandidates = async (
  tx: Tx,
  tenantId: string,
  successIds: readonly string[],
  windowHours: number,
): Promise<CreditCandidate[]> => {
  const rows = await tx.$queryRaw<(EpisodeRow & { successId: string })[]>`
    select s.id as "successId", c.id, c.owner_id as "ownerId", c.project_id as "projectId", c.group_id as "groupId", c.scope,
      c.session_id as "sessionId", c.started_at as "startedAt", c.ended_at as "endedAt"
    from memory s cross join lateral (
      (select e.id, e.owner_id, e.project_id, e.group_id, e.scope, e.session_id, e.started_at, e.ended_at from memory e
        where e.tenant_id = s.tenant_id and e.owner_id = s.owner_id and e.project_id is not distinct from s.project_id
          and e.kind = 'episode' and e.session_id = s.session_id and e.ended_at < s.ended_at and e.id <> s.id
        order by e.ended_at desc, e.id limit 4)
      union
      (select e.id, e.owner_id, e.project_id, e.group_id, e.scope, e.session_id, e.started_at, e.ended_at from memory e
        where e.tenant_id = s.tenant_id and e.owner_id = s.owner_id and e.project_id is not distinct from s.project_id
          and e.kind = 'episode' and e.ended_at < s.ended_at and e.id <> s.id
          and e.ended_at between s.started_at - make_interval(secs => ${windowHours * 3600}::float8) and s.started_at
        order by e.ended_at desc, e.id limit 4)
    ) c
    where s.tenant_id = ${tenantId}::uuid and s.id = any (${successIds}::uuid[])`;
  return rows.map((row) => ({ ...toEpisode(row), successId: row.successId }));
};

/** The credits of some successes as they stand. */
export const ledgerOf = (tx: Tx, tenantId: string, successIds: readonly string[]): Promise<LedgerEntry[]> =>
  tx.$queryRaw<LedgerEntry[]>`
    select success_id as "successId", receiver_id as "receiverId", rank::int as rank, amount from credit_ledger
    where tenant_id = ${tenantId}::uuid and success_id = any (${successIds}::uuid[])`;

export interface LedgerChange {
  readonly runId: string;
  readonly removed: readonly LedgerEntry[];
  readonly added: readonly LedgerEntry[];
}

/** Changes the ledger and brings the receivers' credit in line with it. */
export const changeLedger = async (
  tx: Tx,
  tenantId: string,
  { runId, removed, added }: LedgerChange,
): Promise<void> => {
  const receivers = [...new Set([...removed, ...added].map(({ receiverId }) => receiverId))];
  // Runs of two dates may meet at a receiver: the one that comes second adds up what the first has committed.
  await tx.$queryRaw`
    select memory_id from memory_stat where tenant_id = ${tenantId}::uuid and memory_id = any (${receivers}::uuid[])
    order by memory_id for update`;
  await tx.$executeRaw`
    delete from credit_ledger l
    using jsonb_to_recordset(${JSON.stringify(removed)}::jsonb) as r ("successId" uuid, "receiverId" uuid)
    where l.tenant_id = ${tenantId}::uuid and l.success_id = r."successId" and l.receiver_id = r."receiverId"`;
  await tx.$executeRaw`
    insert into credit_ledger (tenant_id, success_id, receiver_id, rank, amount, run_id)
    select ${tenantId}::uuid, a."successId", a."receiverId", a.rank, a.amount, ${runId}::uuid
    from jsonb_to_recordset(${JSON.stringify(added)}::jsonb)
      as a ("successId" uuid, "receiverId" uuid, rank smallint, amount float8)
    on conflict (tenant_id, success_id, receiver_id) do nothing`;
  await tx.$executeRaw`
    update memory_stat s set credit = least(${MAX_CREDIT}::float8, coalesce((
      select sum(l.amount order by l.success_id) from credit_ledger l
      where l.tenant_id = s.tenant_id and l.receiver_id = s.memory_id), 0))
    where s.tenant_id = ${tenantId}::uuid and s.memory_id = any (${receivers}::uuid[])`;
};
