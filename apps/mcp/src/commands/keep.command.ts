import type { Command } from 'commander';
import { neutraliseLine } from '@tempera/client-kit';
import { z } from 'zod';
import {
  ARCHIVE_MEMORY,
  FORGET_MEMORY,
  REFUTE_MEMORY,
  RESTORE_MEMORY,
  SET_PINNED,
} from '../graphql/memory-operations.js';
import { askerOfFolder } from '../workplace.js';
import type { World } from '../world.js';
import { type AddCommand, shellOf, withJson } from './command.js';
import { typedId, typedIdOption } from './known-id.js';

type Options = Readonly<Record<string, unknown>>;

/** A command that changes one memory by its id. */
interface KeepVerb {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly query: string;
  readonly field: string;
  /** Beside the id. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** What was done, before the memory's name. */
  readonly done: string;
  /** What follows, by the short id. */
  readonly after: (id: string) => string;
}

const VERBS: readonly KeepVerb[] = [
  {
    name: 'pin',
    summary: 'keep a memory first, and from fading',
    description: 'Pins a memory: it comes first and does not fade. What is shared is pinned by its maintainers.',
    ...{ query: SET_PINNED, field: 'setPinned', variables: { pinned: true } },
    ...{ done: 'Pinned', after: () => '' },
  },
  {
    name: 'unpin',
    summary: 'take a pin off',
    description: 'Takes the pin off a memory.',
    ...{ query: SET_PINNED, field: 'setPinned', variables: { pinned: false } },
    ...{ done: 'Unpinned', after: () => '' },
  },
  {
    name: 'archive',
    summary: 'take a memory out of searches',
    description: 'Takes a memory out of searches and lists; nothing is lost.',
    ...{ query: ARCHIVE_MEMORY, field: 'archiveMemory', variables: {} },
    ...{ done: 'Archived', after: (id) => ` \`tempera restore ${id}\` brings it back.` },
  },
  {
    name: 'refute',
    summary: 'say that a memory is false',
    description:
      'Says that a memory is false: it is kept and labelled, and out of every answer. `tempera retrieve --all --refuted` lists them.',
    ...{ query: REFUTE_MEMORY, field: 'refuteMemory', variables: {} },
    ...{ done: 'Refuted', after: (id) => ` \`tempera restore ${id}\` takes it back.` },
  },
  {
    name: 'restore',
    summary: 'bring back what was archived, refuted or forgotten',
    description:
      'Brings back what was archived or refuted, gave way to a newer memory, or was forgotten within 30 days.',
    ...{ query: RESTORE_MEMORY, field: 'restoreMemory', variables: {} },
    ...{ done: 'Restored', after: () => '' },
  },
  {
    name: 'forget',
    summary: 'hide a memory at once and have it erased',
    description: 'Hides a memory at once from everybody but its author and you. It is erased after 30 days.',
    ...{ query: FORGET_MEMORY, field: 'forgetMemory', variables: {} },
    ...{ done: 'Forgotten:', after: (id) => ` For 30 days \`tempera restore ${id}\` brings it back.` },
  },
];

const REASON = ['--reason <text>', 'reason', 'why, for whoever finds it there'] as const;

/** Flag, name and help of what a verb takes beside the id. */
const OPTIONS: Readonly<Record<string, readonly (readonly [string, string, string])[]>> = {
  archive: [REASON],
  refute: [['--by <id>', 'by', 'the memory that shows it'], REASON],
};

const memoryShape = z.object({ id: z.string(), title: z.string(), state: z.string(), pinned: z.boolean() });

const run = async (verb: KeepVerb, id: string, options: Options, world: World): Promise<void> => {
  const { query, field, done, after } = verb;
  const given = Object.fromEntries(OPTIONS[verb.name]?.map(([, name]) => [name, options[name]]) ?? []);
  typedIdOption(given['by']);
  const variables = { id: typedId(id), ...verb.variables, ...given };
  // All of them may be repeated.
  const memory = await (await askerOfFolder(world)).ask(query, variables, field, memoryShape, true);
  const shown = memory.id.slice(0, 8);
  const line = `${done} ${shown} ${neutraliseLine(memory.title, 120)}.${after(shown)}`;
  shellOf(world, options).terminal.result([line], memory);
};

const addVerb = (program: Command, world: World, verb: KeepVerb): void => {
  const command = withJson(program.command(verb.name))
    .summary(verb.summary)
    .description(verb.description)
    .argument('<id>', 'as shown: 8 characters or the whole id')
    .addHelpText('after', `\nExamples:\n  tempera ${verb.name} a1b2c3d4`)
    .action((id: string, options: Options) => run(verb, id, options, world));
  for (const [flag, , told] of OPTIONS[verb.name] ?? []) command.option(flag, told);
};

/** `tempera pin`, `unpin`, `archive`, `refute`, `restore`, `forget` */
export const addKeep: AddCommand = (program, world) => {
  for (const verb of VERBS) addVerb(program, world, verb);
};
