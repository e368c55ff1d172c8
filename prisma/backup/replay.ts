import pg from 'pg';
import type { LedgerEntry } from './ledger.js';

/** What a replay did. */
export interface Replayed {
  /** People and tenants that were back, and are erased again. */
  readonly users: number;
  readonly tenants: number;
  /** Promises about which the backup knows nothing, or which it had kept already. */
  readonly nothingToDo: number;
}

const BATCH = 1_000;

/**
 * Keeps the promises of a ledger in a database that was restored from before they were made. It can be run again at any time.
 * @param url a superuser's
 * @throws Error where traces are left: nobody should use such a database
 */
export const replayLedger = async (
  url: string,
  entries: readonly LedgerEntry[],
  log: (line: string) => void = () => undefined,
): Promise<Replayed> => {
  const client = new pg.Client({ connectionString: url, application_name: 'tempera restore' });
  await client.connect();
  const done = { users: 0, tenants: 0, nothingToDo: 0 };
  try {
    for (const entry of entries) {
      const wasThere = entry.kind === 'user' ? await eraseAgain(client, entry) : await deleteAgain(client, entry);
      if (!wasThere) done.nothingToDo += 1;
      else if (entry.kind === 'user') done.users += 1;
      else done.tenants += 1;
      if (wasThere) log(`erased again: ${entry.kind} ${entry.userId ?? entry.tenantId}`);
    }
    return done;
  } finally {
    await client.end();
  }
};

const eraseAgain = async (client: pg.Client, entry: LedgerEntry): Promise<boolean> => {
  const { tenantId, userId, erasureId, requestedBy, sharedMemories, to } = entry;
  // Whoever is the last owner in the backup was not the last when it was asked for; the promise stands, and no trigger is asked.
  await client.query('begin');
  await client.query('set local session_replication_role = replica');
  await client.query(`update app_user set role = 'member' where tenant_id = $1 and id = $2 and role = 'owner'`, [
    tenantId,
    userId,
  ]);
  await client.query('commit');
  const { rows } = await client.query<{ id: string | null }>('select repeat_erasure($1, $2, $3, $4, $5, $6) as id', [
    tenantId,
    userId,
    erasureId,
    requestedBy,
    sharedMemories,
    to ?? null,
  ]);
  const id = rows[0]?.id ?? null;
  if (id === null) return false;
  // Who may take over is asked of the tenant that one is in.
  await client.query(`select set_config('app.tenant_id', $1, false)`, [tenantId]);
  for (;;) {
    const { rows: batch } = await client.query<{ finished: boolean }>('select finished from erase_user($1, $2, $3)', [
      tenantId,
      id,
      BATCH,
    ]);
    if (batch[0]?.finished ?? true) break;
  }
  const { rows: ended } = await client.query<{ status: string; traces: object }>(
    'select status, traces from erasure where tenant_id = $1 and id = $2',
    [tenantId, id],
  );
  if (ended[0]?.status !== 'completed')
    throw new Error(`Traces of ${userId} are left: ${JSON.stringify(ended[0]?.traces)}. Do not use this database.`);
  return true;
};

const deleteAgain = async (client: pg.Client, { tenantId }: LedgerEntry): Promise<boolean> => {
  const { rowCount } = await client.query(`update tenant set status = 'deleted', erase_after = now() where id = $1`, [
    tenantId,
  ]);
  if (rowCount === 0) return false;
  for (;;) {
    const { rows } = await client.query<{ finished: boolean }>('select finished from delete_tenant($1, $2)', [
      tenantId,
      BATCH,
    ]);
    if (rows[0]?.finished ?? true) break;
  }
  const { rowCount: left } = await client.query('select from tenant where id = $1', [tenantId]);
  if (left !== 0) throw new Error(`Traces of the tenant ${tenantId} are left. Do not use this database.`);
  return true;
};
