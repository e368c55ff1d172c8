import { z } from 'zod';
import { OPERATORS } from '../known-id.js';
import { CREATE_OPERATOR_CODE, DISABLE_OPERATOR, LIST_OPERATORS } from '../../graphql/operator-operations.js';
import { type Column, minuteText } from '../../output/table.js';
import { readOperatorLogin } from '../../state/operator-login.js';
import { printList } from '../pages.js';
import { named, showDone } from '../lists.js';
import type { Call, Verbs } from '../verb.js';

const operatorShape = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  disabledAt: z.string().nullable(),
});

const COLUMNS: readonly Column<z.output<typeof operatorShape>>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'name', cell: ({ name }) => name },
  { heading: 'since', cell: ({ createdAt }) => minuteText(createdAt) },
  {
    heading: 'state',
    cell: ({ disabledAt }) => (disabledAt === null ? 'active' : `disabled ${minuteText(disabledAt) ?? ''}`),
  },
];

const codeShape = z.object({ operatorId: z.string(), code: z.string(), expiresAt: z.string() });

const createCode = async ({ asker, args, terminal, world }: Call): Promise<void> => {
  const name = args[0] ?? '';
  const made = await asker.ask(CREATE_OPERATOR_CODE, { name }, 'createOperatorCode', codeShape, false);
  const server = (await readOperatorLogin(world))?.server ?? '';
  terminal.result(
    [
      `One-time operator code for ${named(name)}, shown only now, good until ${minuteText(made.expiresAt) ?? ''}:`,
      `  ${terminal.paint('bold', made.code)}`,
      `Whoever it is for pastes it at the prompt of:`,
      `  tempera admin login --server ${server}`,
    ],
    { ...made, server },
  );
};

/** `tempera admin operators` */
export const OPERATOR_VERBS: Verbs = {
  list: {
    summary: 'list who runs the instance, disabled ones too',
    examples: ['operators list'],
    run: async ({ asker, terminal }) => {
      const nodes = await asker.ask(LIST_OPERATORS, {}, 'operators', z.array(operatorShape), true);
      printList(terminal, { nodes, hasMore: false }, COLUMNS, 'No operators.');
    },
  },
  code: {
    args: '<name>',
    summary: 'make a one-time code for a further operator, or with your own name for yourself',
    examples: ['operators code "Otto Operator"'],
    run: createCode,
  },
  disable: {
    args: '<id>',
    ids: { 0: OPERATORS },
    summary: 'keep an operator out, for good',
    question: ([id]) => `Keep operator ${named(id ?? '')} out for good?`,
    examples: ['operators disable 0192f0c4-0000-4000-8000-000000000001'],
    run: async (call) => {
      const operator = await call.asker.ask(
        DISABLE_OPERATOR,
        { id: call.args[0] },
        'disableOperator',
        operatorShape,
        true,
      );
      showDone(call, 'Disabled', `operator ${named(operator.name)}.`, operator);
    },
  },
};
