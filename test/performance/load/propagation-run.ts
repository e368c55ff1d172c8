import { resolveSettings } from '@tempera/core';
import { lendAtOnce } from '@tempera/platform';
import { asId, type MemoryId } from '@tempera/core';
import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import pg from 'pg';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { progressOf } from '../show-progress.js';
import { allPairs, type AllPairs } from './all-pairs.js';
import { planTenant } from './plan.js';
import { makePools, openEncoder } from './pools.js';
import { type Asker, seedTenants } from './seed-tenants.js';
import { vocabularyOf } from './texts.js';
import { type Times, timesOf } from './times.js';
import { propagateStep, snapshotStep } from './worker-steps.js';

/** How long a night's lending takes in one tenant, and what else was measured of it. */
export interface Propagation {
  readonly memories: number;
  readonly links: number;
  readonly borrowers: number;
  /** Working it out of the snapshot and the links, and writing it, page by page. */
  readonly propagateSeconds: number;
  readonly snapshotSeconds: number;
  /** One vote's effect on what is near, in milliseconds. */
  readonly vote: Times;
  /** Comparing every memory with every other; null: not asked for. */
  readonly allPairs: AllPairs | null;
  readonly loadAverage: number;
}

const PAGE = 500;
const VOTES = 40;

type Step = ReturnType<typeof snapshotStep>;
interface Night {
  readonly tenantId: string;
  readonly runId: string;
  readonly runDate: string;
}

/** All pages of one step, as the worker takes them. @returns seconds */
const walk = async ({ doors }: TestDatabase, run: Night, open: () => Step | Promise<Step>): Promise<number> => {
  const begun = performance.now();
  const step = await open();
  for (let after: string | null = null; ;) {
    const span: { after: string | null; limit: number; without: string[] } = { after, limit: PAGE, without: [] };
    const page = await step.prepare(span);
    const done = await doors.asWorker(run.tenantId, (tx) => page(tx, run, span));
    after = done.after;
    if (after === null) return Math.round((performance.now() - begun) / 10) / 100;
  }
};

const beginRun = async (client: pg.Client, tenantId: string): Promise<Night> => {
  const run = { tenantId, runId: randomUUID(), runDate: new Date().toISOString().slice(0, 10) };
  await client.query(
    `insert into maintenance_run (tenant_id, id, kind, run_date, status, finished_at)
     values ($1, $2, 'nightly', $3, 'completed', now())`,
    [tenantId, run.runId, run.runDate],
  );
  return run;
};

/** What was voted helpful lends to what is near at once, as after a vote. */
const timeVotes = async ({ doors }: TestDatabase, client: pg.Client, asker: Asker): Promise<Times> => {
  const { rows } = await client.query<{ id: string }>(
    `select s.memory_id as id from memory_stat s where s.tenant_id = $1 and s.helpful_others > 0 and s.scope = 'tenant'
     order by s.memory_id limit $2`,
    [asker.tenantId, VOTES],
  );
  const times: number[] = [];
  for (const { id } of rows) {
    const begun = performance.now();
    await doors.asTenant(asker, (tx) => lendAtOnce(tx, [asId<MemoryId>(id)], new Date()));
    times.push(performance.now() - begun);
  }
  return timesOf(times);
};

const countOf = async (client: pg.Client, tenantId: string): Promise<{ links: number; borrowers: number }> => {
  const { rows } = await client.query<{ links: number; borrowers: number }>(
    `select (select count(*)::int from link where tenant_id = $1) as links,
       (select count(*)::int from memory_stat where tenant_id = $1 and propagated > 0) as borrowers`,
    [tenantId],
  );
  return rows[0] ?? { links: 0, borrowers: 0 };
};

export interface PropagationOptions {
  readonly sizes: readonly number[];
  /** Up to this size every memory is also compared with every other. */
  readonly pairsUpTo: number;
  readonly words: number;
}

const measureOne = async (database: TestDatabase, client: pg.Client, asker: Asker, size: number, pairs: boolean) => {
  const { tenantId } = asker;
  const loadAverage = Math.round((loadavg()[0] ?? 0) * 10) / 10;
  const vote = await timeVotes(database, client, asker);
  const run = await beginRun(client, tenantId);
  const settings = resolveSettings();
  const snapshotSeconds = await walk(database, run, () => snapshotStep(settings));
  const propagateSeconds = await walk(database, run, () => propagateStep(database, run, settings, () => undefined));
  const counts = await countOf(client, tenantId);
  const compared = pairs ? await allPairs(client, tenantId) : null;
  return { memories: size, ...counts, propagateSeconds, snapshotSeconds, vote, allPairs: compared, loadAverage };
};

/** A tenant of each size in a database of its own, with links as captures leave them. */
export const runPropagation = async ({ sizes, pairsUpTo, words }: PropagationOptions): Promise<Propagation[]> => {
  const database = await openTestDatabase();
  const client = new pg.Client({ connectionString: database.adminUrl });
  const encoder = await openEncoder();
  try {
    await client.connect();
    const pools = await makePools(client, encoder, vocabularyOf(words), progressOf('vocabulary'));
    const results: Propagation[] = [];
    for (const size of sizes) {
      const progress = progressOf(`a tenant of ${size}`);
      const [asker] = await seedTenants(client, pools, [planTenant(size, pools.subjects, 0)], progress);
      if (asker === undefined) throw new Error('Nobody is there.');
      results.push(await measureOne(database, client, asker, size, size <= pairsUpTo));
    }
    return results;
  } finally {
    await client.end();
    await encoder.dispose();
    await database.close();
  }
};
