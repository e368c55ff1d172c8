import { AppError, neutraliseLine, redactValues, removedLine, removedSecrets, sumRemoved } from '@tempera/client-kit';
import { z } from 'zod';
import { EDIT_MEMORY, READ_REVISION } from '../graphql/memory-operations.js';
import { readInput } from '../output/prompt.js';
import { askerOfFolder } from '../workplace.js';
import type { World } from '../world.js';
import {
  type AddCommand,
  given,
  listOption,
  momentOption,
  shellOf,
  wholeOption,
  withJson,
  wordOption,
} from './command.js';
import { typedId, typedIdOption } from './known-id.js';

type Options = Readonly<Record<string, unknown>>;

const MAX_INPUT_BYTES = 1024 * 1024;
const KINDS = ['episode', 'preference', 'background', 'decision', 'todo', 'correction', 'question'];
const OUTCOMES = ['success', 'partial', 'failure'];
const VALIDITIES = ['forever', 'language', 'domain', 'project', 'dependency', 'workaround', 'none'];
const VERIFICATIONS = ['untested', 'tests_pass', 'merged', 'stable', 'across_projects'];

const revisionShape = z.object({ id: z.string(), title: z.string(), revision: z.number() });
const editedShape = z.object({
  memory: z.object({ id: z.string(), title: z.string(), revision: z.number(), tags: z.array(z.string()) }),
  changed: z.array(z.string()),
  conflicts: z.array(
    z.object({ memory: z.object({ id: z.string(), title: z.string() }), differences: z.array(z.string()) }),
  ),
  redacted: removedSecrets.default([]),
});
type Edited = z.output<typeof editedShape>;

/** `-` stands for standard input. */
const textOf = async (text: unknown, world: World): Promise<unknown> =>
  text === '-' ? readInput(world, MAX_INPUT_BYTES) : text;

/** `none` takes a value away. */
const orNone = <T>(value: unknown, read: (value: unknown) => T): T | null => (value === 'none' ? null : read(value));

const inputOf = async (options: Options, world: World): Promise<Record<string, unknown>> => {
  const input = given({
    text: await textOf(options['text'], world),
    title: options['title'],
    kind: wordOption('--kind', options['kind'], KINDS),
    outcome: orNone(options['outcome'], (value) => wordOption('--outcome', value, OUTCOMES)),
    tags: listOption(options['tags']),
    filesModified: listOption(options['files']),
    validity: wordOption('--validity', options['validity'], VALIDITIES),
    verification: wordOption('--verification', options['verification'], VERIFICATIONS),
    expiresAt: orNone(options['expires'], (value) => momentOption('expires', value)),
    supersedes: typedIdOption(options['supersedes']),
  });
  if (Object.keys(input).length > 0) return input;
  throw new AppError('invalid-input', 'nothing-to-edit', 'Say what to change.', {
    details: { fix: 'Give --text, --title, --tags or another option.' },
  });
};

const linesOf = ({ memory, changed, conflicts, redacted }: Edited): string[] => {
  const name = `${memory.id.slice(0, 8)} ${neutraliseLine(memory.title, 120)}`;
  if (changed.length === 0) return [`Unchanged: ${name} says that already.`];
  return [
    `Edited ${name} (${changed.join(', ')}); revision ${memory.revision}.`,
    ...(redacted.length === 0 ? [] : [`  ${removedLine(redacted) ?? ''}`]),
    ...conflicts.map(
      ({ memory: other, differences }) =>
        `  contradicts ${other.id.slice(0, 8)} ${neutraliseLine(other.title, 120)}: ${neutraliseLine(differences.join('; '), 200)}`,
    ),
  ];
};

const edit = async (word: string, options: Options, world: World): Promise<void> => {
  const id = typedId(word);
  const asked = wholeOption('revision', options['revision']);
  const { value: input, removed } = redactValues(await inputOf(options, world));
  const asker = await askerOfFolder(world);
  // Without a revision the one that is there now is meant: whoever comes in between is still noticed.
  const expectedRevision = asked ?? (await asker.ask(READ_REVISION, { id }, 'memory', revisionShape, true)).revision;
  // With a key of its own the request may be sent again.
  const variables = { id, expectedRevision, input: { ...input, idempotencyKey: world.newId() } };
  const answer = await asker.ask(EDIT_MEMORY, variables, 'editMemory', editedShape, true);
  const edited = { ...answer, redacted: sumRemoved([removed, answer.redacted]) };
  shellOf(world, options).terminal.result(linesOf(edited), edited);
};

/** `tempera edit` */
export const addEdit: AddCommand = (program, world) => {
  withJson(program.command('edit'))
    .summary('change what a memory says')
    .description('Changes a memory of yours, or one that you maintain. What you leave out stays; the old text is kept.')
    .argument('<id>', 'as shown: 8 characters or the whole id')
    .option('--text <text>', 'the new text; - reads standard input')
    .option('--title <line>', 'the new title')
    .option('--kind <kind>', KINDS.join(', '))
    .option('--outcome <outcome>', `${OUTCOMES.join(', ')}, or none`)
    .option('--tags <a,b>', 'in place of the old ones')
    .option('--files <a,b>', 'in place of the old ones')
    .option('--validity <validity>', VALIDITIES.join(', '))
    .option('--verification <state>', VERIFICATIONS.join(', '))
    .option('--expires <date>', 'ISO 8601, or none')
    .option('--supersedes <id>', 'the memory whose place it takes')
    .option('--revision <n>', 'only if it is still at this revision')
    .addHelpText(
      'after',
      '\nExamples:\n  tempera edit a1b2c3d4 --text "The pool has 40 connections since March"\n  tempera edit a1b2c3d4 --tags postgres,pool --outcome success',
    )
    .action((id: string, options: Options) => edit(id, options, world));
};

/** `tempera expire` */
export const addExpire: AddCommand = (program, world) => {
  withJson(program.command('expire'))
    .summary('say until when a memory holds')
    .description('Says until when a memory holds; from then on it is in no answer.')
    .argument('<id>', 'as shown: 8 characters or the whole id')
    .argument('<date>', 'ISO 8601, or none')
    .addHelpText('after', '\nExamples:\n  tempera expire a1b2c3d4 2027-01-31\n  tempera expire a1b2c3d4 none')
    .action((id: string, expires: string, options: Options) => edit(id, { ...options, expires }, world));
};
