import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A program of Postgres that is running. */
export interface Tool {
  readonly child: ChildProcess;
  /** Settles when it has ended. Rejects with what it wrote to stderr when it did not end well. */
  readonly done: Promise<void>;
}

/**
 * Starts `pg_dump`, `pg_restore` or another program of Postgres against a database. Where the database is and its password go by the
 * environment, never by arguments, which every user of the machine can read.
 * @param url `postgresql://user:password@host:port/database`
 * @throws Error where the program is not to be found in PG_BIN_DIR or on PATH
 */
export const startTool = (name: string, args: readonly string[], url: string): Tool => {
  const folder = process.env['PG_BIN_DIR'];
  const program = folder === undefined ? name : join(folder, name);
  if (folder !== undefined && !existsSync(program)) throw new Error(`PG_BIN_DIR has no ${name}: ${folder}`);
  const child = spawn(program, args, {
    env: { ...process.env, ...environmentOf(url, folder) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString('utf8')).slice(-4_000)));
  const done = new Promise<void>((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new Error(`${name} cannot be run: set PG_BIN_DIR or PATH to where it is.`, { cause })),
    );
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${name} ended with ${String(code ?? signal)}: ${said.trim() || 'it said nothing'}`));
    });
  });
  return { child, done };
};

const environmentOf = (url: string, folder: string | undefined): Record<string, string> => {
  const { hostname, port, pathname, username, password, searchParams } = new URL(url);
  return {
    PGHOST: searchParams.get('host') ?? (hostname || 'localhost'),
    PGPORT: port || '5432',
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    ...(searchParams.has('sslmode') ? { PGSSLMODE: searchParams.get('sslmode') ?? '' } : {}),
    ...(searchParams.has('sslrootcert') ? { PGSSLROOTCERT: searchParams.get('sslrootcert') ?? '' } : {}),
    PGAPPNAME: 'tempera backup',
    // Programs that were unpacked have their libraries beside them.
    ...(folder === undefined ? {} : { LD_LIBRARY_PATH: join(folder, '..', 'lib') }),
  };
};
