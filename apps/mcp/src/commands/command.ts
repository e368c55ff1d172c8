import type { Command } from 'commander';
import { AppError, toolByName } from '@tempera/client-kit';
import { Terminal } from '../output/terminal.js';
import { toolContext } from '../workplace.js';
import type { World } from '../world.js';

/** What a command has at hand. */
export interface Shell {
  readonly world: World;
  readonly terminal: Terminal;
}

/** Adds one command to the program. */
export type AddCommand = (program: Command, world: World) => void;

/** Every command that prints a result can print it as JSON. */
export const withJson = (command: Command): Command => command.option('--json', 'print the result as JSON');

/** The terminal of a command, by its own options. */
export const shellOf = (world: World, options: Readonly<Record<string, unknown>>): Shell => ({
  world,
  terminal: new Terminal(world, options['json'] === true),
});

/** `a, b,c` as a list; undefined where the option was not given. */
export const listOption = (value: unknown): string[] | undefined => {
  if (typeof value !== 'string') return undefined;
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
};

/** A number as typed; what is no number is left for the tool's schema to refuse by name. */
export const numberOption = (value: unknown): number | string | undefined => {
  if (typeof value !== 'string') return undefined;
  return value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value);
};

/** Only the options that were given, so that the tool's defaults hold for the rest. */
export const given = (args: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

/** Runs the same tool as the MCP server does, with the same contract. @throws AppError; `not-found` when nothing was done */
export const runTool = async (name: string, args: Readonly<Record<string, unknown>>, shell: Shell): Promise<void> => {
  const answer = await toolByName(name).call(given(args), await toolContext(shell.world, 'CLI'));
  shell.terminal.answer(answer);
  if (answer.failed === true) throw new ToolFailed();
};

/** The answer has told already why nothing was done; only the exit code is left to set. */
export class ToolFailed extends AppError {
  constructor() {
    super('not-found', 'nothing-done', 'Nothing was done.');
  }
}
