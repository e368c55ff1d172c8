import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import {
  CREATE_TENANT,
  DELETE_TENANT,
  LIST_TENANTS,
  RESUME_TENANT,
  SUSPEND_TENANT,
  TENANT_DELETION,
} from '../../graphql/operator-operations.js';
import { type Column, minuteText } from '../../output/table.js';
import { readOperatorLogin } from '../../state/operator-login.js';
import { given, wordOption } from '../command.js';
import { handOver } from '../hand-over.js';
import { TENANTS } from '../known-id.js';
import { factLines, LIMIT_OPTION, named, showDone, showList } from '../lists.js';
import type { Call, Verbs } from '../verb.js';

const tenantShape = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  timeZone: z.string(),
  users: z.number(),
  projects: z.number(),
  memories: z.number(),
  createdAt: z.string(),
  eraseAfter: z.string().nullable(),
});
type Tenant = z.output<typeof tenantShape>;

const COLUMNS: readonly Column<Tenant>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'name', cell: ({ name }) => name },
  { heading: 'status', cell: ({ status }) => status.toLowerCase() },
  { heading: 'people', cell: ({ users }) => users },
  { heading: 'projects', cell: ({ projects }) => projects },
  { heading: 'memories', cell: ({ memories }) => memories },
  { heading: 'zone', cell: ({ timeZone }) => timeZone },
  { heading: 'since', cell: ({ createdAt }) => minuteText(createdAt) },
];

const createdShape = z.object({
  tenant: z.object({ id: z.string(), name: z.string(), timeZone: z.string() }),
  ownerInvitation: z.object({ id: z.string(), code: z.string(), expiresAt: z.string() }),
});

const create = async (call: Call): Promise<void> => {
  const { asker, args, options, terminal, world } = call;
  const owner = options['owner'];
  if (owner === undefined) throw new AppError('invalid-input', 'no-owner', 'A tenant needs its owner: --owner NAME.');
  const input = given({
    name: args[0],
    ownerName: owner,
    ownerEmail: options['email'],
    timeZone: options['timeZone'],
  });
  const created = await asker.ask(CREATE_TENANT, { input }, 'createTenant', createdShape, false);
  const server = (await readOperatorLogin(world))?.server ?? '';
  const lines = handOver(`${named(String(owner))} runs this`, server, created.ownerInvitation, terminal);
  const done = `${terminal.paint('green', 'Created')} tenant ${named(created.tenant.name)} (${created.tenant.id}).`;
  terminal.result([done, ...lines], { ...created, server });
};

const change =
  (query: string, field: string, done: string) =>
  async (call: Call): Promise<void> => {
    const tenant = await call.asker.ask(query, { id: call.args[0] }, field, tenantShape, true);
    showDone(call, done, `tenant ${named(tenant.name)}.`, tenant);
  };

const remove = async (call: Call): Promise<void> => {
  const [id, confirmName] = call.args;
  const variables = { id, confirmName, ...given({ graceDays: readGrace(call.options['grace']) }) };
  const tenant = await call.asker.ask(DELETE_TENANT, variables, 'deleteTenant', tenantShape, false);
  const until = `until ${minuteText(tenant.eraseAfter)} \`tempera admin tenants resume\` takes it back`;
  showDone(call, 'Deleted', `tenant ${named(tenant.name)}: closed now; ${until}, then the worker erases it.`, tenant);
};

const readGrace = (word: unknown): number | undefined => {
  if (word === undefined) return undefined;
  if (typeof word === 'string' && /^\d{1,3}$/.test(word)) return Number(word);
  throw new AppError('invalid-input', 'grace-days', '--grace takes whole days from 0 to 365.');
};

const rowsShape = z.array(z.object({ what: z.string(), rows: z.number() }));
const deletionShape = z.object({
  id: z.string(),
  operatorId: z.string().nullable(),
  status: z.string(),
  requestedAt: z.string(),
  eraseAfter: z.string(),
  counts: rowsShape,
  searchedTables: z.number(),
  traces: rowsShape,
  finishedAt: z.string().nullable(),
});

