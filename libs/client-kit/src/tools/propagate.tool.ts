import { z } from 'zod';
import { isAppError } from '../app-error.js';
import type { PropagationPreview, RunView } from '../memory-view.js';
import { neutraliseLine } from '../untrusted-text.js';
import { projectArgument } from './arguments.js';
import { percent } from './memory-text.js';
import { searchedText } from './stats-text.js';
import { textPart, type Tool, type ToolAnswer, type ToolContext } from './tool.js';

const inputSchema = z.strictObject({
  temporal: z.boolean().optional().describe('give credit along time first'),
  wait: z.int().min(0).max(30).optional().describe('seconds for the report'),
  project: projectArgument.optional(),
});
type Arguments = z.output<typeof inputSchema>;

const POLL_MS = 1_000;
const isOver = ({ status }: RunView): boolean => status === 'COMPLETED' || status === 'FAILED';

/** The run when it is over, or as it stands after so many seconds. */
const awaitRun = async (
  started: RunView,
  seconds: number,
  { backend, wait, longestWait = seconds }: ToolContext,
): Promise<RunView> => {
  let run = started;
  for (let waited = 0; waited < Math.min(seconds, longestWait) && !isOver(run); waited += POLL_MS / 1_000) {
    await wait(POLL_MS);
    run = await backend.run(started.id);
  }
  return run;
};

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`;

const mostText = (residual: number): string => (residual < 0.005 ? 'less than 1 %' : `at most ${percent(residual)}`);

const reportText = ({ sources, hops, touched, residual, converged }: PropagationPreview, changed: string): string => {
  const by = touched === 0 ? '' : ` by ${mostText(residual)}`;
  const lend = `${count(sources, 'source')} ${sources === 1 ? 'lends' : 'lend'} over ${count(hops, 'hop')}`;
  return `${lend}; ${count(touched, 'loan')} ${changed}${by}${converged ? ', so it has converged' : ''}.`;
};

const runAnswer = (run: RunView): ToolAnswer => {
  const head = `Run ${run.id} for ${run.runDate}: ${run.status.toLowerCase()}.`;
  const credit =
    run.report === null || run.report.credited === 0 ? '' : ` Credits given or withdrawn: ${run.report.credited}.`;
  const told = run.report === null ? '' : ` ${reportText(run.report, 'changed')}${credit}`;
  const why = run.failure === null ? '' : ` ${neutraliseLine(run.failure, 200)}`;
  const later = isOver(run) ? '' : ` It goes on; \`tempera admin runs show ${run.id}\` tells how it ends.`;
  const { id, runDate, status, report, failure } = run;
  return {
    parts: [textPart(`${head}${told}${why}${later}`)],
    structured: { dryRun: false, runId: id, runDate, status: status.toLowerCase(), report, failure },
    ...(status === 'FAILED' ? { failed: true } : {}),
  };
};

const previewAnswer = async (args: Arguments, { backend, boundProject }: ToolContext): Promise<ToolAnswer> => {
  const project = args.project ?? boundProject;
  const report = await backend.previewPropagation(project);
  const searched = searchedText(project);
  const credit = args.temporal === true ? ' Credit along time is given by runs alone.' : '';
  const told = `A dry run, since an owner or admin starts runs. ${searched}: ${reportText(report, 'would change')}${credit}`;
  return {
    parts: [textPart(told)],
    structured: { dryRun: true, runId: null, status: null, report, searchedScopes: [searched.toLowerCase()] },
  };
};

/** Spreads what proved useful. */
export const propagateTool: Tool<typeof inputSchema> = {
  name: 'tempera_propagate',
  title: 'Propagate',
  description:
    'Lends the worth of what proved useful to what is like it: a run of the tenant for owners and admins, else a dry run. Every night does it too.',
  inputSchema,
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
  alwaysLoad: false,
  async run(args, context) {
    try {
      const started = await context.backend.startRun(args.temporal === true ? 'NIGHTLY' : 'PROPAGATE');
      return runAnswer(await awaitRun(started, args.wait ?? 0, context));
    } catch (error) {
      if (isAppError(error) && error.kind === 'forbidden') return previewAnswer(args, context);
      throw error;
    }
  },
};
