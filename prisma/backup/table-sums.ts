import type pg from 'pg';

/** What a table holds: how many rows, and a sum over them that does not depend on their order. */
export interface TableSum {
  readonly rows: number;
  /** Sum of a 64-bit hash of each row as text; null where only rows were counted. */
  readonly sum: string | null;
}

/** Rows as text must not depend on who asks. */
const PLAIN = `set local datestyle = 'ISO, YMD'; set local intervalstyle = 'iso_8601'; set local timezone = 'UTC';
  set local extra_float_digits = 1; set local bytea_output = 'hex'`;

const TABLES = `select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname collate "C"`;

/**
 * Sums every table, partitions one by one. Call it in a transaction of a role that row-level security does not apply to: the sums of what somebody sees
 * would say nothing of what is kept.
 * @param isCountOnly rows only, for a database that is too large to be read twice
 * @throws Error where row-level security applies to the caller
 */
export const sumTables = async (client: pg.Client, isCountOnly: boolean): Promise<Record<string, TableSum>> => {
  const { rows: me } = await client.query<{ sees: boolean; name: string }>(
    'select rolsuper or rolbypassrls as sees, rolname as name from pg_roles where rolname = current_user',
  );
  if (me[0]?.sees !== true)
    throw new Error(`Row-level security applies to ${me[0]?.name}: it would keep or count a part and not say so.`);
  await client.query(PLAIN);
  const { rows: tables } = await client.query<{ name: string }>(TABLES);
  const sums: Record<string, TableSum> = {};
  for (const { name } of tables) sums[name] = await sumOf(client, name, isCountOnly);
  return sums;
};

const sumOf = async (client: pg.Client, table: string, isCountOnly: boolean): Promise<TableSum> => {
  const what = isCountOnly ? 'null' : 'coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text';
  const { rows } = await client.query<{ rows: string; sum: string | null }>(
    `select count(*) as rows, ${what} as sum from only public.${client.escapeIdentifier(table)} t`,
  );
  return { rows: Number(rows[0]?.rows), sum: rows[0]?.sum ?? null };
};

/** Tables that hold something else than they should, for a person; empty where all agree. */
export const differingTables = (
  wanted: Readonly<Record<string, TableSum>>,
  found: Readonly<Record<string, TableSum>>,
): string[] =>
  [...new Set([...Object.keys(wanted), ...Object.keys(found)])].sort().flatMap((table) => {
    const [want, have] = [wanted[table], found[table]];
    if (want === undefined) return [`${table}: was not in the backup`];
    if (have === undefined) return [`${table}: is not there`];
    if (want.rows !== have.rows) return [`${table}: ${have.rows} rows instead of ${want.rows}`];
    return want.sum !== null && have.sum !== null && want.sum !== have.sum
      ? [`${table}: other contents in ${have.rows} rows`]
      : [];
  });
