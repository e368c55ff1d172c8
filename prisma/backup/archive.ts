import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Decrypter, Encrypter } from 'age-encryption';
import pg from 'pg';
import { writeDurably } from './durable-file.js';
import { startTool } from './pg-tools.js';

/** A copy of a whole server at rest, beside which its log is kept: from both, any later moment can be had again. */
export interface BaseManifest {
  readonly format: 1;
  readonly startedAt: string;
  /** From this moment on a point in time can be restored with it. */
  readonly finishedAt: string;
  readonly serverVersion: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly isEncrypted: boolean;
}

/** Where a server's copies and its log lie: `base-…/` folders and `wal/`. */
export interface Archive {
  readonly folder: string;
  /** age recipients (`age1…`); none: nothing is encrypted. */
  readonly recipients: readonly string[];
}

export const BASE_FILE = 'base.tar';
export const BASE_MANIFEST = 'manifest.json';

/**
 * Copies the whole server: every database of it, its roles and their passwords too.
 * @param url a superuser's, or a login's with the right to replicate
 * @returns the copy's folder, whose manifest is written last
 */
export const takeBase = async (archive: Archive, url: string): Promise<string> => {
  const startedAt = new Date();
  const folder = join(archive.folder, `base-${startedAt.toISOString().replace(/\W/g, '')}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const options = ['--pgdata=-', '--format=tar', '--wal-method=fetch', '--checkpoint=fast'];
  const { child, done } = startTool('pg_basebackup', options, url);
  child.stdin?.end();
  const plain = child.stdout;
  if (plain === null) throw new Error('pg_basebackup has no output.');
  const kept = keep(plain, join(folder, BASE_FILE), archive.recipients);
  const [sha256] = await Promise.all([kept, done]).catch((error: unknown) => {
    child.kill();
    throw error;
  });
  const manifest: BaseManifest = {
    format: 1,
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    serverVersion: await versionOf(url),
    bytes: (await stat(join(folder, BASE_FILE))).size,
    sha256,
    isEncrypted: archive.recipients.length > 0,
  };
  await writeDurably(join(folder, BASE_MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  return folder;
};

/** Writes a stream, encrypted for the recipients, under another name until it is whole and flushed. @returns its SHA-256 in hex */
export const keep = async (plain: Readable, file: string, recipients: readonly string[]): Promise<string> => {
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform: (chunk: Buffer, _encoding, next) => {
      hash.update(chunk);
      next(null, chunk);
    },
  });
  const out = createWriteStream(`${file}.part`, { mode: 0o600, flush: true });
  await pipeline(await encrypted(plain, recipients), hashing, out);
  await rename(`${file}.part`, file);
  return hash.digest('hex');
};

const encrypted = async (plain: Readable, recipients: readonly string[]): Promise<Readable> => {
  if (recipients.length === 0) return plain;
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  const stream = await encrypter.encrypt(Readable.toWeb(plain) as ReadableStream<Uint8Array>);
  return Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
};

/** @throws Error where none of the identities opens it */
export const decrypted = async (kept: Readable, identities: readonly string[]): Promise<Readable> => {
  if (identities.length === 0) return kept;
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  try {
    const stream = await decrypter.decrypt(Readable.toWeb(kept) as ReadableStream<Uint8Array>);
    return Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
  } catch (cause) {
    throw new Error('None of the identities opens this archive.', { cause });
  }
};

/** The latest whole copy that was finished by then. @throws Error where there is none */
export const findBase = async (folder: string, at: Date): Promise<{ folder: string; manifest: BaseManifest }> => {
  const names = (await readdir(folder)).filter((name) => name.startsWith('base-')).sort();
  for (const name of names.reverse()) {
    const text = await readFile(join(folder, name, BASE_MANIFEST), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const manifest = JSON.parse(text) as BaseManifest;
    if (new Date(manifest.finishedAt) <= at) return { folder: join(folder, name), manifest };
  }
  throw new Error(`${folder} has no base backup that was finished by ${at.toISOString()}.`);
};

const versionOf = async (url: string): Promise<string> => {
  const client = new pg.Client({ connectionString: url, application_name: 'tempera backup' });
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`);
    return rows[0]?.version ?? '';
  } finally {
    await client.end();
  }
};
