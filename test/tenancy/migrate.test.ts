import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDoors } from '@tempera/platform';
import { migrationsDirectory, readMigrations } from '../../prisma/migration-files.js';
import { migrate } from '../../prisma/migrate.js';
import { openRolesFile, readRolesFile } from '../../prisma/roles.js';
import { asSuperuser, inDatabase, testAdminUrl, testRoleUrls } from '../support/cluster.js';

/** As many migrations make the first database that could hold memories and what the database keeps of each. */
const FIRST_TABLES = 5;
/** A thousand memories of one text, session and moment, that nobody embedded: nothing but their ids tells them apart. */
const ALIKE = `with t as (insert into tenant (id, name) values ('00000000-0000-4000-8000-000000000001', 'Acme') returning id),
  u as (insert into app_user (tenant_id, display_name, role) select id, 'Ada', 'owner' from t returning tenant_id, id),
  s as (insert into work_session (tenant_id, user_id, started_at, last_at)
    select tenant_id, id, '2026-01-01', '2026-01-01' from u returning tenant_id, id, user_id),
  m as (insert into memory (tenant_id, owner_id, session_id, scope, kind, title, text, valid_from, started_at, ended_at)
    select s.tenant_id, s.user_id, s.id, 'private', 'episode', 'Same', 'The same text.', '2026-01-01', '2026-01-01', '2026-01-01'
    from s, generate_series(1, 1000) returning tenant_id, id, owner_id)
  insert into revision (tenant_id, memory_id, revision, title, text, author_id, reason)
    select tenant_id, id, 1, 'Same', 'The same text.', owner_id, 'captured' from m`;

