import type pg from 'pg';
import { asSuperuser } from '../../support/cluster.js';

/** Tables that tell how a run went, and not what it did: signs of life, tries, what waits. */
const HOW_IT_WENT = new Set(['instance_beat', 'outbox', 'audit', '_prisma_migrations']);

const TABLES = `select c.relname as name,
    array(select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.atttypid = 'timestamptz'::regtype) as moments
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname`;

/** Every row of every table as text, by table; without moments, which no two runs share, and in an order of their own. */
export type Rows = ReadonlyMap<string, readonly string[]>;

/** Reads all of a database, as superuser: no policy may hide a difference. */
export const readRows = (adminUrl: string): Promise<Rows> =>
  asSuperuser(adminUrl, async (client) => {
    const { rows: tables } = await client.query<{ name: string; moments: string[] }>(TABLES);
    const found = new Map<string, string[]>();
    for (const { name, moments } of tables) {
      if (!HOW_IT_WENT.has(name)) found.set(name, await rowsOf(client, name, moments));
    }
    return found;
  });

const rowsOf = async (client: pg.Client, table: string, moments: readonly string[]): Promise<string[]> => {
  const { rows } = await client.query<{ row: string }>(
    `select (to_jsonb(t) - $1::text[])::text as row from ${client.escapeIdentifier(table)} t order by 1`,
    [moments],
  );
  return rows.map(({ row }) => row);
};

/** The first rows that are only on one side, for a person; empty where all are the same. */
export const differences = (one: Rows, other: Rows): string[] => {
  const found: string[] = [];
  for (const [table, rows] of one) {
    const [left, right] = [new Set(rows), new Set(other.get(table) ?? [])];
    const onlyLeft = rows.filter((row) => !right.has(row));
    const onlyRight = [...right].filter((row) => !left.has(row));
    if (onlyLeft.length + onlyRight.length === 0 && rows.length === other.get(table)?.length) continue;
    found.push(`${table}: ${onlyLeft.length} and ${onlyRight.length} rows are on one side alone`);
    found.push(...onlyLeft.slice(0, 2).map((row) => `  < ${row}`), ...onlyRight.slice(0, 2).map((row) => `  > ${row}`));
  }
  return found;
};

/** How many rows were compared. */
export const countRows = (rows: Rows): number => [...rows.values()].reduce((sum, { length }) => sum + length, 0);
