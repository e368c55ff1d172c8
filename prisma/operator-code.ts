import { createHash, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { readRolesFile } from './roles.js';

/** Life of an operator's code. */
const lifeMinutes = 15;

/**
 * Makes a new one-time code for an operator, who is made too where there is none of that name. Only the code's hash is
 * kept.
 * @param url a login that may act as mem_owner: the migrator, or a superuser
 */
export const createOperatorCode = async (url: string, operatorName: string): Promise<string> => {
  const code = `tmem_op_${randomBytes(32).toString('base64url')}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('set local role mem_owner');
    await client.query('select create_operator_code($1, $2, make_interval(mins => $3))', [
      operatorName,
      createHash('sha256').update(code).digest(),
      lifeMinutes,
    ]);
    await client.query('commit');
    return code;
  } finally {
    await client.end();
  }
};

const main = async (): Promise<void> => {
  const {
    DATABASE_MIGRATOR_URL: migratorUrl,
    DATABASE_ADMIN_URL: adminUrl,
    TEMPERA_ROLES_FILE: rolesFile,
  } = process.env;
  const url = migratorUrl ?? adminUrl ?? (rolesFile === undefined ? undefined : readRolesFile(rolesFile).migrator);
  if (url === undefined) throw new Error('Set DATABASE_MIGRATOR_URL, DATABASE_ADMIN_URL or TEMPERA_ROLES_FILE.');
  const code = await createOperatorCode(url, process.argv[2] ?? 'operator');
  process.stdout.write(`${code}\n`);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
