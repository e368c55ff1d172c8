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
