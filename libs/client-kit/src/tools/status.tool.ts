import { z } from 'zod';
import { isAppError } from '../app-error.js';
import type { RunView, StatusAnswer } from '../memory-view.js';
import { neutraliseLine } from '../untrusted-text.js';
import { projectArgument } from './arguments.js';
import { agoText, percent } from './memory-text.js';
import { textPart, type Tool, type ToolAnswer, type ToolContext } from './tool.js';
import { structuredHere, type WaitingHere, waitingLines } from './waiting-here.js';
import { wordingOf } from './wording.js';

const inputSchema = z.strictObject({ project: projectArgument.optional() });

const runText = ({ runDate, status, requestedAt, finishedAt, failure, report }: RunView, now: Date): string => {
  const ended = finishedAt === null ? `asked for ${agoText(requestedAt, now)}` : agoText(finishedAt, now);
  const why = failure === null ? '' : `: ${neutraliseLine(failure, 200)}`;
  const did = report === null ? '' : `, ${report.touched} loans changed, ${report.credited} credits`;
  return `Last maintenance, for ${runDate}: ${status.toLowerCase()}, ${ended}${did}${why}.`;
};

const linesOf = (status: StatusAnswer, searched: string, now: Date): string[] => [
  `${searched}: ${status.memories} memories (${status.ownMemories} yours, ${status.sharedMemories} shared)${status.awaitingEmbedding > 0 ? `, ${status.awaitingEmbedding} waiting to be embedded` : ''}.`,
  status.lastCaptureAt === null ? 'Nothing captured yet.' : `Last capture: ${agoText(status.lastCaptureAt, now)}.`,
  `Shown to people who asked: ${status.retrievals} (each memory once a person and day); found helpful by ${status.helpfulVotes}, unhelpful by ${status.unhelpfulVotes} (people, for each memory); ${percent(status.feedbackRate)} of what was shown was found helpful.`,
  `Mean utility ${percent(status.meanUtility)}; ${status.highValue} proved useful, ${status.neverRetrieved} (${percent(status.neverRetrievedShare)}) never found by a question, ${status.stale} stale.`,
  `Waiting for people: ${status.conflicts} conflicts, ${status.proposals} proposals.`,
  ...(status.lastRun === null ? [] : [runText(status.lastRun, now)]),
];

const structuredRun = (run: RunView | null): Record<string, unknown> | null =>
  run === null
    ? null
    : { ...run, requestedAt: run.requestedAt.toISOString(), finishedAt: run.finishedAt?.toISOString() ?? null };

/** What waits here is told most of all while the service is away. @throws what is no matter of its absence */
const awayAnswer = (error: unknown, here: WaitingHere | null, context: ToolContext): ToolAnswer => {
  const lines = here === null ? [] : waitingLines(here, context.now());
  if (!isAppError(error) || error.kind !== 'unavailable' || here === null || lines.length === 0) throw error;
  return {
    parts: [textPart([error.message, ...lines].join('\n'))],
    structured: { reachable: false, here: structuredHere(here) },
    shortOf: 'unavailable',
  };
};

/** Health of the memory, with advice. */
export const statusTool: Tool<typeof inputSchema> = {
  name: 'tempera_status',
  title: 'Health',
  description: "The project's memory: how much is there, how it is used, what would improve it.",
  inputSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  alwaysLoad: false,
  async run(args, context) {
    const project = args.project ?? context.boundProject;
    const here = (await context.waitingHere?.().catch(() => null)) ?? null;
    let status: StatusAnswer;
    try {
      status = await context.backend.status(project);
    } catch (error) {
      return awayAnswer(error, here, context);
    }
    const searched = project === null ? 'Everything you can see' : `Project ${neutraliseLine(project, 100)}`;
    const advice = status.advice.map((line) => neutraliseLine(line, 300));
    const lines = [
      ...linesOf(status, searched, context.now()),
      ...(here === null ? [] : waitingLines(here, context.now())),
      ...advice.map((line) => `- ${line}`),
      ...(project === null ? [wordingOf(context).unbound] : []),
    ];
    return {
      parts: [textPart(lines.join('\n'))],
      structured: {
        ...status,
        lastCaptureAt: status.lastCaptureAt?.toISOString() ?? null,
        lastRun: structuredRun(status.lastRun),
        advice,
        searchedScopes: [searched.toLowerCase()],
        boundProject: context.boundProject,
        here: here === null ? null : structuredHere(here),
      },
    };
  },
};
