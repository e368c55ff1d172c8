import { open, rename } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { joined, readLedger, readLedgerFile, toLines } from './ledger.js';
import { replayLedger } from './replay.js';

const HELP = `npm run erasures -- --out FILE [--json]
npm run erasures -- --replay FILE [--json]

Keeps the ledger of erasures outside the database: who was to be erased, by ids, so that a restore from before can erase them again.
DATABASE_BACKUP_URL or DATABASE_ADMIN_URL names a superuser, or for --out a login that may take the role mem_backup.

--out     a file; what it holds already stays in it, so the same file can be kept up for ever, across restores
--replay  erases again what the file says, in a database that was restored without \`--ledger\`. Needs a superuser`;

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      replay: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  const url = process.env['DATABASE_BACKUP_URL'] ?? process.env['DATABASE_ADMIN_URL'];
  if (url === undefined) throw new Error('Set DATABASE_BACKUP_URL or DATABASE_ADMIN_URL.');
  if ((values.out === undefined) === (values.replay === undefined))
    throw new Error(`Say one of --out and --replay.\n\n${HELP}`);
  if (values.out !== undefined) {
    const entries = await writeLedger(url, values.out);
    say(values.json, { file: values.out, entries }, `${values.out}: ${entries} erasures`);
  } else if (values.replay !== undefined) {
    const done = await replayLedger(url, joined([await readLedgerFile(values.replay)]), (line) =>
      process.stderr.write(`${line}\n`),
    );
    const told = `erased again: ${done.users} people, ${done.tenants} tenants; nothing to do for ${done.nothingToDo}`;
    say(values.json, done, told);
  }
};

const say = (isJson: boolean, value: object, told: string): void =>
  void process.stdout.write(`${isJson ? JSON.stringify(value) : told}\n`);

/** Writes beside and renames: a ledger is whole, or as it was. @returns how many entries it has */
const writeLedger = async (url: string, file: string): Promise<number> => {
  const kept = await readLedgerFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const client = new pg.Client({ connectionString: url, application_name: 'tempera erasures' });
  await client.connect();
  try {
    await client.query('begin read only');
    await client.query('set local role mem_backup');
    const entries = joined([kept, await readLedger(client)]);
    const handle = await open(`${file}.part`, 'w', 0o600);
    await handle.writeFile(toLines(entries));
    await handle.sync();
    await handle.close();
    await rename(`${file}.part`, file);
    return entries.length;
  } finally {
    await client.end();
  }
};

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
