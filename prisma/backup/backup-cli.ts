import { parseArgs } from 'node:util';
import { takeBackup } from './dump.js';
import { readKeyFile } from './key-file.js';

const HELP = `npm run backup -- --out FOLDER [--recipients FILE] [--count-only] [--json]

Takes a backup of the whole database: a dump of one moment, with what each table held then and who may do what, so that a restore can be
proved. DATABASE_BACKUP_URL or DATABASE_ADMIN_URL names a superuser, or a login that may take the role mem_backup. Needs pg_dump of the
server's version or later, on PATH or in PG_BIN_DIR.

--out         a folder that is not there yet, or is empty
--recipients  a file of age recipients (age1…), a line each: the dump is encrypted for them. Keep their identities elsewhere
--count-only  counts rows and does not sum them: one reading less of a large database`;

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      recipients: { type: 'string' },
      'count-only': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  if (values.out === undefined) throw new Error(`Name a folder with --out.\n\n${HELP}`);
  const url = process.env['DATABASE_BACKUP_URL'] ?? process.env['DATABASE_ADMIN_URL'];
  if (url === undefined) throw new Error('Set DATABASE_BACKUP_URL or DATABASE_ADMIN_URL.');
  const began = performance.now();
  const manifest = await takeBackup({
    url,
    folder: values.out,
    recipients: await readKeyFile(values.recipients),
    isCountOnly: values['count-only'],
    log: (line) => process.stderr.write(`${line} …\n`),
  });
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  const seconds = (performance.now() - began) / 1_000;
  const { bytes, isEncrypted } = manifest.dump;
  if (values.json)
    process.stdout.write(`${JSON.stringify({ folder: values.out, rows, bytes, isEncrypted, seconds })}\n`);
  else
    process.stdout.write(
      `${values.out}: ${rows.toLocaleString('en')} rows, ${bytes.toLocaleString('en')} bytes${isEncrypted ? ', encrypted' : ''}, in ${seconds.toFixed(1)} s\n`,
    );
};

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
