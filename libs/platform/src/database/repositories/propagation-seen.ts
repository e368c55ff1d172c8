import { AppError } from '@tempera/client-kit';
import type { ProjectId, TenantId, Validity } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { Tx } from '../context.js';
import type { SnapshotNode } from './propagation.repository.js';

/*
 * The graph of lending as a person sees it: the same columns as a night's snapshot, read as the caller.
 */

/** More than a person looks at; whoever has more names a project. */
const MOST_SEEN = 20_000;

/** Of whom, where, and for which day: `YYYY-MM-DD` in the tenant's time zone. */
export interface SeenIn {
  readonly tenantId: TenantId;
  readonly projectId: ProjectId | null;
  readonly today: string;
}

/** A memory that may lend or borrow, with what it has proved. */
export interface SeenNode extends Omit<SnapshotNode, 'evidence' | 'earned' | 'propagated'> {
  readonly standing: {
    readonly validity: Validity;
    readonly pinned: boolean;
    readonly helpful: number;
    readonly unhelpful: number;
    readonly credit: number;
    readonly propagated: number;
    readonly reached: number;
    readonly daysSinceUseful: number;
  };
}

type SeenRow = Omit<SeenNode, 'standing'> & SeenNode['standing'];

const toSeen = ({ validity, pinned, helpful, unhelpful, credit, ...row }: SeenRow): SeenNode => {
  const { propagated, reached, daysSinceUseful, ...node } = row;
  return { ...node, standing: { validity, pinned, helpful, unhelpful, credit, propagated, reached, daysSinceUseful } };
};

const readSeen = async (tx: Tx, seen: SeenIn, which: Prisma.Sql): Promise<SeenNode[]> => {
  const { tenantId, projectId, today } = seen;
  const rows = await tx.$queryRaw<SeenRow[]>`
    select m.id, m.validity, m.pinned, s.helpful, s.unhelpful, s.credit, s.propagated, s.reached,
      greatest(0, ${today}::date - (s.last_useful_at at time zone t.time_zone)::date) as "daysSinceUseful",
      ${today}::date - s.propagated_on as "daysSincePropagated",
      case when m.scope = 'private' then s.helpful_voters else s.helpful_others end as "helpfulVotes",
      s.asked_retrievals as "askedRetrievals", m.scope, m.owner_id as "ownerId", m.project_id as "projectId",
      m.group_id as "groupId", m.session_id as "sessionId"
    from memory m
      join memory_stat s on s.tenant_id = m.tenant_id and s.memory_id = m.id
      join tenant t on t.id = m.tenant_id
    where m.tenant_id = ${tenantId}::uuid and m.state = 'active'
      and (${projectId}::uuid is null or m.project_id = ${projectId}::uuid) and ${which}
    limit ${MOST_SEEN + 1}`;
  if (rows.length <= MOST_SEEN) return rows.map(toSeen);
  throw new AppError('limit-exceeded', 'too-many-to-preview', 'Too many memories lend here: name a project.');
};

/** The memories that may be sources. */
export const sourcesSeen = (tx: Tx, seen: SeenIn, threshold: number): Promise<SeenNode[]> =>
  readSeen(
    tx,
    seen,
    Prisma.sql`s.evidence > ${threshold}::float8
      and case when m.scope = 'private' then s.helpful_voters else s.helpful_others end > 0`,
  );

/** Some memories; what the caller does not see is left out. */
export const nodesSeen = (tx: Tx, seen: SeenIn, ids: readonly string[]): Promise<SeenNode[]> =>
  readSeen(tx, seen, Prisma.sql`m.id = any (${[...ids]}::uuid[])`);

/** Whoever has something on loan, which may fall. */
export const loanHolders = (tx: Tx, seen: SeenIn): Promise<SeenNode[]> =>
  readSeen(tx, seen, Prisma.sql`s.propagated > 0`);

/** The memories of some sessions. */
export const matesSeen = async (tx: Tx, { tenantId }: SeenIn, sessionIds: readonly string[]): Promise<string[]> => {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select m.id from memory m where m.tenant_id = ${tenantId}::uuid and m.session_id = any (${[...sessionIds]}::uuid[])
    limit ${MOST_SEEN}`;
  return rows.map(({ id }) => id);
};
