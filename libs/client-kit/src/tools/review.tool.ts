import { z } from 'zod';
import type { CleanupAnswer, ClusterView, ConsolidateAnswer, JudgedView, UpkeepRequest } from '../review-view.js';
import { projectArgument } from './arguments.js';
import {
  actedHeading,
  lookedText,
  mergedSection,
  prunedSection,
  reviewSections,
  sectionParts,
  upkeepPlace,
} from './review-text.js';
import { textPart, type Tool, type ToolAnswer, type ToolContext } from './tool.js';
import { type Wording, wordingOf } from './wording.js';

const inputSchema = z.strictObject({
  action: z.enum(['analyze', 'consolidate', 'cleanup']).optional().describe('default analyze'),
  execute: z.boolean().optional().describe('else a dry run'),
  scope: z.enum(['project', 'private']).optional(),
  project: projectArgument.optional(),
});
type Arguments = z.output<typeof inputSchema>;

const requestOf = (args: Arguments, { boundProject }: ToolContext): UpkeepRequest => ({
  project: args.scope === 'private' ? null : (args.project ?? boundProject),
  execute: args.execute === true,
});

/** The lists of an answer for programs: ids and numbers, no stored text. */
const listsWithoutText = (answer: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(answer).flatMap(([name, list]) =>
      Array.isArray(list) ? [[name, list.map((item: JudgedView | ClusterView) => withoutText(item))]] : [],
    ),
  );

const withoutText = (item: JudgedView | ClusterView): Record<string, unknown> =>
  'memory' in item
    ? { id: item.memory.id, utility: item.utility, daysUnused: item.daysUnused, reasons: item.reasons }
    : {
        id: item.survivor.id,
        merged: item.merged.map(({ id }) => id),
        similarity: item.similarity,
        acrossAuthors: item.acrossAuthors,
      };

/** How to have it done, or taken back. */
const nextStep = (
  wording: Wording,
  action: 'consolidate' | 'cleanup',
  { runId, remaining }: Pick<ConsolidateAnswer | CleanupAnswer, 'runId' | 'remaining'>,
  asked: Arguments,
): string[] => {
  if (runId !== null) return [wording.undo(runId)];
  return remaining > 0 ? [wording.execute(action, asked)] : [];
};

const analyze = async (args: Arguments, context: ToolContext): Promise<ToolAnswer> => {
  const request = requestOf(args, context);
  const found = await context.backend.review(request.project);
  const wording = wordingOf(context);
  const lines = [
    `${upkeepPlace(request.project)}: ${lookedText(found)}`,
    `Stale ${found.staleCount}, clusters ${found.clusterCount}, of several people ${found.proposalCount}, prunable ${found.prunableCount}, conflicts ${found.conflicts}; near pairs that the conflict guard keeps apart ${found.guarded}. Nothing was changed.`,
    ...(found.mayExecute
      ? [
          ...(found.clusterCount > 0 ? [wording.execute('consolidate', args)] : []),
          ...(found.prunableCount > 0 ? [wording.execute('cleanup', args)] : []),
        ]
      : ['With effect it is for who maintains the project.']),
  ];
  return {
    parts: [textPart(lines.join('\n')), ...sectionParts(reviewSections(found), context)],
    structured: { ...found, ...listsWithoutText(found) },
  };
};

const consolidate = async (args: Arguments, context: ToolContext): Promise<ToolAnswer> => {
  const request = requestOf(args, context);
  const answer = await context.backend.consolidate(request);
  const { clusters } = answer;
  const lines = [
    `${upkeepPlace(request.project)}: ${lookedText(answer)}`,
    actedHeading('Merged clusters:', clusters.length, answer),
    ...nextStep(wordingOf(context), 'consolidate', answer, args),
  ];
  return {
    parts: [textPart(lines.join('\n')), ...sectionParts([mergedSection(clusters)], context)],
    structured: { ...answer, ...listsWithoutText(answer) },
  };
};

const cleanup = async (args: Arguments, context: ToolContext): Promise<ToolAnswer> => {
  const request = requestOf(args, context);
  const answer = await context.backend.cleanup(request);
  const { memories } = answer;
  const lines = [
    `${upkeepPlace(request.project)}: ${lookedText(answer)}`,
    actedHeading('Archived', memories.length, answer),
    ...nextStep(wordingOf(context), 'cleanup', answer, args),
  ];
  return {
    parts: [textPart(lines.join('\n')), ...sectionParts([prunedSection(memories)], context)],
    structured: { ...answer, ...listsWithoutText(answer) },
  };
};

const ACTIONS = { analyze, consolidate, cleanup } as const;

/** Finds what repeats itself or is of no use, and tidies it up. */
export const reviewTool: Tool<typeof inputSchema> = {
  name: 'tempera_review',
  title: 'Tidy up the team memory',
  description:
    'What is stale, says the same or is in conflict; consolidate merges, cleanup archives. A dry run unless execute; all can be undone.',
  inputSchema,
  annotations: { openWorldHint: false },
  alwaysLoad: false,
  run: (args, context) => ACTIONS[args.action ?? 'analyze'](args, context),
};
