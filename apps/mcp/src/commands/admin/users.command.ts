import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import { LIST_USERS, REMOVE_USER, RESUME_USER, SUSPEND_USER, UPDATE_USER } from '../../graphql/admin-operations.js';
import { type Column, minuteText } from '../../output/table.js';
import { given, TENANT_ROLES, wordOption } from '../command.js';
import { knownIdOption, PEOPLE } from '../known-id.js';
import { LIMIT_OPTION, named, showDone, showList } from '../lists.js';
import type { Call, Verbs } from '../verb.js';
import { ERASE_VERB } from './erasures.command.js';

const userShape = z.object({
  id: z.string(),
  displayName: z.string(),
  email: z.string().nullable(),
  role: z.string().nullable(),
  status: z.string().nullable(),
  createdAt: z.string().nullable(),
});

const COLUMNS: readonly Column<z.output<typeof userShape>>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'name', cell: ({ displayName }) => displayName },
  { heading: 'email', cell: ({ email }) => email },
  { heading: 'role', cell: ({ role }) => role?.toLowerCase() ?? null },
  { heading: 'status', cell: ({ status }) => status?.toLowerCase() ?? null },
  { heading: 'since', cell: ({ createdAt }) => minuteText(createdAt) },
];

const STATUSES = ['active', 'suspended', 'removed'];
const FATES = ['keep', 'archive', 'transfer'];

const changed = async (
  call: Call,
  operation: { query: string; field: string; done: string },
  variables: Record<string, unknown>,
): Promise<void> => {
  const user = await call.asker.ask(operation.query, variables, operation.field, userShape, true);
  const role = user.role === null ? '' : `, ${user.role.toLowerCase()}`;
  showDone(call, operation.done, `${named(user.displayName)}${role}.`, user);
};

const departureShape = z.object({
  finished: z.boolean(),
  sessionsEnded: z.number(),
  sharedMemories: z.string(),
  underTheirName: z.number(),
  user: userShape,
});

const readFate = ({ options }: Call): { sharedMemories: string; transferTo?: string } => {
  const sharedMemories = wordOption('--memories', options['memories'], FATES);
  const to = options['to'];
  if (sharedMemories === undefined) {
    throw new AppError(
      'invalid-input',
      'no-fate',
      'Say what becomes of the shared memories: --memories keep, archive or transfer.',
    );
  }
  if ((sharedMemories === 'TRANSFER') !== (typeof to === 'string')) {
    throw new AppError('invalid-input', 'transfer-to', '--memories transfer and --to ID go together.');
  }
  return { sharedMemories, ...(typeof to === 'string' ? { transferTo: to } : {}) };
};

const remove = async (call: Call): Promise<void> => {
  const fate = readFate(call);
  const transferTo = await knownIdOption(call.asker, PEOPLE, fate.transferTo);
  const input = given({ userId: call.args[0], ...fate, transferTo });
  const departure = await call.asker.ask(REMOVE_USER, { input }, 'removeUser', departureShape, true);
  const rest = departure.finished ? '' : ' The worker goes on with the shared memories.';
  const left = `shared memories under their name: ${departure.underTheirName}`;
  const told = `${named(departure.user.displayName)}; sessions ended: ${departure.sessionsEnded}; ${left}.${rest}`;
  showDone(call, 'Removed', told, departure);
};

/** `tempera admin users` */
export const USER_VERBS: Verbs = {
  list: {
    summary: 'list people by name',
    options: [
      ['--name <part>', 'only with this in their name'],
      ['--role <role>', TENANT_ROLES.join(', ')],
      ['--status <status>', `${STATUSES.join(', ')} (default active)`],
      LIMIT_OPTION,
    ],
    examples: ['users list', 'users list --role admin', 'users list --status suspended'],
    run: (call) => {
      const role = wordOption('--role', call.options['role'], TENANT_ROLES);
      const status = wordOption('--status', call.options['status'], STATUSES);
      const filter = given({ name: call.options['name'], role, status });
      return showList(call, { query: LIST_USERS, field: 'users', node: userShape }, { filter }, COLUMNS, 'Nobody.');
    },
  },
  role: {
    args: '<id> <role>',
    ids: { 0: PEOPLE },
    summary: 'give a person another role in the tenant, never above your own',
    examples: ['users role 0192f0c4-0000-4000-8000-000000000001 admin'],
    run: (call) => {
      const role = wordOption('The role', call.args[1], TENANT_ROLES);
      const operation = { query: UPDATE_USER, field: 'updateUser', done: 'Changed' };
      return changed(call, operation, { id: call.args[0], role });
    },
  },
  suspend: {
    args: '<id>',
    ids: { 0: PEOPLE },
    summary: 'keep a person out until they are resumed',
    question: ([id]) => `Keep ${named(id ?? '')} out?`,
    examples: ['users suspend 0192f0c4-0000-4000-8000-000000000001'],
    run: (call) =>
      changed(call, { query: SUSPEND_USER, field: 'suspendUser', done: 'Suspended' }, { id: call.args[0] }),
  },
  resume: {
    args: '<id>',
    ids: { 0: PEOPLE },
    summary: 'let a suspended person in again',
    examples: ['users resume 0192f0c4-0000-4000-8000-000000000001'],
    run: (call) => changed(call, { query: RESUME_USER, field: 'resumeUser', done: 'Resumed' }, { id: call.args[0] }),
  },
  remove: {
    args: '<id>',
    ids: { 0: PEOPLE },
    summary: 'remove a person, for good',
    description:
      'Removes a person for good. Nobody sees their private memories; what becomes of the shared ones is your choice.',
    options: [
      [
        '--memories <fate>',
        'of those shared: keep (with their name), archive, transfer (to who could have captured them)',
      ],
      ['--to <id>', 'with transfer: whose they become'],
    ],
    question: ([id]) => `Remove ${named(id ?? '')} for good?`,
    examples: [
      'users remove 0192f0c4-0000-4000-8000-000000000001 --memories keep',
      'users remove 0192f0c4-0000-4000-8000-000000000001 --memories transfer --to 0192f0c4-0000-4000-8000-000000000002',
    ],
    run: remove,
  },
  erase: ERASE_VERB,
};
