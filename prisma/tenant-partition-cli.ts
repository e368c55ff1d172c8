import { parseArgs } from 'node:util';
import { migratorUrl } from './migrator-url.js';
import { LARGE_TENANT_VECTORS, largeTenants, partitionDue, partitionTenant } from './tenant-partition.js';

const HELP = `npm run tenant:partition -- --due [--every HOURS]   every tenant that is due, one after the other; the usual way, on a schedule
npm run tenant:partition -- --list                  tenants with more than ${LARGE_TENANT_VECTORS} vectors
npm run tenant:partition -- TENANT_ID               one tenant, whatever its size

A small tenant is searched exactly; a large one gains by a partition of its own with an index for each encoder. An index must
not be shared, because under row-level security a shared one loses results. The partition is built beside the table while
everybody goes on working; then it takes its place, for which everybody waits a fraction of a second. Where that moment is not
to be had, the next run takes the tenant. What an interrupted run left is begun anew; a tenant that has all is left alone.

--every HOURS   stays, and does it again so often, for hosts without a scheduler of their own

Of the instance that \`npm start\` keeps in this folder, or of DATABASE_MIGRATOR_URL, DATABASE_ADMIN_URL or TEMPERA_ROLES_FILE.`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const list = async (url: string): Promise<void> => {
  const large = await largeTenants(url);
  for (const { tenantId, encoder, vectors } of large) say(`${tenantId}  ${vectors}  ${encoder}`);
  if (large.length === 0) say(`No tenant has ${LARGE_TENANT_VECTORS} vectors.`);
};

/** @returns whether nothing is left that was due */
const doDue = async (url: string): Promise<boolean> => {
  const { isBusy, done, failed } = await partitionDue(url, say);
  if (isBusy) say('Another run is at it.');
  for (const { tenantId, reason } of failed) process.stderr.write(`${tenantId}: ${reason}\n`);
  if (!isBusy) say(`${done.length} tenants partitioned, ${failed.length} left for the next run`);
  return failed.length === 0;
};

/** Stays until it is told to end; a run that failed says so, and the next one tries again. */
const stay = async (url: string, hours: number): Promise<never> => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
  for (;;) {
    await doDue(url).catch((error: unknown) => process.stderr.write(`${messageOf(error)}\n`));
    await new Promise((resume) => setTimeout(resume, hours * 3_600_000));
  }
};

const readHours = (text: string): number => {
  const hours = Number(text);
  if (Number.isInteger(hours) && hours >= 1 && hours <= 168) return hours;
  throw new Error('--every takes whole hours from 1 to 168.');
};

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      list: { type: 'boolean', default: false },
      due: { type: 'boolean', default: false },
      every: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const [tenantId] = positionals;
  if (values.help || !(values.list || values.due || tenantId !== undefined)) return say(HELP);
  if (values.every !== undefined && !values.due) throw new Error('--every goes with --due.');
  const every = values.every === undefined ? null : readHours(values.every);
  const url = migratorUrl(process.env);
  if (values.due) {
    if (every !== null) return stay(url, every);
    if (!(await doDue(url))) process.exitCode = 1;
    return;
  }
  if (tenantId === undefined) return list(url);
  const { partition, moved, indexes } = await partitionTenant(url, tenantId, say);
  say(`${partition}: ${moved} vectors moved, ${indexes.length} indexes built`);
};

await main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
