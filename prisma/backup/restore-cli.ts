import { parseArgs } from 'node:util';
import { openRolesFile, rolesFromEnvironment } from '../roles.js';
import { readKeyFile } from './key-file.js';
import { restoreBackup } from './restore.js';

const HELP = `npm run restore -- FOLDER [--identity FILE] [--json]

Restores a backup of \`npm run backup\` into an empty database and proves it: the rows of each table, policies, grants, functions, constraints.
DATABASE_ADMIN_URL names a superuser of that database; the logins' passwords are taken from the DATABASE_…_URL variables or from
TEMPERA_ROLES_FILE, as the migrate job takes them. Needs pg_restore on PATH or in PG_BIN_DIR.

--identity  a file of age identities (AGE-SECRET-KEY-…), for a dump that is encrypted`;

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      identity: { type: 'string' },
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
  const manifest = await restoreBackup({ folder, adminUrl, roles, identities, log });
  const seconds = (performance.now() - began) / 1_000;
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  if (values.json)
    process.stdout.write(
      `${JSON.stringify({ rows, takenAt: manifest.takenAt, migration: manifest.migration, seconds })}\n`,
    );
  else
    process.stdout.write(
      `restored ${rows.toLocaleString('en')} rows as of ${manifest.takenAt}, the same in every table, policy and grant, in ${seconds.toFixed(1)} s\n`,
    );
};

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