const showDeletion = async (call: Call): Promise<void> => {
  const variables = { id: call.args[0] };
  const deletion = await call.asker.ask(TENANT_DELETION, variables, 'tenantDeletion', deletionShape, true);
  const facts = factLines([
    ['tenant', deletion.id],
    ['deleted by', deletion.operatorId],
    ['deleted', minuteText(deletion.requestedAt)],
    ['erased after', minuteText(deletion.eraseAfter)],
    ['status', deletion.status.toLowerCase()],
    ['finished', minuteText(deletion.finishedAt)],
    ['tables searched', deletion.searchedTables],
    ...deletion.traces.map(({ what, rows }) => [`left in ${what}`, rows] as const),
    ...deletion.counts.map(({ what, rows }) => [what, rows] as const),
  ]);
  call.terminal.result(facts, deletion);
};

/** `tempera admin tenants` */
export const TENANT_VERBS: Verbs = {
  list: {
    summary: 'list tenants, by name',
    options: [
      ['--name <part>', 'only with this in their name'],
      ['--status <status>', 'active, suspended, deleted'],
      LIMIT_OPTION,
    ],
    examples: ['tenants list', 'tenants list --status suspended'],
    run: (call) => {
      const status = wordOption('--status', call.options['status'], ['active', 'suspended', 'deleted']);
      const filter = given({ name: call.options['name'], status });
      return showList(
        call,
        { query: LIST_TENANTS, field: 'tenants', node: tenantShape },
        { filter },
        COLUMNS,
        'No tenants.',
      );
    },
  },
  create: {
    args: '<name>',
    summary: 'create a tenant, with a one-time code for its owner',
    options: [
      ['--owner <name>', "its owner's name (needed)"],
      ['--email <address>', "its owner's address"],
      ['--time-zone <zone>', 'of its nights, such as Europe/Zurich (default UTC)'],
    ],
    examples: ['tenants create Acme --owner "Olga Owner" --time-zone Europe/Zurich'],
    run: create,
  },
  suspend: {
    args: '<id>',
    ids: { 0: TENANTS },
    summary: 'keep everyone of a tenant out, and its nights still',
    question: ([id]) => `Keep everyone of tenant ${named(id ?? '')} out?`,
    examples: ['tenants suspend 0192f0c4-0000-4000-8000-000000000001'],
    run: change(SUSPEND_TENANT, 'suspendTenant', 'Suspended'),
  },
  resume: {
    args: '<id>',
    ids: { 0: TENANTS },
    summary: 'open a suspended tenant again, or take a deleted one back',
    examples: ['tenants resume 0192f0c4-0000-4000-8000-000000000001'],
    run: change(RESUME_TENANT, 'resumeTenant', 'Resumed'),
  },
  delete: {
    args: '<id> <name>',
    ids: { 0: TENANTS },
    summary: 'delete a tenant with all it holds',
    description:
      'Deletes a tenant. Its name must be given as it is. It is closed at once; for 30 days it can be resumed, then the worker erases all it has.',
    options: [['--grace <days>', 'how long it can be taken back (default 30; 0: not at all)']],
    question: ([, name]) => `Delete tenant ${named(name ?? '')} with everything it holds?`,
    examples: ['tenants delete 0192f0c4-0000-4000-8000-000000000001 Acme'],
    run: remove,
  },
  deletion: {
    args: '<id>',
    ids: { 0: TENANTS },
    summary: 'show how far the deletion of a tenant is, or its receipt',
    description:
      'Shows the deletion of a tenant. The receipt stays when the tenant is gone; it is found by the whole id then.',
    examples: ['tenants deletion 0192f0c4-0000-4000-8000-000000000001'],
    run: showDeletion,
  },
};
