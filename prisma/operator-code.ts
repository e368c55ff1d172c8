import { createHash, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { migratorUrl } from './migrator-url.js';

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

/** Whether the instance has an operator already. */
const hasOperator = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('set local role mem_owner');
    const { rows } = await client.query<{ has_operator: boolean }>('select has_operator()');
    return rows[0]?.has_operator === true;
  } finally {
    await client.end();
  }
};

const HELP = `npm run operator-code -- [NAME]    prints a one-time code for an operator, good for ${lifeMinutes} minutes

  --first-only    nothing where the instance has an operator already

Makes the operator too where there is none of that name (default: operator). Of the instance that \`npm start\` keeps in this
folder, or of DATABASE_MIGRATOR_URL, DATABASE_ADMIN_URL or TEMPERA_ROLES_FILE.`;

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'first-only': { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  const url = migratorUrl(process.env);
  if (values['first-only'] && (await hasOperator(url))) return;
  process.stdout.write(`${await createOperatorCode(url, positionals[0] ?? 'operator')}\n`);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
