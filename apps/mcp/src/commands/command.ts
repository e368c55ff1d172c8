import type { Command } from 'commander';
import { AppError, type AppErrorKind, readMoment, toolByName } from '@tempera/client-kit';
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

/** A whole number as typed; undefined where the option was not given. @throws AppError `invalid-input` */
export const wholeOption = (name: string, value: unknown): number | undefined => {
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new AppError('invalid-input', 'not-a-number', `--${name} is a whole number.`);
};

/** A number as typed; undefined where the option was not given. @throws AppError `invalid-input` */
export const decimalOption = (name: string, value: unknown): number | undefined => {
  const number = numberOption(value);
  if (typeof number === 'string') throw new AppError('invalid-input', 'not-a-number', `--${name} is a number.`);
  return number;
};

/** A moment as typed, in ISO 8601; undefined where the option was not given. @throws AppError `invalid-input` */
export const momentOption = (name: string, value: unknown): string | undefined =>
  value === undefined ? undefined : readMoment(`--${name}`, String(value));

/** A word of a closed list, as the service writes it; refused here, where the list can be shown. */
export const wordOption = (name: string, value: unknown, words: readonly string[]): string | undefined => {
  if (value === undefined) return undefined;
  const word = String(value).trim().toLowerCase();
  if (words.includes(word)) return word.toUpperCase().replaceAll('-', '_');
  throw new AppError('invalid-input', 'not-a-word', `${name} is one of: ${words.join(', ')}.`);
};

/** Roles in a tenant and in a project, as they are typed. */
export const TENANT_ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export const PROJECT_ROLES = ['maintainer', 'contributor', 'reader'] as const;

/** Only the options that were given, so that the tool's defaults hold for the rest. */
export const given = (args: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

/** Runs the same tool as the MCP server does, with the same contract. @throws AppError; {@link ToolFailed} when a part of it was not done */
export const runTool = async (name: string, args: Readonly<Record<string, unknown>>, shell: Shell): Promise<void> => {
  const answer = await toolByName(name).call(given(args), await toolContext(shell.world, 'CLI'));
  shell.terminal.answer(answer);
  const undone = answer.failed === true ? 'not-found' : answer.shortOf;
  if (undone !== undefined) throw new ToolFailed(undone);
};

/** The answer has told already what was not done and why; only the exit code is left to set. */
export class ToolFailed extends AppError {
  constructor(kind: AppErrorKind) {
    super(kind, 'not-all-done', 'Not everything was done.');
  }
}
