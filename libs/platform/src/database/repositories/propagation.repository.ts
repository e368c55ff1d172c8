import type { Scope } from '@tempera/core';
import type { RunRef } from '../../temporal/contract.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { Tx } from '../context.js';
import type { PageOfMemories } from './page-of-memories.js';

/** A memory of a run's snapshot, with what says to whom it may lend. */
export interface SnapshotNode {
  readonly id: string;
  readonly evidence: number;
  readonly earned: number;
  /** p before the run. */
  readonly propagated: number;
  /** Days from the run that last set p to this one; null where none did. */
  readonly daysSincePropagated: number | null;
  readonly helpfulVotes: number;
  readonly askedRetrievals: number;
  readonly scope: Scope;
  readonly ownerId: string;
  readonly projectId: string | null;
  readonly groupId: string | null;
  readonly sessionId: string | null;
}

/** A pair of near memories; directed as stored, undirected as read. */
export interface NeighbourLink {
  readonly a: string;
  readonly b: string;
  readonly weight: number;
}

/** A page of a run's snapshot in order of id. */
export const pageOfNodes = (tx: Tx, run: RunRef, page: PageOfMemories): Promise<SnapshotNode[]> =>
  tx.$queryRaw<SnapshotNode[]>`
    ${nodesOf(run)} and (${page.after}::uuid is null or p.memory_id > ${page.after}::uuid)
      and p.memory_id <> all (${[...page.without]}::uuid[])
    order by p.memory_id limit ${page.limit}::int`;

/** Some memories of a run's snapshot; what is not in it is left out. */
export const nodesById = (tx: Tx, run: RunRef, ids: readonly string[]): Promise<SnapshotNode[]> =>
  asOneText<SnapshotNode>(tx, Prisma.sql`${nodesOf(run)} and p.memory_id = any (${ids}::uuid[])`);

const nodesOf = ({ tenantId, runId, runDate }: RunRef): Prisma.Sql => Prisma.sql`
  select p.memory_id as id, p.evidence, p.earned, p.propagated_before as propagated,
    ${runDate}::date - p.propagated_on_before as "daysSincePropagated", p.helpful_others as "helpfulVotes",
    p.asked_retrievals as "askedRetrievals", m.scope, m.owner_id as "ownerId", m.project_id as "projectId", m.group_id as "groupId",
    m.session_id as "sessionId"
  from snapshot p join memory m on m.tenant_id = p.tenant_id and m.id = p.memory_id
  where p.tenant_id = ${tenantId}::uuid and p.run_id = ${runId}::uuid`;

/** Rows as one JSON text: of a hundred thousand memories the driver's work on each row would take most of a run. */
const asOneText = async <Row>(tx: Tx, query: Prisma.Sql): Promise<Row[]> => {
  const [answer] = await tx.$queryRaw<{ rows: string }[]>`
    select coalesce(json_agg(r), '[]')::text as rows from (${query}) r`;
  return JSON.parse(answer?.rows ?? '[]') as Row[];
};

/** The memories that may be sources: someone found them helpful, and their evidence is above the threshold. */
export const possibleSources = (
  tx: Tx,
  run: RunRef,
  threshold: number,
  after: string | null,
  limit: number,
): Promise<{ id: string }[]> =>
  tx.$queryRaw<{ id: string }[]>`
    select p.memory_id as id from snapshot p
    where p.tenant_id = ${run.tenantId}::uuid and p.run_id = ${run.runId}::uuid and p.helpful_others > 0
      and p.evidence > ${threshold}::float8 and (${after}::uuid is null or p.memory_id > ${after}::uuid)
    order by p.memory_id limit ${limit}::int`;

/** The neighbour links at some memories, from whichever end they were drawn. */
export const linksAt = (tx: Tx, tenantId: string, ids: readonly string[]): Promise<NeighbourLink[]> =>
  asOneText<NeighbourLink>(
    tx,
    Prisma.sql`
      select l.from_id as a, l.to_id as b, l.weight from link l
      where l.tenant_id = ${tenantId}::uuid and l.kind = 'neighbour' and l.from_id = any (${ids}::uuid[])
      union all
      select l.from_id, l.to_id, l.weight from link l
      where l.tenant_id = ${tenantId}::uuid and l.kind = 'neighbour' and l.to_id = any (${ids}::uuid[])
        and l.from_id <> all (${ids}::uuid[])`,
  );

/** The memories of some sessions, page by page in order of id, that are in a run's snapshot. */
export const membersOfSessions = (
  tx: Tx,
  run: RunRef,
  sessionIds: readonly string[],
  after: string | null,
  limit: number,
): Promise<{ id: string }[]> =>
  tx.$queryRaw<{ id: string }[]>`
    select m.id from memory m
      join snapshot p on p.tenant_id = m.tenant_id and p.run_id = ${run.runId}::uuid and p.memory_id = m.id
    where m.tenant_id = ${run.tenantId}::uuid and m.session_id = any (${sessionIds}::uuid[])
      and (${after}::uuid is null or m.id > ${after}::uuid)
    order by m.id limit ${limit}::int`;

/** What a run lends to a memory. */
export interface LoanRow {
  readonly id: string;
  /** p before the run, as its snapshot has it. */
  readonly before: number;
  readonly propagated: number;
  readonly reached: number;
  readonly lent: number;
  readonly lentFrom: string | null;
}

/**
 * Writes a page of loans; rows that would not change are left alone. Where a vote has raised p since the snapshot, above
 * what the run knows of, the vote's value stays until the next night: falls wait for the night, rises do not.
 */
export const writeLoans = async (tx: Tx, { tenantId, runDate }: RunRef, rows: readonly LoanRow[]): Promise<void> => {
  // In the order in which votes hold them, so that a night and a vote never wait for each other.
  const ids = rows.map(({ id }) => id);
  await tx.$queryRaw`
    select memory_id from memory_stat where tenant_id = ${tenantId}::uuid and memory_id = any (${ids}::uuid[])
    order by memory_id for update`;
  await tx.$executeRaw`
    update memory_stat s set propagated = r.propagated, reached = r.reached, lent = r.lent, lent_from = r."lentFrom",
      propagated_on = case when r.propagated > 0 then greatest(s.propagated_on, ${runDate}::date) end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (id uuid, before float8, propagated float8, reached float8, lent float8, "lentFrom" uuid)
    where s.tenant_id = ${tenantId}::uuid and s.memory_id = r.id
      and (s.propagated = r.before or s.propagated <= r.propagated)
      and (s.propagated, s.reached, s.lent, s.lent_from,  s.propagated_on) is distinct from
        (r.propagated, r.reached, r.lent, r."lentFrom",
         case when r.propagated > 0 then greatest(s.propagated_on, ${runDate}::date) end)`;
};
