import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createDoors, type Doors } from '@tempera/platform';
import type { RoleUrls } from '../../prisma/roles.js';
import { asSuperuser, ensureTemplate, inDatabase, testAdminUrl, testRoleUrls } from './cluster.js';

/** A database of a suite's own, cloned from the migrated template. */
export interface TestDatabase {
  readonly name: string;
  /** The superuser's URL of this database: to arrange what no door may do. */
  readonly adminUrl: string;
  /** A URL for each login, password included. */
  readonly urls: RoleUrls;
  /** All doors, over pools of `poolSize`. */
  readonly doors: Doors;
  /** Closes the doors and drops the database. */
  readonly close: () => Promise<void>;
}

/** Pool size of the doors in tests: more than one, or concurrency would prove nothing. */
export const testPoolSize = 5;

/** Cloning needs a template nobody is connected to; another clone in progress counts. */
const clone = async (adminUrl: string, template: string, name: string): Promise<void> =>
  asSuperuser(adminUrl, async (client) => {
    await client.query('select pg_advisory_lock(5117220312)');
    await client.query(`create database ${name} template ${template}`);
    // A clone takes the tables with it, but not what is granted on the database itself.
    await client.query(`revoke all on database ${name} from public`);
    await client.query(
      `grant connect on database ${name} to mem_migrator, mem_app, mem_worker, mem_text, mem_operator, mem_backup`,
    );
    await client.query(`grant create, temporary on database ${name} to mem_owner`);
  });

/** A suite that passes as superuser or on one connection does not count, so each says what it ran as; benches keep stdout. */
const announce = async (doors: Doors, appUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: appUrl });
  await client.connect();
  const { rows } = await client.query<{ user: string; version: string }>(
    `select current_user as user, current_setting('server_version') as version`,
  );
  await client.end();
  await doors.selfCheck();
  process.stderr.write(
    `database: Postgres ${rows[0]?.version ?? '?'}, current_user ${rows[0]?.user ?? '?'}, pool size ${testPoolSize}\n`,
  );
};

/** A pool says it is closed a moment before the server has noticed; Postgres itself waits five seconds for that. */
const dropDatabase = (admin: string, name: string): Promise<unknown> =>
  asSuperuser(admin, (client) =>
    client
      .query(`drop database if exists ${name}`)
      .catch(() => client.query(`drop database if exists ${name} with (force)`)),
  );

let announced = false;

/**
 * Opens a database of one's own; close it in `afterAll`.
 * @param from a database to clone instead of the empty template; nobody may be connected to it
 */
export const openTestDatabase = async (from?: string): Promise<TestDatabase> => {
  const admin = testAdminUrl();
  const template = from ?? (await ensureTemplate(admin));
  const name = `tempera_test_${randomBytes(6).toString('hex')}`;
  await clone(admin, template, name);
  const adminUrl = inDatabase(admin, name);
  const urls = testRoleUrls(adminUrl);
  const doors = createDoors({
    appUrl: urls.app,
    workerUrl: urls.worker,
    textUrl: urls.text,
    operatorUrl: urls.operator,
    poolSize: testPoolSize,
  });
  if (!announced) await announce(doors, urls.app);
  announced = true;
  const close = async (): Promise<void> => {
    await doors.close();
    await dropDatabase(admin, name);
  };
  return { name, adminUrl, urls, doors, close };
};

/** As an operator would for a load test: what is measured or attacked shall not stop at a quota meant for people. */
export const liftLimits = ({ adminUrl }: Pick<TestDatabase, 'adminUrl'>): Promise<unknown> =>
  asSuperuser(adminUrl, (client) =>
    client.query(`update quota_default set memories = 1000000000, embeddings_per_day = 1000000000,
      bytes = 1000000000000000, user_points_per_minute = 1000000000, tenant_points_per_minute = 1000000000`),
  );

/** Runs `work` with a database of its own, and drops it whatever happens. */
export const withDatabase = async <T>(work: (database: TestDatabase) => Promise<T>): Promise<T> => {
  const database = await openTestDatabase();
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};
