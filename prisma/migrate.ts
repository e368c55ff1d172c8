import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { bootstrap } from './bootstrap.js';
import { migrationsDirectory, readMigrations, type MigrationFile } from './migration-files.js';
import { openRolesFile, rolesFromEnvironment, type RoleUrls } from './roles.js';

/** How to reach the database. One of `adminUrl` and `migratorUrl` is needed. */
export interface MigrateOptions {
  /** A superuser's URL: roles and extensions are made first. Wants `roles` or `rolesFile`. */
  readonly adminUrl?: string;
  /** The URL of mem_migrator, where the bootstrap has been done. */
  readonly migratorUrl?: string;
  readonly roles?: RoleUrls;
  /** Path of the roles file; made where it does not exist. */
  readonly rolesFile?: string;
  /** Folder of migrations; default: the project's own. */
  readonly directory?: string;
  readonly log?: (line: string) => void;
}

/** What a run did. */
export interface MigrateResult {
  /** Names of the migrations applied by this run, in order. */
  readonly applied: readonly string[];
  /** The logins' URLs; absent where the bootstrap was done elsewhere. */
  readonly roles?: RoleUrls;
}

interface AppliedRow {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

/** Prisma's own table, so that `prisma migrate deploy` agrees with what this runner did. */
const historyTable = `create table if not exists _prisma_migrations (
  id varchar(36) primary key not null,
  checksum varchar(64) not null,
  finished_at timestamptz,
  migration_name varchar(255) not null,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz not null default now(),
  applied_steps_count integer not null default 0
)`;

/** Two runners at once: the second waits, then finds nothing to do. */
const lockKey = 7_305_041_126;

/** The migrations still to apply. @throws Error when disk and database disagree about the past */
export const pendingMigrations = (files: readonly MigrationFile[], rows: readonly AppliedRow[]): MigrationFile[] => {
  const onDisk = new Map(files.map((file) => [file.name, file]));
  for (const row of rows) {
    const file = onDisk.get(row.migration_name);
    if (!file) throw new Error(`The database is ahead of this code: it has ${row.migration_name}, which is not here.`);
    if (row.finished_at === null) throw new Error(`Migration ${row.migration_name} was started and never finished.`);
    if (row.checksum !== file.checksum) throw new Error(`Migration ${file.name} was changed after it was applied.`);
  }
  const applied = new Set(rows.map((row) => row.migration_name));
  return files.filter((file) => !applied.has(file.name));
};

const applyOnce = async (client: pg.Client, file: MigrationFile): Promise<void> => {
  const startedAt = new Date();
  await client.query('begin');
  try {
    // A migration that waits for a lock makes everyone behind it wait; it gives up after three seconds and comes again.
    await client.query(`set local lock_timeout = '3s'`);
    await client.query(file.sql);
    await note(client, file, startedAt);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
};

/** `create index concurrently` alone in its file, with the index's name: the one statement that no transaction may hold (docs/design.md D4). */
export const indexBuiltAlone = (sql: string): string | undefined =>
  /^(?:\s|--[^\n]*\n)*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?([a-z_][a-z0-9_]*)\s[^;]*;\s*$/i.exec(
    sql,
  )?.[1];

/** What an attempt before left half-built is taken away first, since Postgres keeps it and never finishes it. */
const buildIndex = async (client: pg.Client, file: MigrationFile, index: string): Promise<void> => {
  const startedAt = new Date();
  const { rowCount } = await client.query(
    `select from pg_index where indexrelid = to_regclass($1) and not indisvalid`,
    [`public.${index}`],
  );
  if (rowCount) await client.query(`drop index concurrently public.${client.escapeIdentifier(index)}`);
  await client.query(file.sql);
  await note(client, file, startedAt);
};

const note = (client: pg.Client, { checksum, name }: MigrationFile, startedAt: Date): Promise<unknown> =>
  client.query(
    `insert into _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
     values ($1, $2, clock_timestamp(), $3, $4, 1)`,
    [randomUUID(), checksum, name, startedAt],
  );

const apply = async (client: pg.Client, file: MigrationFile): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const index = indexBuiltAlone(file.sql);
      return await (index === undefined ? applyOnce(client, file) : buildIndex(client, file, index));
    } catch (error) {
      const state: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
      if (state !== '55P03' || attempt === 10) {
        throw new Error(`Migration ${file.name} failed: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
      await wait(1000);
    }
  }
};

const applyPending = async (migratorUrl: string, directory: string, log: (line: string) => void): Promise<string[]> => {
  const client = new pg.Client({ connectionString: migratorUrl });
  await client.connect();
  try {
    await client.query('set role mem_owner');
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    await client.query(`set client_min_messages = 'warning'`);
    await client.query(historyTable);
    const { rows } = await client.query<AppliedRow>(
      'select migration_name, checksum, finished_at from _prisma_migrations where rolled_back_at is null',
    );
    const pending = pendingMigrations(readMigrations(directory), rows);
    for (const file of pending) {
      await apply(client, file);
      log(`applied ${file.name}`);
    }
    if (pending.length === 0) log('nothing to apply');
    return pending.map((file) => file.name);
  } finally {
    // In the embedded database the session outlives the client; neither the lock nor the role may stay in it.
    await client.query('select pg_advisory_unlock_all()').catch(() => undefined);
    await client.query('reset role').catch(() => undefined);
    await client.end();
  }
};

const rolesOf = (options: MigrateOptions, adminUrl: string): RoleUrls => {
  if (options.roles) return options.roles;
  if (options.rolesFile) return openRolesFile(options.rolesFile, adminUrl);
  throw new Error('Set TEMPERA_ROLES_FILE (a file that keeps the logins), or DATABASE_APP_URL and its siblings.');
};

/**
 * Brings a database to the code's state. Each migration is one transaction, but for an index that is built beside the work of others; running
 * it again does nothing.
 * @throws Error when an applied migration was changed, or the database knows one that is not here
 */
export const migrate = async (options: MigrateOptions): Promise<MigrateResult> => {
  const log = options.log ?? (() => undefined);
  const directory = options.directory ?? migrationsDirectory();
  if (options.adminUrl === undefined) {
    if (options.migratorUrl === undefined) throw new Error('Set DATABASE_ADMIN_URL or DATABASE_MIGRATOR_URL.');
    return { applied: await applyPending(options.migratorUrl, directory, log) };
  }
  const roles = rolesOf(options, options.adminUrl);
  await bootstrap(options.adminUrl, roles);
  return { applied: await applyPending(roles.migrator, directory, log), roles };
};

const HELP = `npm run migrate    brings a database to the state of this code; again, it does nothing

  DATABASE_ADMIN_URL       a superuser: logins and extensions are made first; wants TEMPERA_ROLES_FILE, which keeps the
                           logins, or DATABASE_APP_URL and its siblings
  DATABASE_MIGRATOR_URL    the login mem_migrator, where the logins are there already

\`npm start\` does it by itself.`;

const main = async (): Promise<void> => {
  if (process.argv.includes('--help')) return void process.stdout.write(`${HELP}\n`);
  const {
    DATABASE_ADMIN_URL: adminUrl,
    DATABASE_MIGRATOR_URL: migratorUrl,
    TEMPERA_ROLES_FILE: rolesFile,
  } = process.env;
  // The superuser bootstraps the logins; without one that has been done, and only the migrator's URL counts.
  const roles = adminUrl === undefined ? undefined : rolesFromEnvironment(process.env);
  await migrate({
    ...(roles === undefined ? {} : { roles }),
    ...(adminUrl === undefined ? {} : { adminUrl }),
    ...(migratorUrl === undefined ? {} : { migratorUrl }),
    ...(rolesFile === undefined ? {} : { rolesFile }),
    log: (line) => process.stdout.write(`${line}\n`),
  });
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
