import { z } from 'zod';
import { neutraliseLine } from '../untrusted-text.js';
import { idForm, shortId } from './arguments.js';
import { textPart, type Tool } from './tool.js';

const inputSchema = z.strictObject({
  episode_ids: z.array(z.string()).min(1).describe('ids as shown'),
  helpful: z.boolean(),
  retrieval_id: z.string().optional().describe('default: the latest that showed them'),
  note: z.string().optional(),
  withdraw: z.boolean().optional().describe('take the vote back'),
});

const NOT_AN_ID = 'not an id: eight hex characters or a full UUID';

/** Says whether recalled memories helped. */
export const feedbackTool: Tool<typeof inputSchema> = {
  name: 'tempera_feedback',
  title: 'Feedback',
  description:
    'Votes on memories that were shown: helpful, or not where one was wrong or misled. The last vote stands. Changes what is found for like questions.',
  inputSchema,
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
  alwaysLoad: false,
  async run(args, { backend }) {
    const ids = [...new Set(args.episode_ids.map((id) => id.trim().toLowerCase()))];
    const malformed = ids.filter((id) => idForm(id) === 'none');
    const memoryIds = ids.filter((id) => idForm(id) !== 'none');
    const answer =
      memoryIds.length === 0
        ? { recorded: [], rejected: [] }
        : await backend.feedback({
            memoryIds,
            helpful: args.helpful,
            withdraw: args.withdraw ?? false,
            ...(args.retrieval_id === undefined ? {} : { retrievalId: args.retrieval_id }),
            ...(args.note === undefined ? {} : { note: args.note }),
          });
    const rejected = [
      ...answer.rejected.map(({ id, reason }) => ({ id: neutraliseLine(id, 40), reason: neutraliseLine(reason, 200) })),
      ...malformed.map((id) => ({ id: neutraliseLine(id, 40), reason: NOT_AN_ID })),
    ];
    const verb = args.withdraw === true ? 'Withdrawn' : `Recorded as ${args.helpful ? 'helpful' : 'not helpful'}`;
    const lines = [
      `${verb}: ${answer.recorded.map((id) => shortId(id)).join(', ') || 'none'}.`,
      ...rejected.map(
        ({ id, reason }) => `Not recorded: ${idForm(id) === 'none' ? `"${id}"` : shortId(id)}: ${reason}`,
      ),
    ];
    return {
      parts: [textPart(lines.join('\n'))],
      structured: { recorded: answer.recorded, rejected, helpful: args.helpful, withdrawn: args.withdraw ?? false },
      ...(answer.recorded.length === 0 ? { failed: true } : rejected.length > 0 ? { shortOf: 'conflict' } : {}),
    };
  },
};
