import { createHash } from 'node:crypto';
import pg from 'pg';
import { migrationsDirectory, readMigrations } from '../../prisma/migration-files.js';
import { setPasswords } from '../../prisma/bootstrap.js';
import { migrate } from '../../prisma/migrate.js';
import { roleUrlsFor, type RoleUrls } from '../../prisma/roles.js';

/** A throwaway Postgres that tests may make databases and roles in. */
export const testAdminUrl = (): string => {
  const url = process.env['TEST_ADMIN_URL'];
  if (url === undefined) {
    throw new Error('Set TEST_ADMIN_URL to a superuser of a throwaway Postgres with pgvector, or run npm test.');
  }
  return url;
};

/** `url` with another database. */
export const inDatabase = (url: string, database: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
};

/** Runs statements as the superuser: only to arrange what no door may do, never to observe what a door shows. */
export const asSuperuser = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** Roles belong to the cluster, so every suite must give them the same passwords: derived, not random. */
export const testRoleUrls = (databaseUrl: string): RoleUrls =>
  roleUrlsFor(databaseUrl, (role) => createHash('sha256').update(`test ${role}`).digest('base64url'));

const checksum = (): string => {
  const hash = createHash('sha256');
  for (const file of readMigrations(migrationsDirectory())) hash.update(file.name).update(file.checksum);
  return hash.digest('hex').slice(0, 12);
};

/** Any number; what counts is that every process locks the same one. */
const templateLock = 5_117_220_311;

/**
 * The migrated template of this cluster, made by whoever comes first. Its name carries the checksum of the migrations, so
 * a changed migration makes a new one.
 */
export const ensureTemplate = async (adminUrl: string): Promise<string> => {
  const name = `tempera_template_${checksum()}`;
  await asSuperuser(adminUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [templateLock]);
    const known = await client.query('select from pg_database where datname = $1 and datistemplate', [name]);
    if (known.rowCount !== 0) {
      // Another instance on this cluster may have given the roles its own passwords meanwhile.
      await setPasswords(client, testRoleUrls(adminUrl));
      return;
    }
    await client.query(`drop database if exists ${name}`);
    await client.query(`create database ${name} template template0`);
    const url = inDatabase(adminUrl, name);
    await migrate({ adminUrl: url, roles: testRoleUrls(url) });
    await client.query(`alter database ${name} with is_template true`);
  });
  return name;
};