describe('the migration runner', () => {
  let adminUrl: string;
  let name: string;
  let folder: string;

  beforeEach(async () => {
    name = `tempera_test_${randomBytes(6).toString('hex')}`;
    adminUrl = inDatabase(testAdminUrl(), name);
    await asSuperuser(testAdminUrl(), (client) => client.query(`create database ${name} template template0`));
    folder = mkdtempSync(join(tmpdir(), 'tempera-migrate-'));
    cpSync(migrationsDirectory(), join(folder, 'migrations'), { recursive: true });
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await asSuperuser(testAdminUrl(), (client) => client.query(`drop database ${name} with (force)`));
  });

  const run = (): ReturnType<typeof migrate> =>
    migrate({ adminUrl, roles: testRoleUrls(adminUrl), directory: join(folder, 'migrations') });
  const history = (): Promise<Record<string, unknown>[]> =>
    asSuperuser(adminUrl, async (client) => {
      const { rows } = await client.query<Record<string, unknown>>(
        'select * from _prisma_migrations order by migration_name',
      );
      return rows;
    });

  /** How much of what people wrote is there, and a digest of it, by what every version has. */
  const contents = (): Promise<Record<string, unknown> | undefined> =>
    asSuperuser(adminUrl, async (client) => {
      const { rows } = await client.query<Record<string, unknown>>(`select
        (select count(*)::int from memory where state = 'active') as memories,
        (select count(*)::int from revision) as revisions, (select count(*)::int from work_session) as sessions,
        (select count(*)::int from memory_stat) as stats,
        (select md5(string_agg(concat_ws('|', id, owner_id, scope, kind, title, text, session_id, revision, proof_count), ','
          order by id)) from memory) as memory,
        (select md5(string_agg(concat_ws('|', memory_id, revision, text), ',' order by memory_id)) from revision) as texts`);
      return rows[0];
    });

  it('applies every migration once, and nothing the second time', async () => {
    const first = await run();
    expect(first.applied).toEqual(readMigrations(migrationsDirectory()).map((file) => file.name));
    const before = await history();
    expect((await run()).applied).toEqual([]);
    expect(await history()).toEqual(before);
  });

  it('applies each migration once when two runners start together', async () => {
    const [one, two] = await Promise.all([run(), run()]);
    expect([...one.applied, ...two.applied]).toHaveLength(readMigrations(migrationsDirectory()).length);
  });

  it('keeps the history that prisma migrate deploy reads', async () => {
    await run();
    const [row] = await history();
    const [file] = readMigrations(migrationsDirectory());
    expect(row).toMatchObject({
      migration_name: file?.name,
      checksum: file?.checksum,
      applied_steps_count: 1,
      logs: null,
    });
    expect(row?.['finished_at']).toBeInstanceOf(Date);
  });

  it('refuses a migration that was changed after it was applied', async () => {
    await run();
    appendFileSync(join(folder, 'migrations', '20261130000001_tables', 'migration.sql'), '\n-- afterthought\n');
    await expect(run()).rejects.toThrow('20261130000001_tables was changed after it was applied');
  });

  it('A1: leaves a thousand memories that look alike as they are, whatever comes after the first tables', async () => {
    const later = readMigrations(migrationsDirectory()).slice(FIRST_TABLES);
    for (const { name: file } of later) rmSync(join(folder, 'migrations', file), { recursive: true });
    await run();
    await asSuperuser(adminUrl, (client) => client.query(ALIKE));
    const before = await contents();
    expect(before).toMatchObject({ memories: 1_000, revisions: 1_000, sessions: 1, stats: 1_000 });
    cpSync(migrationsDirectory(), join(folder, 'migrations'), { recursive: true });
    expect((await run()).applied).toEqual(later.map((file) => file.name));
    expect(await contents()).toEqual(before);
  });

  it('refuses a database that is ahead of the code, as do the programs', async () => {
    await run();
    const later = join(folder, 'migrations', '29990101000000_later');
    mkdirSync(later);
    writeFileSync(join(later, 'migration.sql'), 'select 1;\n');
    await run();
    rmSync(later, { recursive: true });
    await expect(run()).rejects.toThrow('ahead of this code: it has 29990101000000_later');
    const doors = createDoors({ appUrl: testRoleUrls(adminUrl).app });
    await expect(doors.selfCheck()).rejects.toMatchObject({ code: 'migrations-ahead' });
    await doors.close();
  });

  it('leaves nothing of a migration that fails, and names it', async () => {
    const broken = join(folder, 'migrations', '29990101000000_broken');
    mkdirSync(broken);
    writeFileSync(join(broken, 'migration.sql'), 'create table half (id uuid); select 1 / 0;\n');
    await expect(run()).rejects.toThrow('29990101000000_broken failed: division by zero');
    const left = await asSuperuser(adminUrl, (client) => client.query(`select to_regclass('half') as half`));
    expect(left.rows[0]).toEqual({ half: null });
    expect(await history()).toHaveLength(readMigrations(migrationsDirectory()).length);
  });

  it('builds an index beside the work of others, and again where it was left half-built', async () => {
    const alone = join(folder, 'migrations', '29990101000000_index');
    mkdirSync(alone);
    writeFileSync(
      join(alone, 'migration.sql'),
      '-- Beside the work of others.\ncreate unique index concurrently memory_title on memory (title);\n',
    );
    await expect(run()).resolves.toMatchObject({ applied: expect.arrayContaining(['29990101000000_index']) });
    const isValid = (): Promise<unknown> =>
      asSuperuser(adminUrl, async (client) => {
        const { rows } = await client.query(
          `select indisvalid from pg_index where indexrelid = 'memory_title'::regclass`,
        );
        return rows;
      });
    expect(await isValid()).toEqual([{ indisvalid: true }]);
    await asSuperuser(adminUrl, async (client) => {
      await client.query(`delete from _prisma_migrations where migration_name = '29990101000000_index'`);
      await client.query(`update pg_index set indisvalid = false where indexrelid = 'memory_title'::regclass`);
    });
    await expect(run()).resolves.toMatchObject({ applied: ['29990101000000_index'] });
    expect(await isValid()).toEqual([{ indisvalid: true }]);
  });

  it('needs no superuser once the roles are there', async () => {
    await run();
    const { migrator } = testRoleUrls(adminUrl);
    expect(await migrate({ migratorUrl: migrator })).toEqual({ applied: [] });
  });

  it('says what is missing when it is told nothing', async () => {
    await expect(migrate({})).rejects.toThrow('DATABASE_ADMIN_URL');
    await expect(migrate({ adminUrl })).rejects.toThrow('TEMPERA_ROLES_FILE');
  });
});

describe('the roles file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tempera-roles-'));
  const path = join(folder, 'roles.json');
  const adminUrl = 'postgresql://postgres:secret@db.example:5433/tempera';

  afterEach(() => rmSync(path, { force: true }));

  it('is made for its owner alone, with a password of its own for each login', () => {
    const urls = openRolesFile(path, adminUrl);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const passwords = new Set(Object.values(urls).map((url) => new URL(url).password));
    expect(passwords.size).toBe(5);
    expect([...passwords].every((password) => password.length >= 32)).toBe(true);
    expect(new URL(urls.app)).toMatchObject({ username: 'mem_app', host: 'db.example:5433', pathname: '/tempera' });
    expect(readFileSync(path, 'utf8')).not.toContain('secret');
  });

  it('wins once it exists', () => {
    const urls = openRolesFile(path, adminUrl);
    expect(openRolesFile(path, 'postgresql://postgres@elsewhere/other')).toEqual(urls);
  });

  it('is refused by name when it lacks a login', () => {
    writeFileSync(path, JSON.stringify({ app: adminUrl }));
    expect(() => readRolesFile(path)).toThrow(`${path} holds no connection URL for "worker"`);
    expect(existsSync(path)).toBe(true);
  });
});
