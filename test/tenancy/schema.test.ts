import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrationNames } from '@tempera/platform';
import { migrationsDirectory } from '../../prisma/migration-files.js';
import { asSuperuser } from '../support/cluster.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';

/** What Prisma's types are in the catalogue, with a native annotation where one type could be several. */
const catalogueTypes: Readonly<Record<string, string>> = {
  'String @db.Uuid': 'uuid',
  String: 'text',
  Int: 'int4',
  'Int @db.SmallInt': 'int2',
  BigInt: 'int8',
  Float: 'float8',
  Boolean: 'bool',
  Bytes: 'bytea',
  Json: 'jsonb',
  'DateTime @db.Timestamptz(6)': 'timestamptz',
  'DateTime @db.Date': 'date',
  'Unsupported("halfvec")': 'halfvec',
  'Unsupported("tsvector")': 'tsvector',
  'Unsupported("tstzmultirange")': 'tstzmultirange',
};

interface ModelText {
  readonly table: string;
  readonly columns: readonly string[];
  readonly keys: readonly string[];
}

const columnOf = (line: string): { field: string; column: string; text: string } => {
  const match = /^(\w+)\s+(Unsupported\("\w+"\)|\w+)(\[\]|\?)?/.exec(line);
  const [, field = '', type = '', modifier = ''] = match ?? [];
  const column = /@map\("(\w+)"\)/.exec(line)?.[1] ?? field;
  const native = /@db\.\w+(?:\(\d+\))?/.exec(line)?.[0];
  const known = catalogueTypes[native === undefined ? type : `${type} ${native}`] ?? `unknown ${line}`;
  const shown = modifier === '[]' ? `_${known}` : known;
  return { field, column, text: `${column} ${shown}${modifier === '?' ? '' : ' not null'}` };
};

/** schema.prisma, as far as it says something about tables. */
const readModels = (): ModelText[] => {
  const text = readFileSync(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');
  return [...text.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)].map(([, name = '', body = '']) => {
    const lines = body.split('\n').map((line) => line.trim());
    const columns = lines.filter((line) => /^\w/.test(line)).map(columnOf);
    const mapped = new Map(columns.map(({ field, column }) => [field, column]));
    const named = (list: string): string =>
      list
        .split(',')
        .map((field) => mapped.get(field.trim()) ?? field)
        .join(', ');
    const keys = lines.flatMap((line) => {
      const block = /^@@(id|unique)\(\[([^\]]*)\]/.exec(line);
      if (block) return [`${block[1] === 'id' ? 'primary' : 'unique'} ${named(block[2] ?? '')}`];
      return / @id\b/.test(line) ? [`primary ${columnOf(line).column}`] : [];
    });
    const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name.toLowerCase();
    return { table, columns: columns.map((column) => column.text).sort(), keys: keys.sort() };
  });
};

const readCatalogue = (adminUrl: string): Promise<ModelText[]> =>
  asSuperuser(adminUrl, async (client) => {
    const { rows } = await client.query<ModelText>(`
      select c.relname::text as table,
        (select array_agg(a.attname || ' ' || y.typname || case when a.attnotnull then ' not null' else '' end)
          from pg_attribute a join pg_type y on y.oid = a.atttypid
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
        coalesce((select array_agg(case k.contype when 'p' then 'primary ' else 'unique ' end || (
            select string_agg(a.attname, ', ' order by u.place) from unnest(k.conkey) with ordinality u (attnum, place)
            join pg_attribute a on a.attrelid = c.oid and a.attnum = u.attnum))
          from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u')), '{}') as keys
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> '_prisma_migrations'`);
    return rows.map(({ table, columns, keys }) => ({ table, columns: [...columns].sort(), keys: [...keys].sort() }));
  });

describe('schema.prisma and the database', () => {
  let database: TestDatabase;
  const models = readModels();

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  it('know the same tables', async () => {
    const catalogue = await readCatalogue(database.adminUrl);
    expect(models.map((model) => model.table).sort()).toEqual(catalogue.map((table) => table.table).sort());
  });

  for (const model of models) {
    it(`agree on the columns, types, nulls and keys of ${model.table}`, async () => {
      const table = (await readCatalogue(database.adminUrl)).find((candidate) => candidate.table === model.table);
      expect(model.columns).toEqual(table?.columns);
      expect(model.keys).toEqual(table?.keys);
    });
  }

  it('come from the migrations that the code lists', () => {
    const folders = readdirSync(migrationsDirectory(), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(migrationNames).toEqual(folders.map((entry) => entry.name).sort());
  });
});
