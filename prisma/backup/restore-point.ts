import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BASE_FILE, type BaseManifest, decrypted, findBase } from './archive.js';

export interface RestorePointOptions {
  /** The archive's. */
  readonly folder: string;
  readonly identities: readonly string[];
  /** The data folder of the server to come: not there yet, or empty. */
  readonly dataFolder: string;
  /** Where the log is put for the server to read, a folder of its own. */
  readonly walFolder: string;
  /** The moment; absent: as far as the log goes. */
  readonly at?: Date;
}

/**
 * Lays out a server that, when it is started, becomes what it was at a moment: the copy from before it, and the log to play until
 * then. Nothing is started here.
 * @throws Error before anything is written where the archive has no such copy, it is damaged, or no identity opens it
 */
export const restorePoint = async (options: RestorePointOptions): Promise<BaseManifest> => {
  const { folder, identities, dataFolder, walFolder, at } = options;
  const base = await findBase(folder, at ?? new Date());
  if (base.manifest.isEncrypted && identities.length === 0)
    throw new Error('The archive is encrypted: name the file of an identity that opens it.');
  await checkBase(base);
  // Learns of a wrong key before a folder is made.
  (await decrypted(createReadStream(join(base.folder, BASE_FILE)), identities)).destroy();
  for (const made of [dataFolder, walFolder]) await makeEmptyFolder(made);
  await unpack(join(base.folder, BASE_FILE), dataFolder, identities);
  await layOutLog(join(folder, 'wal'), walFolder, identities);
  await writeFile(join(dataFolder, 'recovery.signal'), '', { mode: 0o600 });
  await appendFile(join(dataFolder, 'postgresql.auto.conf'), settingsOf(options));
  return base.manifest;
};

/** Postgres takes no zone by its letter here. */
const postgresTime = (at: Date): string => at.toISOString().replace('T', ' ').replace('Z', '+00');

const settingsOf = ({ walFolder, at }: RestorePointOptions): string =>
  [
    '',
    `restore_command = 'cp "${walFolder}/%f" "%p"'`,
    ...(at === undefined ? [] : [`recovery_target_time = '${postgresTime(at)}'`]),
    `recovery_target_action = 'promote'`,
    '',
  ].join('\n');

const checkBase = async ({ folder, manifest }: Awaited<ReturnType<typeof findBase>>): Promise<void> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, BASE_FILE)), hash);
  if (hash.digest('hex') !== manifest.sha256)
    throw new Error(`The base backup ${folder} is damaged: it is not what its manifest says (cut off, or changed).`);
};

const makeEmptyFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Postgres refuses a folder that others may enter.
  await chmod(folder, 0o700);
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty.`);
};

const unpack = async (file: string, into: string, identities: readonly string[]): Promise<void> => {
  const tar = spawn('tar', ['-x', '-C', into], { stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  tar.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString('utf8')).slice(-1_000)));
  const done = new Promise<void>((resolve, reject) => {
    tar.once('error', reject);
    tar.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`tar ended with ${code}: ${said}`))));
  });
  await Promise.all([pipeline(await decrypted(createReadStream(file), identities), tar.stdin), done]);
};

/** Whole segments under their names; one that was still being written, where there is no whole one, as far as it goes. */
const layOutLog = async (from: string, to: string, identities: readonly string[]): Promise<void> => {
  const names = (await readdir(from)).filter((name) => !name.endsWith('.part'));
  const whole = new Set(names.filter((name) => !name.endsWith('.partial')));
  for (const name of names) {
    const plainName = name.replace(/\.partial$/, '');
    if (plainName !== name && whole.has(plainName)) continue;
    const plain = await decrypted(createReadStream(join(from, name)), identities);
    await pipeline(plain, createWriteStream(join(to, plainName), { mode: 0o600 }));
  }
};
