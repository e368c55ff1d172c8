import { parseArgs } from 'node:util';
import { openRolesFile, rolesFromEnvironment } from '../roles.js';
import { readKeyFile } from './key-file.js';
import { joined, readLedgerFile } from './ledger.js';
import type { Replayed } from './replay.js';
import { restoreBackup } from './restore.js';

const HELP = `npm run restore -- FOLDER [--identity FILE] [--ledger FILE …] [--json]

Restores a backup of \`npm run backup\` into an empty database and proves it: the rows of each table, policies, grants, functions, constraints.
DATABASE_ADMIN_URL names a superuser of that database; the logins' passwords are taken from the DATABASE_…_URL variables or from
TEMPERA_ROLES_FILE, as the migrate job takes them. Needs pg_restore on PATH or in PG_BIN_DIR.

--identity  a file of age identities (AGE-SECRET-KEY-…), for a dump that is encrypted
--ledger    who was erased since, and is erased again: the file of \`npm run erasures\`, or erasures.jsonl of a later backup. More than one
            can be named`;

const toldOf = (ledgers: number, { users, tenants, nothingToDo }: Replayed): string =>
  ledgers === 0
    ? 'No ledger was named: whoever was erased after this backup is back. `npm run erasures -- --replay FILE` erases them again.'
    : `erased again: ${users} people, ${tenants} tenants; nothing to do for ${nothingToDo} more of the ledger`;

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      identity: { type: 'string' },
      ledger: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  const [folder] = positionals;
  if (folder === undefined) throw new Error(`Name the folder of a backup.\n\n${HELP}`);
  const adminUrl = process.env['DATABASE_ADMIN_URL'];
  if (adminUrl === undefined) throw new Error('Set DATABASE_ADMIN_URL to a superuser of an empty database.');
  const rolesFile = process.env['TEMPERA_ROLES_FILE'];
  const roles = rolesFile === undefined ? rolesFromEnvironment(process.env) : openRolesFile(rolesFile, adminUrl);
  if (roles === undefined) throw new Error('Set the DATABASE_…_URL variables of the logins, or TEMPERA_ROLES_FILE.');
  const began = performance.now();
  const identities = await readKeyFile(values.identity);
  const log = (line: string): void => void process.stderr.write(`${line} …\n`);
  // Read first: a ledger that cannot be read must not be learned of after an hour.
  const ledger = joined(await Promise.all(values.ledger.map(readLedgerFile)));
  const manifest = await restoreBackup({ folder, adminUrl, roles, identities, ledger, log });
  const { erasedAgain } = manifest;
  const seconds = (performance.now() - began) / 1_000;
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  if (values.json)
    process.stdout.write(
      `${JSON.stringify({ rows, takenAt: manifest.takenAt, migration: manifest.migration, erasedAgain, seconds })}\n`,
    );
  else
    process.stdout.write(
      `restored ${rows.toLocaleString('en')} rows as of ${manifest.takenAt}, the same in every table, policy and grant, in ${seconds.toFixed(1)} s\n${toldOf(values.ledger.length, erasedAgain)}\n`,
    );
};

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
