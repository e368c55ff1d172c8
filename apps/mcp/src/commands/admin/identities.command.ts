import { z } from 'zod';
import { LIST_IDENTITIES, UNLINK_IDENTITY } from '../../graphql/identity-operations.js';
import { type Column, minuteText } from '../../output/table.js';
import { given } from '../command.js';
import { IDENTITIES, knownIdOption, PEOPLE } from '../known-id.js';
import { LIMIT_OPTION, named, showDone, showList } from '../lists.js';
import type { Verbs } from '../verb.js';

const identityShape = z.object({
  id: z.string(),
  issuer: z.string(),
  subject: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});

const COLUMNS: readonly Column<z.output<typeof identityShape>>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'provider', cell: ({ issuer }) => issuer },
  { heading: 'known there as', cell: ({ subject }) => subject },
  { heading: 'since', cell: ({ createdAt }) => minuteText(createdAt) },
  { heading: 'last used', cell: ({ lastUsedAt }) => (lastUsedAt === null ? '-' : minuteText(lastUsedAt)) },
];

/** `tempera admin identities` */
export const IDENTITY_VERBS: Verbs = {
  list: {
    summary: 'list sign-ins of other providers, your own or with --user those of a person',
    options: [['--user <id>', "another person's"], LIMIT_OPTION],
    examples: ['identities list', 'identities list --user 0192f0c4-0000-4000-8000-000000000001'],
    run: async (call) => {
      const listing = { query: LIST_IDENTITIES, field: 'identities', node: identityShape };
      const userId = await knownIdOption(call.asker, PEOPLE, call.options['user']);
      return showList(call, listing, given({ userId }), COLUMNS, 'No linked sign-ins.');
    },
  },
  unlink: {
    args: '<id>',
    ids: { 0: IDENTITIES },
    summary: 'unlink a sign-in, so that it opens nothing any more',
    examples: ['identities unlink 0192f0c4-0000-4000-8000-000000000001'],
    question: ([id = '']) => `Unlink ${named(id)}?`,
    run: async (call) => {
      const [id] = call.args;
      const gone = await call.asker.ask(UNLINK_IDENTITY, { id }, 'unlinkIdentity', z.object({ id: z.string() }), false);
      showDone(call, 'Unlinked', `${named(gone.id)}.`, gone);
    },
  },
};
