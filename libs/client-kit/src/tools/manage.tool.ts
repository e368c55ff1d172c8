import { z } from 'zod';
import { AppError } from '../app-error.js';
import type { ManageRequest } from '../memory-backend.js';
import { contractWord, readMoment, scopeArgument, shortId } from './arguments.js';
import { introPart, showMemories } from './recalled-answer.js';
import { detailOf } from './retrieve.tool.js';
import { textPart, type Tool, type ToolContext } from './tool.js';
import { wordingOf } from './wording.js';

const ACTIONS = ['pin', 'unpin', 'edit', 'expire', 'share', 'forget', 'restore', 'refute', 'resolve'] as const;
const KEEPS = ['both', 'id', 'other', 'merge', 'reopen'] as const;

const inputSchema = z.strictObject({
  action: z.enum(ACTIONS),
  id: z.string(),
  text: z.string().optional(),
  expires: z.string().optional(),
  scope: scopeArgument.optional(),
  other: z.string().optional(),
  keep: z.enum(KEEPS).optional(),
  reason: z.string().optional(),
});
type Arguments = z.output<typeof inputSchema>;

const KEEP_WORDS = {
  both: 'KEEP_BOTH',
  id: 'KEEP_FIRST',
  other: 'KEEP_SECOND',
  merge: 'MERGE',
  reopen: 'REOPEN',
} as const;

const lacking = (name: string, context: ToolContext): AppError =>
  new AppError('invalid-input', 'argument-lacking', `${wordingOf(context).argument(name)} is needed for this action.`);

const requestOf = (args: Arguments, context: ToolContext): ManageRequest => {
  const { action, text, expires, scope, other, keep, reason } = args;
  const id = args.id.trim().toLowerCase();
  switch (action) {
    case 'edit':
      if (text === undefined) throw lacking('text', context);
      return { action, id, edit: { text } };
    case 'expire': {
      const expiresAt = expires === undefined ? null : readMoment(wordingOf(context).argument('expires'), expires);
      return { action: 'edit', id, edit: { expiresAt } };
    }
    case 'share': {
      if (scope === undefined) throw lacking('scope', context);
      const project = scope === 'tenant' ? null : context.boundProject;
      return { action, id, audience: { scope: contractWord(scope), ...(project === null ? {} : { project }) } };
    }
    case 'refute':
      return { action, id, ...(other === undefined ? {} : { by: other }), ...(reason === undefined ? {} : { reason }) };
    case 'resolve':
      if (other === undefined) throw lacking('other', context);
      if (keep === undefined) throw lacking('keep', context);
      return {
        ...{ action, id, other, resolution: KEEP_WORDS[keep] },
        ...(text === undefined ? {} : { text }),
        ...(reason === undefined ? {} : { reason }),
      };
    default:
      return { action, id };
  }
};

const DONE: Readonly<Record<Arguments['action'], string>> = {
  pin: 'Pinned.',
  unpin: 'Unpinned.',
  edit: 'Edited; the old text stays in its history.',
  expire: 'Expiry set.',
  share: 'Shared.',
  forget: 'Forgotten: hidden at once, erased after 30 days; restore brings it back.',
  restore: 'Restored.',
  refute: 'Refuted: kept and labelled, and out of answers; restore takes it back.',
  resolve: 'Decided; keep reopen takes it back.',
};

/** Changes one memory. */
export const manageTool: Tool<typeof inputSchema> = {
  name: 'tempera_manage',
  title: 'Change a memory',
  description:
    'Changes one memory. expire without expires: never; refute: it is false, other shows it; resolve: which of id and other to keep, or merge them into text, else the newer.',
  inputSchema,
  annotations: { destructiveHint: true, openWorldHint: false },
  alwaysLoad: false,
  async run(args, context) {
    const { proposalId } = await context.backend.manage(requestOf(args, context));
    const memory = await context.backend.memory(args.id.trim().toLowerCase());
    const { parts, structured } = showMemories([detailOf(memory)], 2000, context);
    const isOver = args.action === 'expire' && memory.expiresAt !== null && memory.expiresAt <= context.now();
    const told = `${DONE[args.action]}${isOver ? ' It has expired already: no answer shows it.' : ''}`;
    const done = proposalId === null ? told : `A maintainer was asked to share it (proposal ${shortId(proposalId)}).`;
    return {
      parts: [textPart(done), introPart(), ...parts],
      structured: { action: args.action, proposal: proposalId, hits: structured },
    };
  },
};
