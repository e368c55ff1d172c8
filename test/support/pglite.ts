import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { createDoors, type Doors } from '@tempera/platform';
import { migrate } from '../../prisma/migrate.js';
import type { RoleUrls } from '../../prisma/roles.js';
import { testPoolSize } from './database.js';
import { testRoleUrls } from './cluster.js';

/** The embedded database, migrated, behind a Unix socket that nobody else can reach. */
export interface EmbeddedDatabase {
  readonly adminUrl: string;
  readonly urls: RoleUrls;
  readonly doors: Doors;
  readonly embedded: true;
  readonly close: () => Promise<void>;
}

/** Starts PGlite in memory, in this process, and runs the migrations on it through its socket. */
export const openEmbeddedDatabase = async (): Promise<EmbeddedDatabase> => {
  // mkdtemp makes the folder for its owner alone: whoever reaches this socket is superuser.
  const folder = mkdtempSync(join(tmpdir(), 'tempera-pglite-'));
  const db = await PGlite.create({ extensions: { vector, pg_trgm } });
  const server = new PGLiteSocketServer({ db, path: join(folder, '.s.PGSQL.5432'), maxConnections: 20 });
  await server.start();
  const adminUrl = `postgresql://postgres@localhost:5432/postgres?host=${encodeURIComponent(folder)}`;
  const urls = testRoleUrls(adminUrl);
  await migrate({ adminUrl, roles: urls });
  const doors = createDoors({
    appUrl: urls.app,
    workerUrl: urls.worker,
    textUrl: urls.text,
    operatorUrl: urls.operator,
    poolSize: testPoolSize,
    allowSuperuserLogin: true,
  });
  await doors.selfCheck();
  const close = async (): Promise<void> => {
    await doors.close();
    await server.stop();
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { adminUrl, urls, doors, embedded: true, close };
};
