import type { Command } from 'commander';
import { confirm } from '../../output/confirm.js';
import type { Terminal } from '../../output/terminal.js';
import { operatorAsker } from '../../state/operator-login.js';
import { askerOfFolder } from '../../workplace.js';
import type { World } from '../../world.js';
import { shellOf, withJson } from '../command.js';
import type { Asker } from '../pages.js';

/** What a command has at hand when it runs. */
export interface Call {
  readonly world: World;
  readonly terminal: Terminal;
  /** Sends operations as the person of this folder's login, or as the operator. */
  readonly asker: Asker;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** One command under a noun: `tempera admin <noun> <verb>`. */
export interface Verb {
  /** Its arguments, such as `<id>`. */
  readonly args?: string;
  readonly summary: string;
  /** More than the summary says. */
  readonly description?: string;
  /** Flags and what they mean. */
  readonly options?: readonly (readonly [flags: string, meaning: string])[];
  /** Whole lines without `tempera admin`. */
  readonly examples: readonly string[];
  /** Asked before something that others notice or that cannot be taken back; `--yes` answers it. */
  readonly question?: (args: readonly string[]) => string;
  readonly run: (call: Call) => Promise<void>;
}

/** Verbs of a noun by their word. */
export type Verbs = Readonly<Record<string, Verb>>;

/** Who sends the operations of a noun. */
export type Sender = 'person' | 'operator';

const askerOf = (sender: Sender, world: World): Promise<Asker> =>
  sender === 'operator' ? operatorAsker(world) : askerOfFolder(world);

const addVerb = (noun: Command, word: string, verb: Verb, sender: Sender, world: World): void => {
  const usage = verb.args === undefined ? word : `${word} ${verb.args}`;
  const command = withJson(noun.command(usage))
    .summary(verb.summary)
    .description(verb.description ?? verb.summary);
  for (const [flags, meaning] of verb.options ?? []) command.option(flags, meaning);
  if (verb.question !== undefined) command.option('--yes', 'do not ask');
  command.addHelpText('after', ['\nExamples:', ...verb.examples.map((line) => `  tempera admin ${line}`)].join('\n'));
  command.action(async () => {
    const options: Readonly<Record<string, unknown>> = command.opts();
    const { terminal } = shellOf(world, options);
    const asker = await askerOf(sender, world);
    const { args } = command;
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
}

/** Adds a noun with its verbs. */
export const addNoun = (admin: Command, world: World, { name, summary, sender, verbs }: Noun): void => {
  const told = `${summary} (${sender === 'operator' ? 'operators' : 'owner, admin'})`;
  const noun = admin.command(name).summary(told).description(`${told}.`);
  for (const [word, verb] of Object.entries(verbs)) addVerb(noun, word, verb, sender, world);
};
