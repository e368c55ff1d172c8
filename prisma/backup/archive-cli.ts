import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { takeBase } from './archive.js';
import { archiveWal } from './archive-wal.js';
import { readKeyFile } from './key-file.js';
import { restorePoint } from './restore-point.js';

const HELP = `npm run archive -- base    --to FOLDER [--recipients FILE]
npm run archive -- wal     --to FOLDER [--recipients FILE]
npm run archive -- restore --from FOLDER --data FOLDER --wal FOLDER [--at TIME] [--identity FILE]

Any moment of a Postgres of your own. base copies the whole server, once a week; wal follows its log and keeps it, all the time; restore
lays out a server that becomes what it was at TIME (2026-12-01T09:30:00Z) when you start it on the data folder. DATABASE_ARCHIVE_URL or
DATABASE_ADMIN_URL names a superuser, or a login with the right to replicate. Needs Postgres's own programs of the server's version, on PATH or
in PG_BIN_DIR.

--recipients  a file of age recipients (age1…): copies and log are encrypted for them. --identity: of one that opens them
--data        the new server's data folder; give it to the server's user afterwards, with the folder of --wal`;

/** What is not put away by then is lost with this program's disk (docs/design.md D3). */
const EVERY_MS = 10_000;

const parsed = () =>
  parseArgs({
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      from: { type: 'string' },
      data: { type: 'string' },
      wal: { type: 'string' },
      at: { type: 'string' },
      recipients: { type: 'string' },
      identity: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });

type Values = ReturnType<typeof parsed>['values'];

const named = (values: Values, name: 'to' | 'from' | 'data' | 'wal'): string => {
  const value = values[name];
  if (value === undefined) throw new Error(`Name a folder with --${name}.\n\n${HELP}`);
  return resolve(value);
};

const serverUrl = (): string => {
  const url = process.env['DATABASE_ARCHIVE_URL'] ?? process.env['DATABASE_ADMIN_URL'];
  if (url === undefined) throw new Error('Set DATABASE_ARCHIVE_URL or DATABASE_ADMIN_URL.');
  return url;
};

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const momentOf = (text: string): Date => {
  const at = new Date(text);
  // Without a zone it would be this machine's, which is seldom what was meant.
  if (Number.isNaN(at.getTime()) || !/(Z|[+-]\d\d:?\d\d)$/.test(text))
    throw new Error('--at is a moment with its zone, such as 2026-12-01T09:30:00Z.');
  return at;
};

const base = async (values: Values): Promise<void> => {
  const archive = { folder: named(values, 'to'), recipients: await readKeyFile(values.recipients) };
  say(await takeBase(archive, serverUrl()));
};

const wal = async (values: Values): Promise<void> => {
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  const archive = { folder: named(values, 'to'), recipients: await readKeyFile(values.recipients) };
  const onKept = (segments: number): void => say(`${segments} segments kept`);
  await archiveWal({ ...archive, url: serverUrl(), everyMs: EVERY_MS, onKept }, stop.signal);
};

const restore = async (values: Values): Promise<void> => {
  const [folder, dataFolder, walFolder] = [named(values, 'from'), named(values, 'data'), named(values, 'wal')];
  const at = values.at === undefined ? {} : { at: momentOf(values.at) };
  const identities = await readKeyFile(values.identity);
  const { finishedAt, serverVersion } = await restorePoint({ folder, identities, dataFolder, walFolder, ...at });
  say(`${dataFolder}: the server of ${finishedAt}, and its log. Start Postgres ${serverVersion} on it.`);
};

const COMMANDS: Readonly<Record<string, (values: Values) => Promise<void>>> = { base, wal, restore };

const main = async (): Promise<void> => {
  const { values, positionals } = parsed();
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  const command = COMMANDS[positionals[0] ?? ''];
  if (command === undefined) throw new Error(`Say what to do: base, wal or restore.\n\n${HELP}`);
  await command(values);
};

await main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
