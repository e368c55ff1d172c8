import { isIndexedDimensions, partitionName, vectorIndexName } from '@tempera/platform';
import pg from 'pg';

/** Vectors from which a tenant gains by a partition of its own: below it an exact scan is as fast, and simpler. */
export const LARGE_TENANT_VECTORS = 25_000;

/** How many vectors of one encoder a tenant has. */
export interface TenantVectors {
  readonly tenantId: string;
  readonly encoder: string;
  readonly dimensions: number;
  readonly vectors: number;
}

/** What a run did. */
export interface PartitionResult {
  readonly partition: string;
  /** Vectors moved by this run; 0 where the partition was there already. */
  readonly moved: number;
  /** Indexes made by this run. */
  readonly indexes: readonly string[];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

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

const exists = async (client: pg.Client, name: string): Promise<boolean> => {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass($1) is not null as there`, [
    `public.${name}`,
  ]);
  return rows[0]?.there === true;
};

/**
 * Moves the tenant's vectors. One transaction: whoever searches meanwhile waits, and sees either place whole. FORCE is
 * off on the default partition only inside it, because under FORCE the owner itself sees no row to move.
 */
const move = async (client: pg.Client, tenantId: string, name: string): Promise<number> => {
  const counted = async (sql: string, values: readonly unknown[] = []): Promise<number> =>
    (await client.query(sql, [...values])).rowCount ?? 0;
  await client.query('begin');
  try {
    // Waiting for this lock makes every search behind it wait too; better to give up and be started again.
    await client.query(`set local lock_timeout = '3s'`);
    await client.query('lock table embedding in access exclusive mode');
    await client.query('alter table embedding_default no force row level security');
    await client.query(`create table ${name} (like embedding including all)`);
    const inserted = await counted(
      `insert into ${name} select * from embedding_default where tenant_id = $1 order by memory_id`,
      [tenantId],
    );
    const deleted = await counted('delete from embedding_default where tenant_id = $1', [tenantId]);
    if (inserted !== deleted)
      throw new Error(`${inserted} vectors were copied and ${deleted} removed; nothing is moved.`);
    await client.query('alter table embedding_default force row level security');
    await client.query(`alter table ${name} enable row level security, force row level security`);
    // Known to be true of every row, so that attaching need not look at them again.
    await client.query(`alter table ${name} add constraint of_one_tenant check (tenant_id = '${tenantId}')`);
    await client.query(`alter table embedding attach partition ${name} for values in ('${tenantId}')`);
    await client.query(`alter table ${name} drop constraint of_one_tenant`);
    await client.query('commit');
    return inserted;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
};

/** Builds an encoder's index while the tenant goes on reading and writing; what an interrupted run left is removed. */
const buildIndex = async (client: pg.Client, partition: string, tenant: TenantVectors): Promise<string | null> => {
  if (!isIndexedDimensions(tenant.dimensions)) return null;
  const name = vectorIndexName(tenant.tenantId, tenant.encoder);
  const { rows } = await client.query<{ valid: boolean }>(
    `select indisvalid as valid from pg_index where indexrelid = to_regclass($1)`,
    [`public.${name}`],
  );
  if (rows[0]?.valid === true) return null;
  if (rows[0]?.valid === false) await client.query(`drop index concurrently ${name}`);
  await client.query(`set maintenance_work_mem = '512MB'`);
  await client.query(
    `create index concurrently ${name} on ${partition}
     using hnsw ((vector::halfvec(${tenant.dimensions})) halfvec_cosine_ops)
     where encoder = ${pg.escapeLiteral(tenant.encoder)}`,
  );
  return name;
};

/**
 * Gives a tenant a partition of its own with an index for each encoder, or completes what an earlier run began.
 * @param url a login that may act as mem_owner: the migrator, or a superuser
 * @throws Error when the id is no UUID, or the tenant has no vectors
 */
export const partitionTenant = (
  url: string,
  id: string,
  log: (line: string) => void = () => undefined,
): Promise<PartitionResult> => {
  if (!UUID.test(id)) throw new Error(`"${id}" is no tenant's id.`);
  const tenantId = id.toLowerCase();
  const partition = partitionName(tenantId);
  return asOwner(url, async (client) => {
    const encoders = (await vectorsOf(client, 1)).filter((row) => row.tenantId === tenantId);
    if (encoders.length === 0) throw new Error(`The tenant ${tenantId} has no vectors, or is not there.`);
    let moved = 0;
    if (await exists(client, partition)) log(`${partition} is there already`);
    else {
      moved = await move(client, tenantId, partition);
      log(`${moved} vectors moved to ${partition}`);
    }
    const indexes: string[] = [];
    for (const encoder of encoders) {
      log(`indexing ${encoder.vectors} vectors of ${encoder.encoder} …`);
      const name = await buildIndex(client, partition, encoder);
      if (name !== null) indexes.push(name);
    }
    await client.query(`analyze ${partition}`);
    return { partition, moved, indexes };
  });
};
