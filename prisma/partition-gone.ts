import pg from 'pg';

/** Tenants' partitions, by what their bound says. */
const PARTITIONS = `select c.relname::text as name, (regexp_match(pg_get_expr(c.relpartbound, c.oid), '[0-9a-f-]{36}'))[1] as tenant
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'public.embedding'::regclass and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'`;

/**
 * Drops the partitions of tenants that are no more. Their rows went with the tenant; what is left is an empty table with its indexes.
 * Dropping one locks everybody out of the vectors for a moment, so it gives up rather than wait, and the next run comes again.
 * @param client acts as the tables' owner
 */
export const dropGone = async (client: pg.Client, log: (line: string) => void): Promise<void> => {
  const { rows } = await client.query<{ name: string; tenant: string }>(PARTITIONS);
  const { rows: gone } = await client.query<{ tenant: string }>('select tenants_gone($1) as tenant', [
    rows.map(({ tenant }) => tenant),
  ]);
  const ids = new Set(gone.map(({ tenant }) => tenant));
  for (const { name } of rows.filter(({ tenant }) => ids.has(tenant))) {
    await client.query('begin');
    try {
      await client.query(`set local lock_timeout = '1s'`);
      await client.query(`drop table public.${client.escapeIdentifier(name)}`);
      await client.query('commit');
      log(`${name} is dropped: its tenant is erased`);
    } catch (error) {
      await client.query('rollback');
      log(`${name} could not be dropped now: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
};
