import type { LearningCounts, MemoryKind, ProjectId, Scope, TenantId, TrendBucket } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { Tx } from '../context.js';
import type { MemoryState } from './memory-record.js';

/*
 * Statistics over what the caller may see, and nothing else: each query runs as the caller, so the policies of memory and
 * memory_day choose the rows.
 */

const MOST_DOMAINS = 20;
const MOST_GROWING = 8;
/** As the periods of core are written. */
export const TREND_LABELS: Readonly<Record<TrendBucket, string>> = { weekly: 'IYYY-"W"IW', monthly: 'YYYY-MM' };

/** Whose memories: of a project, or everything visible. */
export interface StatsOf {
  readonly tenantId: TenantId;
  readonly projectId: ProjectId | null;
}

/** A span of time in buckets: from midnight to midnight, UTC. */
export interface TrendSpan extends StatsOf {
  readonly bucket: TrendBucket;
  readonly from: Date;
  readonly until: Date;
}

/** One row: a kind in a scope in a state, and how many. */
export interface MemoryGroup {
  readonly kind: MemoryKind;
  readonly scope: Scope;
  readonly state: MemoryState;
  readonly count: number;
}

/** How many active memories carry a tag, or tell of a type of task. */
export interface DomainCount {
  readonly kind: 'tag' | 'task_type';
  readonly name: string;
  readonly memories: number;
}

export interface DayCounts extends LearningCounts {
  readonly injected: number;
}

/** Counted in one bucket. */
export interface BucketCounts extends DayCounts {
  readonly label: string;
}

/** How many of a domain were added in a bucket; null: before the span. */
export interface DomainGrowth extends DomainCount {
  readonly label: string | null;
  readonly added: number;
}

const ofMemory = ({ tenantId, projectId }: StatsOf): Prisma.Sql =>
  Prisma.sql`m.tenant_id = ${tenantId}::uuid ${projectId === null ? Prisma.empty : Prisma.sql`and m.project_id = ${projectId}::uuid`}`;

/** What was forgotten is told of nowhere. */
const keptOf = (of: StatsOf): Prisma.Sql => Prisma.sql`${ofMemory(of)} and m.state <> 'forgotten'`;

const dayText = (at: Date): string => at.toISOString().slice(0, 10);

const SUMS = Prisma.sql`coalesce(sum(d.asked), 0)::int as asked, coalesce(sum(d.injected), 0)::int as injected,
  coalesce(sum(d.answered), 0)::int as answered, coalesce(sum(d.helpful), 0)::int as helpful,
  coalesce(sum(d.unhelpful), 0)::int as unhelpful, coalesce(sum(d.helpful_places), 0)::float8 as "helpfulPlaces"`;

const domainsOf = (of: StatsOf): Prisma.Sql => Prisma.sql`
  select m.created_at, 'tag' as kind, t.name from memory m cross join lateral unnest(m.tags) as t (name)
  where ${ofMemory(of)} and m.state = 'active'
  union all
  select m.created_at, 'task_type', m.task_type from memory m
  where ${ofMemory(of)} and m.state = 'active' and m.task_type is not null`;

/** Counts of memories of every state, by kind and scope. */
export const groupMemories = (tx: Tx, of: StatsOf): Promise<MemoryGroup[]> => tx.$queryRaw<MemoryGroup[]>`
  select m.kind, m.scope, m.state, count(*)::int as count from memory m where ${ofMemory(of)} group by 1, 2, 3`;

/** The largest domains. */
export const largestDomains = (tx: Tx, of: StatsOf): Promise<DomainCount[]> => tx.$queryRaw<DomainCount[]>`
  select n.kind, n.name, count(*)::int as memories from (${domainsOf(of)}) n
  group by 1, 2 order by 3 desc, 2, 1 limit ${MOST_DOMAINS}`;

/** All that was ever asked and voted. */
export const sumDays = async (tx: Tx, of: StatsOf): Promise<DayCounts> => {
  const [row] = await tx.$queryRaw<DayCounts[]>`
    select ${SUMS} from memory_day d join memory m on m.tenant_id = d.tenant_id and m.id = d.memory_id
    where ${keptOf(of)}`;
  return row ?? { asked: 0, injected: 0, answered: 0, helpful: 0, unhelpful: 0, helpfulPlaces: 0 };
};

/** The same by bucket; one in which nothing happened has no row. */
export const sumDaysByBucket = (tx: Tx, span: TrendSpan): Promise<BucketCounts[]> => tx.$queryRaw<BucketCounts[]>`
  select to_char(d.day, ${TREND_LABELS[span.bucket]}) as label, ${SUMS}
  from memory_day d join memory m on m.tenant_id = d.tenant_id and m.id = d.memory_id
  where ${keptOf(span)} and d.day >= ${dayText(span.from)}::date and d.day < ${dayText(span.until)}::date group by 1`;

/** How many memories were captured, by bucket. */
export const capturesByBucket = (tx: Tx, span: TrendSpan): Promise<{ label: string; captured: number }[]> =>
  tx.$queryRaw<{ label: string; captured: number }[]>`
    select to_char(m.created_at at time zone 'UTC', ${TREND_LABELS[span.bucket]}) as label, count(*)::int as captured
    from memory m where ${keptOf(span)} and m.created_at >= ${span.from} and m.created_at < ${span.until} group by 1`;

/** How the largest domains grew, by bucket, and what each held before. */
export const growthOfDomains = (tx: Tx, span: TrendSpan): Promise<DomainGrowth[]> => tx.$queryRaw<DomainGrowth[]>`
  with named as materialized (${domainsOf(span)}),
  largest as (
    select n.kind, n.name, count(*)::int as memories from named n
    where n.created_at < ${span.until} group by 1, 2 order by 3 desc, 2, 1 limit ${MOST_GROWING}
  )
  select l.kind, l.name, l.memories, count(*)::int as added,
    case when n.created_at >= ${span.from} then to_char(n.created_at at time zone 'UTC', ${TREND_LABELS[span.bucket]}) end as label
  from largest l join named n on n.kind = l.kind and n.name = l.name
  where n.created_at < ${span.until} group by 1, 2, 3, 5 order by 3 desc, 2, 1`;
