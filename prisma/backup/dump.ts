import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Encrypter } from 'age-encryption';
import pg from 'pg';
import { readCatalogue } from './catalogue.js';
import { LEDGER_FILE, readLedger, toLines } from './ledger.js';
import { writeDurably } from './durable-file.js';
import { CATALOGUE_FILE, type Manifest, MANIFEST_FILE } from './manifest.js';
import { startTool } from './pg-tools.js';
import { sumTables } from './table-sums.js';

export interface BackupOptions {
  /** A superuser's, or a login's that may take the role mem_backup. */
  readonly url: string;
  /** A folder that is not there yet, or is empty. */
  readonly folder: string;
  /** age recipients (`age1…`); none: the dump is not encrypted. */
  readonly recipients: readonly string[];
  /** Rows are counted, and not summed. */
  readonly isCountOnly?: boolean;
  readonly log?: (line: string) => void;
}

const DUMP_FILE = 'tempera.dump';

/**
 * Takes a backup: a dump of one moment, what each table held at that moment, and who may do what. The manifest is written last; a folder without
 * it is no backup.
 * @throws Error where anything is missing or ends badly; the folder then has no manifest
 */
export const takeBackup = async (options: BackupOptions): Promise<Manifest> => {
  const { url, folder, log = () => undefined } = options;
  await makeEmptyFolder(folder);
  const client = new pg.Client({ connectionString: url, application_name: 'tempera backup' });
  await client.connect();
  try {
    // One snapshot for the counts and the dump, or a busy instance would never agree with its backup.
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local role mem_backup');
    const snapshot = await valueOf(client, 'select pg_export_snapshot() as value');
    log('counting what there is');
    const tables = await sumTables(client, options.isCountOnly ?? false);
    const catalogue = `${(await readCatalogue(client)).join('\n')}\n`;
    log('dumping');
    const dump = await writeDump(options, snapshot);
    const manifest: Manifest = {
      format: 1,
      takenAt: new Date().toISOString(),
      serverVersion: await valueOf(client, `select current_setting('server_version') as value`),
      migration: await valueOf(client, 'select max(migration_name) as value from _prisma_migrations'),
      dump,
      tables,
      catalogueSha256: createHash('sha256').update(catalogue).digest('hex'),
    };
    await writeDurably(join(folder, CATALOGUE_FILE), catalogue);
    await writeDurably(join(folder, LEDGER_FILE), toLines(await readLedger(client)));
    await writeDurably(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
    return manifest;
  } finally {
    await client.end();
  }
};

const makeEmptyFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty: a backup gets a folder of its own.`);
};

const valueOf = async (client: pg.Client, query: string): Promise<string> => {
  const { rows } = await client.query<{ value: string }>(query);
  return rows[0]?.value ?? '';
};

const writeDump = async ({ url, folder, recipients }: BackupOptions, snapshot: string): Promise<Manifest['dump']> => {
  // Never --enable-row-security: with it a login that policies apply to dumps what it sees and ends well.
  const { child, done } = startTool('pg_dump', ['--format=custom', '--role=mem_backup', `--snapshot=${snapshot}`], url);
  child.stdin?.end();
  const file = join(folder, DUMP_FILE);
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform: (chunk: Buffer, _encoding, next) => {
      hash.update(chunk);
      next(null, chunk);
    },
  });
  const plain = child.stdout;
  if (plain === null) throw new Error('pg_dump has no output.');
  try {
    const out = createWriteStream(`${file}.part`, { mode: 0o600, flush: true });
    await Promise.all([done, pipeline(await encrypted(plain, recipients), hashing, out)]);
    await rename(`${file}.part`, file);
  } catch (error) {
    child.kill();
    await rm(`${file}.part`, { force: true });
    throw error;
  }
  const { size: bytes } = await stat(file);
  return { file: DUMP_FILE, bytes, sha256: hash.digest('hex'), isEncrypted: recipients.length > 0 };
};

const encrypted = async (plain: Readable, recipients: readonly string[]): Promise<Readable> => {
  if (recipients.length === 0) return plain;
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  const stream = await encrypter.encrypt(Readable.toWeb(plain) as ReadableStream<Uint8Array>);
  return Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
};
