import { z } from 'zod';
import { LIST_INVITATIONS, REVOKE_INVITATION } from '../../graphql/identity-operations.js';
import { type Column, minuteText } from '../../output/table.js';
import { INVITATIONS } from '../known-id.js';
import { LIMIT_OPTION, named, showDone, showList } from '../lists.js';
import type { Verbs } from '../verb.js';

const invitationShape = z.object({
  id: z.string(),
  displayName: z.string(),
  email: z.string().nullable(),
  role: z.string(),
  project: z.string().nullable(),
  state: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  invitedBy: z.object({ displayName: z.string() }).nullable(),
});

const COLUMNS: readonly Column<z.output<typeof invitationShape>>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'for', cell: ({ displayName }) => displayName },
  { heading: 'role', cell: ({ role }) => role.toLowerCase() },
  { heading: 'project', cell: ({ project }) => project ?? '-' },
  { heading: 'by', cell: ({ invitedBy }) => invitedBy?.displayName ?? 'an operator' },
  { heading: 'state', cell: ({ state }) => state.toLowerCase() },
  { heading: 'good until', cell: ({ expiresAt }) => minuteText(expiresAt) },
];

/** `tempera admin invitations` */
export const INVITATION_VERBS: Verbs = {
  list: {
    summary: 'list invitations and what became of them',
    description: 'Lists invitations, newest first. `tempera invite NAME` sends one.',
    options: [LIMIT_OPTION],
    examples: ['invitations list'],
    run: (call) => {
      const listing = { query: LIST_INVITATIONS, field: 'invitations', node: invitationShape };
      return showList(call, listing, {}, COLUMNS, 'No invitations.');
    },
  },
  revoke: {
    args: '<id>',
    ids: { 0: INVITATIONS },
    summary: 'take an invitation back that nobody has accepted',
    examples: ['invitations revoke 0192f0c4-0000-4000-8000-000000000001'],
    question: ([id = '']) => `Take invitation ${named(id)} back?`,
    run: async (call) => {
      const [id] = call.args;
      const revoked = await call.asker.ask(REVOKE_INVITATION, { id }, 'revokeInvitation', invitationShape, true);
      showDone(call, 'Taken back:', `the invitation of ${named(revoked.displayName)}.`, revoked);
    },
  },
};
