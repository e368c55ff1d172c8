import type { Command } from 'commander';
import { confirm } from '../output/confirm.js';
import type { Terminal } from '../output/terminal.js';
import { notLoggedIn } from '../state/access-tokens.js';
import { operatorAsker } from '../state/operator-login.js';
import { askerOfFolder } from '../workplace.js';
import type { World } from '../world.js';
import { shellOf, withJson } from './command.js';
import { type IdList, knownId, typedId } from './known-id.js';
import type { Asker } from './pages.js';

/** What a command has at hand when it runs. */
export interface Call {
  readonly world: World;
  readonly terminal: Terminal;
  /** Sends operations as the person of this folder's login, or as the operator. */
  readonly asker: Asker;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** One command: `tempera [admin] <noun> <verb>`, or a verb alone. */
export interface Verb {
  /** Its arguments, such as `<id>`. */
  readonly args?: string;
  readonly summary: string;
  /** More than the summary says. */
  readonly description?: string;
  /** Flags and what they mean. */
  readonly options?: readonly (readonly [flags: string, meaning: string])[];
  /** Which arguments are ids, by their place, and of what: eight characters of one are enough there. */
  readonly ids?: Readonly<Record<number, IdList>>;
  /** How many of the first arguments are ids of memories or runs, which the service completes. */
  readonly typedIds?: number;
  /** Whole lines, without the name of the program and `admin`. */
  readonly examples: readonly string[];
  /** Asked before something that others notice or that cannot be taken back; `--yes` answers it. */
  readonly question?: (args: readonly string[]) => string;
  /** Whether it does without the service, and so without a login. */
  readonly isOffline?: (args: readonly string[]) => boolean;
  readonly run: (call: Call) => Promise<void>;
}

/** Verbs of a noun by their word. */
export type Verbs = Readonly<Record<string, Verb>>;

/** Who sends the operations of a noun. */
export type Sender = 'person' | 'operator';

const askerOf = (sender: Sender, world: World): Promise<Asker> =>
  sender === 'operator' ? operatorAsker(world) : askerOfFolder(world);

/** Sends nothing. */
const NOBODY: Asker = { ask: () => Promise.reject(notLoggedIn()) };

const wholeIds = (args: readonly string[], { ids = {}, typedIds = 0 }: Verb, asker: Asker): Promise<string[]> =>
  Promise.all(
    args.map((word, place) => {
      const list = ids[place];
      if (list !== undefined) return knownId(asker, list, word);
      return place < typedIds ? typedId(word) : word;
    }),
  );

/** A summary stands in a list of commands; at the top of its help it is a sentence. */
const sentence = (summary: string): string =>
  `${summary.charAt(0).toUpperCase()}${summary.slice(1)}${summary.endsWith('.') ? '' : '.'}`;

/** `tempera` or `tempera admin`, above a noun or a verb. */
const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

/** Adds one verb to a noun or to the program. @param root what stands before the examples */
export const addVerb = (
  parent: Command,
  word: string,
  verb: Verb,
  by: { sender: Sender; root: string; isDefault?: boolean },
  world: World,
): void => {
  const usage = verb.args === undefined ? word : `${word} ${verb.args}`;
  const command = withJson(parent.command(usage, { isDefault: by.isDefault === true }))
    .summary(verb.summary)
    .description(sentence(verb.description ?? verb.summary));
  for (const [flags, meaning] of verb.options ?? []) command.option(flags, meaning);
  if (verb.question !== undefined) command.option('--yes', 'do not ask');
  command.addHelpText('after', ['\nExamples:', ...verb.examples.map((line) => `  ${by.root} ${line}`)].join('\n'));
  command.action(async () => {
    const options: Readonly<Record<string, unknown>> = command.opts();
    const { terminal } = shellOf(world, options);
    const asker = verb.isOffline?.(command.args) === true ? NOBODY : await askerOf(by.sender, world);
    const args = await wholeIds(command.args, verb, asker);
    if (verb.question !== undefined) await confirm(verb.question(args), 'destroy', options['yes'] === true, world);
    await verb.run({ world, terminal, asker, args, options });
  });
};

/** A noun with its verbs. */
export interface Noun {
  readonly name: string;
  readonly summary: string;
  readonly sender: Sender;
  readonly verbs: Verbs;
  /** What the noun alone does; else it explains itself. */
  readonly defaultVerb?: string;
}

/** Adds a noun with its verbs, to the program or to `tempera admin`. */
export const addNoun = (parent: Command, world: World, { name, summary, sender, verbs, defaultVerb }: Noun): void => {
  const by = { sender, root: pathOf(parent) };
  const noun = parent.command(name).summary(summary).description(sentence(summary));
  for (const [word, verb] of Object.entries(verbs))
    addVerb(noun, word, verb, { ...by, isDefault: word === defaultVerb }, world);
};
