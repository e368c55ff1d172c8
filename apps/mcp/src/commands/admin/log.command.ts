import { z } from 'zod';
import { OPERATOR_LOG, VERIFY_OPERATOR_LOG } from '../../graphql/operator-operations.js';
import { type Column, minuteText } from '../../output/table.js';
import { tellVerdict, verdictShape } from './chain.js';
import { LIMIT_OPTION, showList } from '../lists.js';
import type { Verbs } from '../verb.js';

const entryShape = z.object({
  seq: z.string(),
  at: z.string(),
  operatorId: z.string().nullable(),
  action: z.string(),
  subjectKind: z.string(),
  subjectId: z.string().nullable(),
  details: z.string(),
  hash: z.string(),
});

const COLUMNS: readonly Column<z.output<typeof entryShape>>[] = [
  { heading: 'row', cell: ({ seq }) => seq },
  { heading: 'at', cell: ({ at }) => minuteText(at) },
  { heading: 'operator', cell: ({ operatorId }) => operatorId },
  { heading: 'did', cell: ({ action }) => action },
  { heading: 'to', cell: ({ subjectKind, subjectId }) => `${subjectKind} ${subjectId ?? ''}` },
  { heading: 'details', cell: ({ details }) => details },
];

/** `tempera admin log` */
export const LOG_VERBS: Verbs = {
  list: {
    summary: 'what operators did, newest first',
    options: [LIMIT_OPTION],
    examples: ['log list --limit 20'],
    run: (call) =>
      showList(call, { query: OPERATOR_LOG, field: 'operatorLog', node: entryShape }, {}, COLUMNS, 'Nothing yet.'),
  },
  verify: {
    summary: 'check the hash chain of what operators did',
    examples: ['log verify'],
    run: async ({ asker, terminal }) =>
      tellVerdict(await asker.ask(VERIFY_OPERATOR_LOG, {}, 'verifyOperatorLog', verdictShape, true), terminal),
  },
};
