import { z } from 'zod';
import { AppError } from '../app-error.js';
import { projectArgument, readMoment } from './arguments.js';
import { drawStats, drawTrends, searchedText, statsLines, trendsLines } from './stats-text.js';
import { textPart, type Tool, type ToolAnswer, type ToolContext } from './tool.js';
import { wordingOf } from './wording.js';

const inputSchema = z.strictObject({
  action: z.enum(['stats', 'trends']).optional().describe('default stats'),
  bucket: z.enum(['weekly', 'monthly']).optional(),
  since: z.string().optional(),
  until: z.string().optional(),
  project: projectArgument.optional(),
});
type Arguments = z.output<typeof inputSchema>;

const answerOf = (
  lines: readonly string[],
  structured: object,
  project: string | null,
  context: ToolContext,
): ToolAnswer => ({
  parts: [textPart(lines.join('\n'))],
  structured: {
    ...structured,
    searchedScopes: [searchedText(project).toLowerCase()],
    boundProject: context.boundProject,
  },
});

const totals = async (project: string | null, context: ToolContext): Promise<ToolAnswer> => {
  const stats = await context.backend.stats(project);
  const lines = context.glyphs === undefined ? statsLines(stats) : drawStats(stats, context.glyphs);
  return answerOf(lines, stats, project, context);
};

const overTime = async (args: Arguments, project: string | null, context: ToolContext): Promise<ToolAnswer> => {
  const moment = (name: 'since' | 'until'): string | undefined =>
    args[name] === undefined ? undefined : readMoment(wordingOf(context).argument(name), args[name]);
  const [from, to] = [moment('since'), moment('until')];
  const trends = await context.backend.trends({
    project,
    bucket: args.bucket === 'monthly' ? 'MONTHLY' : 'WEEKLY',
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  });
  const lines = context.glyphs === undefined ? trendsLines(trends) : drawTrends(trends, context.glyphs);
  return answerOf(lines, trends, project, context);
};

/** Totals, and how they came about. */
export const statsTool: Tool<typeof inputSchema> = {
  name: 'tempera_stats',
  title: 'Statistics',
  description: 'Totals by kind, scope and domain; over time growth, answers and helpful votes.',
  inputSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  alwaysLoad: false,
  run(args, context) {
    const project = args.project ?? context.boundProject;
    if (args.action === 'trends') return overTime(args, project, context);
    const stray = (['bucket', 'since', 'until'] as const).find((name) => args[name] !== undefined);
    if (stray === undefined) return totals(project, context);
    const told = `${wordingOf(context).argument(stray)} goes with trends.`;
    return Promise.reject(new AppError('invalid-input', 'not-of-stats', told));
  },
};
