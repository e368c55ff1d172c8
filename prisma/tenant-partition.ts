import { partitionName, vectorIndexName } from '@tempera/platform';
import pg from 'pg';
import { buildBeside, buildIndex, indexNames, type TenantVectors } from './partition-build.js';
import { dropGone } from './partition-gone.js';
import { switchOver } from './partition-switch.js';

/** Vectors from which a tenant gains by a partition of its own: below it an exact scan is as fast, and simpler. */
export const LARGE_TENANT_VECTORS = 25_000;

/** What a run did. */
export interface PartitionResult {
  readonly partition: string;
  /** Vectors moved by this run; 0 where the partition was there already. */
  readonly moved: number;
  /** How long everybody was locked out of the vectors. */
  readonly lockedMs: number;
  /** Indexes made by this run. */
  readonly indexes: readonly string[];
}

/** What a run over all tenants came to. */
export interface DueResult {
  /** Another run is at it; this one did nothing. */
  readonly isBusy: boolean;
  readonly done: readonly (PartitionResult & { readonly tenantId: string })[];
  readonly failed: readonly { readonly tenantId: string; readonly reason: string }[];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Any number; what counts is that every run locks the same one. */
const RUN_LOCK = 5_117_220_313;

/** A connection that acts as the tables' owner, whatever login it came by. */
const asOwner = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, application_name: 'tempera tenant:partition' });
  await client.connect();
  try {
    await client.query('set role mem_owner');
    return await work(client);
  } finally {
    await client.end();
  }
};

const vectorsOf = async (client: pg.Client, least: number): Promise<TenantVectors[]> => {
  const { rows } = await client.query<TenantVectors>(
    `select tenant_id as "tenantId", encoder, dimensions, vectors::int as vectors from vectors_of_tenants($1)`,
    [least],
  );
  return rows;
};

/** The tenants with at least `least` vectors of one encoder, largest first. */
export const largeTenants = (url: string, least = LARGE_TENANT_VECTORS): Promise<TenantVectors[]> =>
  asOwner(url, (client) => vectorsOf(client, least));

/** Whether the tenant's partition stands in its place; one that was left beside it does not. */
const isInPlace = async (client: pg.Client, tenantId: string): Promise<boolean> => {
  const { rowCount } = await client.query(
    `select from pg_inherits where inhparent = 'public.embedding'::regclass and inhrelid = to_regclass($1)`,
    [`public.${partitionName(tenantId)}`],
  );
  return rowCount === 1;
};

const partitionOne = async (
  client: pg.Client,
  tenantId: string,
  log: (line: string) => void,
): Promise<PartitionResult> => {
  const partition = partitionName(tenantId);
  const encoders = (await vectorsOf(client, 1)).filter((row) => row.tenantId === tenantId);
  if (encoders.length === 0) throw new Error(`The tenant ${tenantId} has no vectors, or is not there.`);
  if (!(await isInPlace(client, tenantId))) {
    log(`building ${partition} beside the others …`);
    await buildBeside(client, tenantId, encoders);
    const { moved, changed, lockedMs, refusals } = await switchOver(client, tenantId, encoders);
    log(`${moved} vectors moved to ${partition}, ${changed} of them changed meanwhile; locked for ${lockedMs} ms`);
    if (refusals > 0) log(`the lock was asked for ${refusals + 1} times`);
    await client.query(`analyze ${partition}`);
    return { partition, moved, lockedMs, indexes: indexNames(encoders) };
  }
  log(`${partition} is there already`);
  const indexes: string[] = [];
  for (const encoder of encoders) {
    const name = await buildIndex(client, encoder);
    if (name !== null) indexes.push(name);
  }
  if (indexes.length > 0) await client.query(`analyze ${partition}`);
  return { partition, moved: 0, lockedMs: 0, indexes };
};

/** One run at a time, whoever starts it. @returns null where another has the lock */
const alone = async <T>(client: pg.Client, work: () => Promise<T>): Promise<T | null> => {
  const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [RUN_LOCK]);
  return rows[0]?.got === true ? work() : null;
};

/**
 * Gives a tenant a partition of its own with an index for each encoder, or completes what an earlier run began.
 * @param url a login that may act as mem_owner: the migrator, or a superuser
 * @throws Error when the id is no UUID, the tenant has no vectors, or another run is at it
 */
export const partitionTenant = (
  url: string,
  id: string,
  log: (line: string) => void = () => undefined,
): Promise<PartitionResult> => {
  if (!UUID.test(id)) throw new Error(`"${id}" is no tenant's id.`);
  return asOwner(url, async (client) => {
    const result = await alone(client, () => partitionOne(client, id.toLowerCase(), log));
    if (result === null) throw new Error('Another run of tenant:partition is at work; try again later.');
    return result;
  });
};

/** Tenants that are large and have no partition, or none with an index for an encoder that many of their vectors are of. */
const dueOf = async (client: pg.Client, least: number): Promise<string[]> => {
  const due = new Set<string>();
  for (const large of await vectorsOf(client, least)) {
    const { rowCount } = await client.query(
      `select from pg_index i join pg_inherits p on p.inhrelid = i.indrelid and p.inhparent = 'public.embedding'::regclass
       where i.indexrelid = to_regclass($1) and i.indisvalid`,
      [`public.${vectorIndexName(large.tenantId, large.encoder)}`],
    );
    if (rowCount === 0 && indexNames([large]).length > 0) due.add(large.tenantId);
  }
  return [...due];
};

/**
 * Drops the partitions of tenants that are no more, and gives every tenant that is due its own, the largest first, one after the other. Nothing to do
 * is the usual case.
 * One that cannot be had now is told of and passed over; the next run takes it.
 */
export const partitionDue = (
  url: string,
  log: (line: string) => void = () => undefined,
  least = LARGE_TENANT_VECTORS,
): Promise<DueResult> =>
  asOwner(url, async (client) => {
    const run = await alone(client, async (): Promise<DueResult> => {
      await dropGone(client, log);
      const done: (PartitionResult & { tenantId: string })[] = [];
      const failed: { tenantId: string; reason: string }[] = [];
      for (const tenantId of await dueOf(client, least)) {
        try {
          done.push({ tenantId, ...(await partitionOne(client, tenantId, log)) });
        } catch (error) {
          failed.push({ tenantId, reason: error instanceof Error ? error.message : String(error) });
        }
      }
      return { isBusy: false, done, failed };
    });
    return run ?? { isBusy: true, done: [], failed: [] };
  });
