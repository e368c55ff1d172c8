import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Decrypter } from 'age-encryption';
import pg from 'pg';
import { bootstrap } from '../bootstrap.js';
import type { RoleUrls } from '../roles.js';
import { readCatalogue } from './catalogue.js';
import { CATALOGUE_FILE, type Manifest, readManifest } from './manifest.js';
import type { LedgerEntry } from './ledger.js';
import { startTool } from './pg-tools.js';
import { type Replayed, replayLedger } from './replay.js';
import { differingTables, sumTables } from './table-sums.js';

export interface RestoreOptions {
  readonly folder: string;
  /** A superuser's, of an empty database. */
  readonly adminUrl: string;
  /** The logins that the instance will use; they get the passwords of these URLs. */
  readonly roles: RoleUrls;
  /** age identities (`AGE-SECRET-KEY-…`), for a dump that is encrypted. */
  readonly identities: readonly string[];
  /** Who was erased since, as `npm run erasures` and later backups wrote it: they are erased again. */
  readonly ledger?: readonly LedgerEntry[];
  readonly log?: (line: string) => void;
}

export interface Restored extends Manifest {
  readonly erasedAgain: Replayed;
}

/**
 * Restores a backup into an empty database, and proves that it is what was backed up: each table's rows, and everything that decides who may do what.
 * Then it erases again whom the ledger says.
 * @throws Error before anything is written where the backup is damaged, locked or the database is not empty; afterwards where
 *   what was restored is not what was backed up
 */
export const restoreBackup = async (options: RestoreOptions): Promise<Restored> => {
  const { folder, adminUrl, roles, ledger = [], log = () => undefined } = options;
  const manifest = await readManifest(folder);
  await checkFiles(folder, manifest);
  await requireKey(options, manifest);
  await requireEmpty(adminUrl);
  log('making roles');
  await bootstrap(adminUrl, roles);
  log(`restoring ${manifest.dump.bytes.toLocaleString('en')} bytes`);
  await loadDump(options, manifest);
  log('gathering statistics');
  // A dump holds none, and plans made without them are slow until autovacuum comes by.
  await withClient(adminUrl, (client) => client.query('analyze'));
  log('comparing with what was backed up');
  await compare(options, manifest);
  if (ledger.length > 0) log('erasing again who was erased since');
  return { ...manifest, erasedAgain: await replayLedger(adminUrl, ledger, log) };
};

const sha256Of = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
};

const checkFiles = async (folder: string, { dump, catalogueSha256 }: Manifest): Promise<void> => {
  for (const [file, wanted] of [
    [dump.file, dump.sha256],
    [CATALOGUE_FILE, catalogueSha256],
  ] as const) {
    const found = await sha256Of(join(folder, file)).catch((cause: unknown) => {
      throw new Error(`The backup is damaged: ${file} cannot be read.`, { cause });
    });
    if (found !== wanted)
      throw new Error(`The backup is damaged: ${file} is not what its manifest says (cut off, or changed).`);
  }
};

const decrypterOf = (identities: readonly string[]): Decrypter => {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  return decrypter;
};

const plainDump = async ({ folder, identities }: RestoreOptions, { dump }: Manifest): Promise<Readable> => {
  const file = createReadStream(join(folder, dump.file));
  if (!dump.isEncrypted) return file;
  const web = Readable.toWeb(file) as ReadableStream<Uint8Array>;
  return Readable.fromWeb((await decrypterOf(identities).decrypt(web)) as Parameters<typeof Readable.fromWeb>[0]);
};

/** Learns of a wrong key before the database is touched. */
const requireKey = async (options: RestoreOptions, manifest: Manifest): Promise<void> => {
  if (!manifest.dump.isEncrypted) return;
  if (options.identities.length === 0)
    throw new Error('The backup is encrypted: name the file of an identity that opens it.');
  try {
    (await plainDump(options, manifest)).destroy();
  } catch (cause) {
    throw new Error('None of the identities opens this backup.', { cause });
  }
};

const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, application_name: 'tempera restore' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const requireEmpty = (adminUrl: string): Promise<void> =>
  withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ tables: number }>(
      `select count(*)::int as tables from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    );
    if (rows[0]?.tables !== 0)
      throw new Error('The database is not empty. Restore into a new one, and change over when it is sound.');
  });

const loadDump = async (options: RestoreOptions, manifest: Manifest): Promise<void> => {
  const { child, done } = startTool(
    'pg_restore',
    [
      '--exit-on-error',
      '--single-transaction',
      '--dbname',
      decodeURIComponent(new URL(options.adminUrl).pathname.slice(1)),
    ],
    options.adminUrl,
  );
  if (child.stdin === null) throw new Error('pg_restore has no input.');
  child.stdout?.resume();
  // What it says of a broken input is worth more than that it stopped reading.
  const [ended, written] = await Promise.allSettled([done, pipeline(await plainDump(options, manifest), child.stdin)]);
  if (ended.status === 'rejected') throw ended.reason;
  if (written.status === 'rejected') throw written.reason;
};

const compare = ({ folder, adminUrl }: RestoreOptions, manifest: Manifest): Promise<void> =>
  withClient(adminUrl, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const isCountOnly = Object.values(manifest.tables).every(({ sum }) => sum === null);
    const tables = differingTables(manifest.tables, await sumTables(client, isCountOnly));
    const wanted = new Set(
      (await readFile(join(folder, CATALOGUE_FILE), 'utf8')).split('\n').filter((line) => line !== ''),
    );
    const found = await readCatalogue(client);
    const missing = [...wanted].filter((line) => !found.includes(line)).map((line) => `missing: ${line}`);
    const added = found.filter((line) => !wanted.has(line)).map((line) => `not in the backup: ${line}`);
    const wrong = [...tables, ...missing, ...added];
    if (wrong.length > 0) {
      const shown = wrong
        .slice(0, 10)
        .map((line) => `\n  ${line.slice(0, 300)}`)
        .join('');
      throw new Error(`What was restored is not what was backed up (${wrong.length} differences):${shown}`);
    }
  });
