import { partitionName } from '@tempera/platform';
import pg from 'pg';
import { besideName, indexNames, type TenantVectors } from './partition-build.js';

/** A switch that took place. */
export interface Switched {
  readonly moved: number;
  /** Rows that were written or removed while the copy was made. */
  readonly changed: number;
  /** How long everybody was locked out. */
  readonly lockedMs: number;
  /** How often the lock was asked for in vain. */
  readonly refusals: number;
}

/** Whoever comes after a lock that is waited for waits too: better to give up soon and to ask again. */
const LOCK_PATIENCE_MS = 300;
const PAUSE_MS = 2_000;
const ATTEMPTS = 30;

const LOCK_NOT_AVAILABLE = '55P03';

const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === LOCK_NOT_AVAILABLE || error.code === '40P01');

const counted = async (client: pg.Client, sql: string, values: readonly unknown[] = []): Promise<number> =>
  (await client.query(sql, [...values])).rowCount ?? 0;

/** Brings the copy up to date: rows that left their place since are taken out, and those that have a new one put in. */
const catchUp = async (client: pg.Client, tenantId: string, table: string): Promise<number> => {
  const gone = await counted(
    client,
    `delete from ${table} t using copied c
     where t.tenant_id = $1 and t.memory_id = c.memory_id and t.encoder = c.encoder and t.part = c.part and not exists (
       select from embedding_default d where d.tenant_id = $1 and d.ctid = c.place and d.xmin = c.writer)`,
    [tenantId],
  );
  const come = await counted(
    client,
    `insert into ${table} select d.* from embedding_default d
     where d.tenant_id = $1 and not exists (select from copied c where c.place = d.ctid and c.writer = d.xmin)`,
    [tenantId],
  );
  return gone + come;
};

/**
 * With everybody locked out. FORCE is off on both tables only inside this transaction, because under FORCE the owner
 * itself sees no row to move.
 */
const takePlace = async (client: pg.Client, tenantId: string, encoders: readonly TenantVectors[]) => {
  const partition = partitionName(tenantId);
  const table = besideName(partition);
  await client.query('alter table embedding_default no force row level security');
  await client.query(`alter table ${table} no force row level security`);
  const changed = await catchUp(client, tenantId, table);
  const moved = await counted(client, 'delete from embedding_default where tenant_id = $1', [tenantId]);
  const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${table}`);
  if (rows[0]?.count !== moved)
    throw new Error(`${rows[0]?.count ?? 0} vectors were copied and ${moved} removed; nothing is moved.`);
  await client.query('alter table embedding_default force row level security');
  await client.query(`alter table ${table} force row level security`);
  await client.query(`alter table ${table} rename to ${partition}`);
  for (const name of indexNames(encoders)) {
    await client.query(`alter index if exists ${besideName(name)} rename to ${name}`);
  }
  await client.query(`alter table embedding attach partition ${partition} for values in ('${tenantId}')`);
  await client.query(`alter table ${partition} drop constraint of_one_tenant`);
  return { moved, changed };
};

const once = async (
  client: pg.Client,
  tenantId: string,
  encoders: readonly TenantVectors[],
): Promise<Omit<Switched, 'refusals'>> => {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = '${LOCK_PATIENCE_MS}ms'`);
    // Captures hold their memory before they write its vectors: in their order, nobody waits for us while we wait for them.
    await client.query('lock table memory in share row exclusive mode');
    await client.query('lock table embedding in access exclusive mode');
    const begun = performance.now();
    const done = await takePlace(client, tenantId, encoders);
    await client.query('commit');
    return { ...done, lockedMs: Math.round(performance.now() - begun) };
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
};

/**
 * Puts the table that {@link buildBeside} made in the place of the tenant's rows. Asks for the lock again and again, each
 * time for a moment only. @throws Error where it is not to be had
 */
export const switchOver = async (
  client: pg.Client,
  tenantId: string,
  encoders: readonly TenantVectors[],
): Promise<Switched> => {
  for (let refusals = 0; ; refusals += 1) {
    try {
      return { ...(await once(client, tenantId, encoders)), refusals };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (refusals + 1 === ATTEMPTS)
        throw new Error('The table of vectors was never free for a moment; try again later.', { cause: error });
      await new Promise((resume) => setTimeout(resume, PAUSE_MS));
    }
  }
};
