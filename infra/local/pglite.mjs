// The fallback of a machine without pip: Postgres in WebAssembly, from npm alone. Whoever can open its socket is
// superuser, so the socket lies in a folder only its owner can enter, and never on TCP.
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from './children.mjs';
import { startFailure } from './failures.mjs';
import { accepts } from './ports.mjs';
import { waitUntil } from './wait-until.mjs';

const SERVER = join(dirname(fileURLToPath(import.meta.url)), 'pglite-server.mjs');
const SOCKET_NAME = '.s.PGSQL.5432';
// sun_path holds 104 bytes on macOS and 108 on Linux, with the closing zero.
const SOCKET_PATH_BYTES = 103;

const socketFolder = (wanted) => {
  if (Buffer.byteLength(join(wanted, SOCKET_NAME)) <= SOCKET_PATH_BYTES) {
    mkdirSync(wanted, { recursive: true, mode: 0o700 });
    chmodSync(wanted, 0o700);
    return { folder: wanted };
  }
  const folder = mkdtempSync(join(tmpdir(), 'tempera-'));
  return { folder, made: folder };
};

/** The connection URL of a server on a Unix socket, as node-postgres reads it. */
export const socketUrl = (folder) => `postgresql://postgres@localhost:5432/postgres?host=${encodeURIComponent(folder)}`;

/**
 * Starts PGlite on `data`, with pgvector and pg_trgm. node_modules must be there.
 * @param {{data: string, sockets: string, logFile: string, pidFile: string}} options
 * @returns {Promise<{adminUrl: string, child: object}>}
 */
export const startPglite = async ({ data, sockets, logFile, pidFile }) => {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const { folder, made } = socketFolder(sockets);
  const path = join(folder, SOCKET_NAME);
  const child = await startChild({
    name: 'PGlite',
    command: process.execPath,
    args: [SERVER, data, path],
    logFile,
    pidFile,
    stopSignals: ['SIGTERM'],
    remove: made ? [made] : [],
  });
  const ready = await waitUntil(() => accepts({ path }), { timeoutMs: 60_000, whileAlive: child.isAlive });
  if (!ready) {
    await child.stop();
    throw startFailure(child);
  }
  return { adminUrl: socketUrl(folder), child };
};
