#!/usr/bin/env node
// The PGlite process: pglite-server.mjs <data folder> <socket path>
import { rmSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

const CONNECTIONS = 64;

const [data, path] = process.argv.slice(2);
const db = await PGlite.create(data, { extensions: { vector, pg_trgm } });
// What a server that was killed left in the way.
rmSync(path, { force: true });
process.umask(0o177);
const server = new PGLiteSocketServer({ db, path, maxConnections: CONNECTIONS });
await server.start();

const stop = async () => {
  await server.stop();
  await db.close();
  process.exit(0);
};
process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());
