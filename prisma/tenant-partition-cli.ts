import { parseArgs } from 'node:util';
import { migratorUrl } from './migrator-url.js';
import { LARGE_TENANT_VECTORS, largeTenants, partitionTenant } from './tenant-partition.js';

const HELP = `npm run tenant:partition -- --list        tenants with more than ${LARGE_TENANT_VECTORS} vectors
npm run tenant:partition -- TENANT_ID    gives one a partition of its own, with an index for each encoder

A small tenant is searched exactly; a large one gains by an index, and an index must not be shared, because under row-level
security a shared one loses results. Moving locks the vectors of everybody for a moment (about a second for 25,000); the
index is built while the tenant goes on working. What an interrupted run left is completed by the next.

Of the instance that \`npm start\` keeps in this folder, or of DATABASE_MIGRATOR_URL, DATABASE_ADMIN_URL or TEMPERA_ROLES_FILE.`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { list: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  const [tenantId] = positionals;
  if (values.help || (!values.list && tenantId === undefined)) return say(HELP);
  const url = migratorUrl(process.env);
  if (tenantId === undefined) {
    const large = await largeTenants(url);
    for (const { tenantId: id, encoder, vectors } of large) say(`${id}  ${vectors}  ${encoder}`);
    if (large.length === 0) say(`No tenant has ${LARGE_TENANT_VECTORS} vectors.`);
    return;
  }
  const { partition, moved, indexes } = await partitionTenant(url, tenantId, say);
  say(`${partition}: ${moved} vectors moved, ${indexes.length} indexes built`);
};

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
