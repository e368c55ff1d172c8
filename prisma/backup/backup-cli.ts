import { parseArgs } from 'node:util';
import { takeBackup } from './dump.js';
import { readKeyFile } from './key-file.js';
import type { Manifest } from './manifest.js';
import { newestIn, type Rotation, takeInto } from './rotation.js';

const HELP = `npm run backup -- --out FOLDER [--recipients FILE] [--count-only] [--json]
npm run backup -- --into FOLDER [--keep COUNT] [--every HOURS] …    on a schedule: each in a folder of its own, named by its moment
npm run backup -- --into FOLDER --within HOURS                      fails where the newest whole one is older; takes none

Takes a backup of the whole database: a dump of one moment, with what each table held then and who may do what, so that a restore can be
proved. DATABASE_BACKUP_URL or DATABASE_ADMIN_URL names a superuser, or a login that may take the role mem_backup. Needs pg_dump of the
server's version or later, on PATH or in PG_BIN_DIR.

--out         a folder that is not there yet, or is empty
--into        a folder that is there
--keep        how many whole backups stay in it, 14 if not said; older ones go, once a new one is whole
--every       stays, and takes one whenever the newest is so old, for hosts without a scheduler of their own; one that failed is tried
              again an hour later
--recipients  a file of age recipients (age1…), a line each: the dump is encrypted for them. Keep their identities elsewhere
--count-only  counts rows and does not sum them: one reading less of a large database`;

const HOUR_MS = 3_600_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (error: unknown): void =>
  void process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);

const readOptions = () =>
  parseArgs({
    options: {
      out: { type: 'string' },
      into: { type: 'string' },
      keep: { type: 'string' },
      every: { type: 'string' },
      within: { type: 'string' },
      recipients: { type: 'string' },
      'count-only': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }).values;

type Options = ReturnType<typeof readOptions>;

const readCount = (name: 'keep' | 'every' | 'within', text: string, most: number): number => {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  throw new Error(`--${name} takes a whole number from 1 to ${most}.`);
};

const backupOptions = async (values: Options): Promise<Omit<Rotation, 'into' | 'keep'>> => {
  const url = process.env['DATABASE_BACKUP_URL'] ?? process.env['DATABASE_ADMIN_URL'];
  if (url === undefined) throw new Error('Set DATABASE_BACKUP_URL or DATABASE_ADMIN_URL.');
  const recipients = await readKeyFile(values.recipients);
  const log = (line: string): void => void process.stderr.write(`${line} …\n`);
  return { url, recipients, isCountOnly: values['count-only'], log };
};

const tell = (folder: string, { dump, tables }: Manifest, seconds: number, isJson: boolean): void => {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  const { bytes, isEncrypted } = dump;
  if (isJson) return say(JSON.stringify({ folder, rows, bytes, isEncrypted, seconds }));
  const size = `${rows.toLocaleString('en')} rows, ${bytes.toLocaleString('en')} bytes`;
  say(`${folder}: ${size}${isEncrypted ? ', encrypted' : ''}, in ${seconds.toFixed(1)} s`);
};

const takeOne = async (rotation: Rotation, isJson: boolean): Promise<void> => {
  const began = performance.now();
  const { folder, manifest, removed } = await takeInto(rotation, new Date());
  tell(folder, manifest, (performance.now() - began) / 1_000, isJson);
  for (const name of removed) process.stderr.write(`${name} is gone: ${rotation.keep} newer ones are kept\n`);
};

/** @throws Error where the newest whole backup is older than that, or there is none */
const mustBeWithin = async (into: string, hours: number): Promise<void> => {
  const newest = await newestIn(into);
  if (newest === null) throw new Error(`${into} has no whole backup.`);
  const age = (Date.now() - newest.getTime()) / HOUR_MS;
  if (age > hours) throw new Error(`The newest whole backup in ${into} is ${age.toFixed(1)} hours old.`);
  say(`The newest whole backup is ${age.toFixed(1)} hours old.`);
};

/** Stays until it is told to end. Started again it takes none before its time. */
const stay = async (rotation: Rotation, everyMs: number, isJson: boolean): Promise<never> => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
  for (;;) {
    const newest = await newestIn(rotation.into);
    const dueAt = newest === null ? Date.now() : newest.getTime() + everyMs;
    if (dueAt > Date.now()) {
      process.stderr.write(`the next backup is due at ${new Date(dueAt).toISOString()}\n`);
      await pause(dueAt - Date.now());
    } else if (!(await takeOrComplain(rotation, isJson))) await pause(HOUR_MS);
  }
};

const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));

/** @returns whether one was taken */
const takeOrComplain = (rotation: Rotation, isJson: boolean): Promise<boolean> =>
  takeOne(rotation, isJson).then(
    () => true,
    (error: unknown) => {
      complain(error);
      return false;
    },
  );

const rotate = async (into: string, values: Options): Promise<void> => {
  if (values.within !== undefined) return mustBeWithin(into, readCount('within', values.within, 8_760));
  const keep = readCount('keep', values.keep ?? '14', 3_650);
  const every = values.every === undefined ? null : readCount('every', values.every, 168);
  const rotation = { ...(await backupOptions(values)), into, keep };
  return every === null ? takeOne(rotation, values.json) : stay(rotation, every * HOUR_MS, values.json);
};

const main = async (): Promise<void> => {
  const values = readOptions();
  const { out, into } = values;
  if (values.help) return say(HELP);
  if (into !== undefined && out === undefined) return rotate(into, values);
  if (out === undefined || into !== undefined) throw new Error(`Name a folder with --out or --into.\n\n${HELP}`);
  const alone = (['keep', 'every', 'within'] as const).find((name) => values[name] !== undefined);
  if (alone !== undefined) throw new Error(`--${alone} goes with --into.`);
  const began = performance.now();
  const manifest = await takeBackup({ ...(await backupOptions(values)), folder: out });
  tell(out, manifest, (performance.now() - began) / 1_000, values.json);
};

await main().catch((error: unknown) => {
  complain(error);
  process.exitCode = 1;
});
