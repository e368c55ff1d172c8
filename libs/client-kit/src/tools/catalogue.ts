import type { z } from 'zod';
import { AppError } from '../app-error.js';
import { argumentFault } from './argument-fault.js';
import { captureTool } from './capture.tool.js';
import { feedbackTool } from './feedback.tool.js';
import { manageTool } from './manage.tool.js';
import { propagateTool } from './propagate.tool.js';
import { retrieveTool } from './retrieve.tool.js';
import { reviewTool } from './review.tool.js';
import { statsTool } from './stats.tool.js';
import { statusTool } from './status.tool.js';
import type { Tool, ToolAnswer, ToolContext } from './tool.js';
import { wordingOf } from './wording.js';

/** One tool of the catalogue, its arguments not yet parsed. */
export interface CatalogueTool extends Omit<Tool, 'run'> {
  /** @throws AppError `invalid-input` that names each wrong argument */
  call(args: unknown, context: ToolContext): Promise<ToolAnswer>;
}

const wrongArguments = (name: string, issues: readonly z.core.$ZodIssue[], context: ToolContext): AppError => {
  const wording = wordingOf(context);
  const told = issues.slice(0, 8).map((issue) => {
    const [first, ...rest] = issue.path;
    const argument = first === undefined ? [] : [wording.place(String(first), rest)];
    return [...argument, argumentFault(issue)].join(' ');
  });
  return new AppError('invalid-input', 'wrong-arguments', wording.wrongArguments(name, [...new Set(told)].join('; ')));
};

const entry = <Schema extends z.ZodObject>(tool: Tool<Schema>): CatalogueTool => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: tool.inputSchema,
  annotations: tool.annotations,
  alwaysLoad: tool.alwaysLoad,
  async call(args, context) {
    const parsed = tool.inputSchema.safeParse(args ?? {}, { reportInput: true });
    if (!parsed.success) throw wrongArguments(tool.name, parsed.error.issues, context);
    return tool.run(parsed.data, context);
  },
});

/** All tools, in the order in which clients list them. */
export const toolCatalogue: readonly CatalogueTool[] = [
  entry(retrieveTool),
  entry(captureTool),
  entry(feedbackTool),
  entry(statusTool),
  entry(statsTool),
  entry(propagateTool),
  entry(manageTool),
  entry(reviewTool),
];

/** @throws AppError `not-found` */
export const toolByName = (name: string): CatalogueTool => {
  const tool = toolCatalogue.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new AppError('not-found', 'no-such-tool', `There is no tool named ${name}.`);
  return tool;
};
