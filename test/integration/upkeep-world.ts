import { asSuperuser } from '../support/cluster.js';
import type { GraphQLClient } from '../support/graphql-client.js';
import type { EditWorld } from './edit-world.js';
import { feedback, retrieve } from './memory-world.js';

const LOOKED = 'analysed total complete nextAfter';
const CLUSTER = '{ survivor { id } merged { id } similarity acrossAuthors }';
const JUDGED = '{ memory { id } utility daysUnused reasons }';
export const REVIEW = `query ($project: String, $after: ID) { review(project: $project, after: $after) {
  ${LOOKED} mayExecute stale ${JUDGED} staleCount prunable ${JUDGED} prunableCount clusters ${CLUSTER} clusterCount
  proposals ${CLUSTER} proposalCount guarded conflicts } }`;
export const CONSOLIDATE = `mutation ($input: ConsolidateInput!) { consolidate(input: $input) {
  ${LOOKED} runId remaining clusters ${CLUSTER} } }`;
export const CLEANUP = `mutation ($input: CleanupInput!) { cleanup(input: $input) {
  ${LOOKED} runId remaining memories ${JUDGED} } }`;
export const MERGE = 'mutation ($ids: [ID!]!) { merge(ids: $ids) { runId survivor { id } mergedIds } }';
export const UNDO = 'mutation ($id: ID!) { undo(id: $id) { runId restoredIds skippedIds } }';

export const UPKEEP_RUNS = `query ($first: Int!, $after: String, $undone: Boolean!) {
  upkeepRuns(first: $first, after: $after, undone: $undone) {
    nodes { id kind project groupId madeBy maintenanceRunId merged pruned undoneAt } pageInfo { hasNextPage endCursor } } }`;

interface ClusterView {
  readonly survivor: { readonly id: string };
  readonly merged: readonly { readonly id: string }[];
  readonly acrossAuthors: boolean;
}
interface JudgedView {
  readonly memory: { readonly id: string };
  readonly reasons: readonly string[];
}
export interface ReviewView {
  readonly complete: boolean;
  readonly mayExecute: boolean;
  readonly stale: readonly JudgedView[];
  readonly prunable: readonly JudgedView[];
  readonly clusters: readonly ClusterView[];
  readonly proposals: readonly ClusterView[];
  readonly guarded: number;
  readonly conflicts: number;
}
export interface RunView {
  readonly runId: string | null;
  readonly remaining: number;
  readonly clusters: readonly ClusterView[];
  readonly memories: readonly JudgedView[];
}
export interface UndoneView {
  readonly restoredIds: readonly string[];
  readonly skippedIds: readonly string[];
}

export interface UpkeepRunView {
  readonly id: string;
  readonly merged: number;
  readonly pruned: number;
}

type Input = Readonly<Record<string, unknown>>;

export const review = async (person: GraphQLClient, project: string | null): Promise<ReviewView> =>
  (await person.send<{ review: ReviewView }>(REVIEW, { project })).review;
export const consolidate = async (person: GraphQLClient, input: Input): Promise<RunView> =>
  (await person.send<{ consolidate: RunView }>(CONSOLIDATE, { input })).consolidate;
export const cleanup = async (person: GraphQLClient, input: Input): Promise<RunView> =>
  (await person.send<{ cleanup: RunView }>(CLEANUP, { input })).cleanup;
export const merge = async (person: GraphQLClient, ids: readonly string[]): Promise<{ runId: string }> =>
  (await person.send<{ merge: { runId: string } }>(MERGE, { ids })).merge;
export const undo = async (person: GraphQLClient, id: string | null): Promise<UndoneView> =>
  (await person.send<{ undo: UndoneView }>(UNDO, { id })).undo;

/** What the person may take back, or could see taken back, page by page. */
export const upkeepRuns = async (person: GraphQLClient, undone = false, first = 100): Promise<UpkeepRunView[]> => {
  const found: UpkeepRunView[] = [];
  for (let after: string | null = null; ;) {
    const {
      upkeepRuns: page,
    }: { upkeepRuns: { nodes: UpkeepRunView[]; pageInfo: Record<'endCursor', string> & { hasNextPage: boolean } } } =
      await person.send(UPKEEP_RUNS, { first, after, undone });
    found.push(...page.nodes);
    if (!page.pageInfo.hasNextPage) return found;
    after = page.pageInfo.endCursor;
  }
};

/** The members of clusters, the survivor first. */
export const membersOf = (clusters: readonly ClusterView[]): string[][] =>
  clusters.map(({ survivor, merged }) => [survivor.id, ...merged.map(({ id }) => id).sort()]);

export const query = <Row extends object>(world: EditWorld, sql: string, values: unknown[] = []): Promise<Row[]> =>
  asSuperuser(world.api.database.adminUrl, async (client) => (await client.query<Row>(sql, values)).rows);

/** What is written when people act at all, whatever they do, and the record of the act itself. */
const ASIDE = new Set(
  `audit outbox upkeep_run upkeep_effect usage_change usage_day rate_bucket login_session refresh_token tenant
  instance_beat idempotency_key`.split(/\s+/),
);

/**
 * Every row of every table with a tenant's data, but for what is lent, which the loop that embeds works out anew, and for when a row was last touched and by whom, and when it was away.
 */
export const allRows = async (world: EditWorld): Promise<Record<string, string[]>> => {
  const tables = await query<{ name: string }>(
    world,
    `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  const rows: Record<string, string[]> = {};
  for (const { name } of tables.filter((table) => !ASIDE.has(table.name))) {
    const found = await query<{ row: string }>(
      world,
      `select (to_jsonb(t) - '{updated_at,state_since,state_by,absent,lent,lent_from,propagated,reached}'::text[])::text as row from ${name} t order by 1`,
    );
    rows[name] = found.map(({ row }) => row);
  }
  return rows;
};

/** Tables in which a row says something, whatever column it is in. */
export const tracesIn = async (world: EditWorld, words: readonly string[]): Promise<string[]> => {
  const tables = await query<{ name: string }>(
    world,
    `select c.relname::text as name from pg_class c where c.relnamespace = 'public'::regnamespace
       and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await query<object>(world, `select from ${name} t where to_jsonb(t)::text ~* $1 limit 1`, [
      words.join('|'),
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
};

/** Somebody asks, is shown the memory, and votes. */
export const vote = async (person: GraphQLClient, question: string, id: string, helpful = true): Promise<void> => {
  const { retrievalId, hits } = await retrieve(person, question, { limit: 50 });
  if (!hits.some(({ memory }) => memory.id === id)) throw new Error(`${id} was not shown`);
  const { recorded } = await feedback(person, { memoryIds: [id], helpful, retrievalId });
  if (recorded.length !== 1) throw new Error('The vote was not taken.');
};

/** So long ago that every limit is past. */
export const age = (world: EditWorld, ids: readonly string[]): Promise<object[]> =>
  query(
    world,
    `with old as (update memory set ended_at = now() - interval '400 days', state_since = now() - interval '400 days' where id = any ($1) returning id)
     update memory_stat s set last_useful_at = now() - interval '400 days' from old where s.memory_id = old.id`,
    [ids],
  );
