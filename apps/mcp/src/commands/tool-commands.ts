import { AppError } from '@tempera/client-kit';
import { readInput } from '../output/prompt.js';
import type { World } from '../world.js';
import { type AddCommand, listOption, numberOption, runTool, shellOf, withJson } from './command.js';
import { typedId, typedIdOption } from './known-id.js';

type Options = Readonly<Record<string, unknown>>;

const MAX_INPUT_BYTES = 1024 * 1024;

/** `tempera retrieve` */
export const addRetrieve: AddCommand = (program, world) => {
  withJson(program.command('retrieve'))
    .summary('find what the team already knows')
    .description('Finds what the team already knows: by a question, by the id of a memory, or the newest with --all.')
    .argument('[query...]', 'a question, an error message, or an id')
    .option('--all', 'the newest, without a question')
    .option('--limit <n>', 'how many (default 5)')
    .option('--kinds <a,b>', 'episode, preference, background, decision, todo, correction, question')
    .option('--tags <a,b>', 'only with these tags')
    .option('--files <a,b>', 'only about these files')
    .option('--since <date>', 'ISO 8601')
    .option('--until <date>', 'ISO 8601')
    .option('--refuted', 'only what was refuted')
    .option('--as-of <date>', 'what was known and valid then, in the words of then')
    .option('--scope <scope>', 'private, project, group or tenant')
    .option('--group <slug>', 'only what this group shares')
    .option('--project <slug>', "another project than the folder's")
    .option('--explain', 'why each hit ranks so')
    .option('--max-tokens <n>', 'how long the answer may be (default 2000)')
    .addHelpText(
      'after',
      '\nExamples:\n  tempera retrieve why does the pool run dry under load\n  tempera retrieve a1b2c3d4\n  tempera retrieve --all --kinds decision --limit 20\n\nAn id that is not known ends with exit code 4, even where it was then found as a word.',
    )
    .action(async (words: string[], options: Options) => {
      const args = {
        query: words.length === 0 ? undefined : words.join(' '),
        all: options['all'],
        limit: numberOption(options['limit']),
        kinds: listOption(options['kinds']),
        tags: listOption(options['tags']),
        files: listOption(options['files']),
        since: options['since'],
        until: options['until'],
        as_of: options['asOf'],
        refuted: options['refuted'],
        scope: options['scope'],
        group: options['group'],
        project: options['project'],
        explain: options['explain'],
        max_tokens: numberOption(options['maxTokens']),
      };
      await runTool('tempera_retrieve', args, shellOf(world, options));
    });
};

/** `tempera brief` */
export const addBrief: AddCommand = (program, world) => {
  withJson(program.command('brief'))
    .summary('what to know before a task')
    .description(
      'Tells what is worth knowing before a task: corrections, questions that should have been asked, decisions in force, the same errors with their resolutions, open todos, and what was rejected and when to look at it again.',
    )
    .argument('[task...]', 'what is to be done; an error message can be part of it')
    .option('--files <a,b>', 'files that it is about')
    .option('--type <type>', 'bugfix, feature, refactor, test, docs, research, debug, setup, unknown')
    .option('--domain <tag>', 'a tag')
    .option('--limit <n>', 'items of each part (default 5, at most 10)')
    .option('--project <slug>', "another project than the folder's")
    .option('--max-tokens <n>', 'how long the brief may be (default 2000)')
    .addHelpText(
      'after',
      '\nExamples:\n  tempera brief move the reports to the replica --files src/reports.ts\n  tempera brief --type bugfix --domain database --max-tokens 800',
    )
    .action(async (words: string[], options: Options) => {
      const args = {
        query: words.length === 0 ? undefined : words.join(' '),
        brief: { files: listOption(options['files']), type: options['type'], domain: options['domain'] },
        limit: numberOption(options['limit']),
        project: options['project'],
        max_tokens: numberOption(options['maxTokens']),
      };
      await runTool('tempera_retrieve', args, shellOf(world, options));
    });
};

const captureText = async (options: Options, world: World): Promise<string> => {
  const given = [options['prompt'], options['text']].filter((text) => typeof text === 'string');
  const [text] = given;
  if (given.length > 1) throw new AppError('invalid-input', 'two-texts', 'Give either --prompt or --text, not both.');
  if (text !== undefined) return text;
  if (world.stdin.isTTY === true) {
    throw new AppError('invalid-input', 'no-text', 'There is nothing to capture.', {
      details: { fix: 'Say --text "what was learned", or pipe it in.' },
    });
  }
  return readInput(world, MAX_INPUT_BYTES);
};

/** `the error => its resolution`; nothing behind the arrow says that it is unresolved. */
const resolvedErrors = (values: readonly string[]): { error: string; resolution?: string }[] =>
  values.map((value) => {
    const at = value.indexOf('=>');
    const [error, resolution] = [value.slice(0, at).trim(), value.slice(at + 2).trim()];
    if (at < 0 || error === '') {
      throw new AppError('invalid-input', 'error-form', `--error ${value} does not say how the error was resolved.`, {
        details: { fix: 'Write --error "the error => its resolution", or "the error =>" while it is unresolved.' },
      });
    }
    return resolution === '' ? { error } : { error, resolution };
  });

const captureArguments = (text: string, options: Options): Record<string, unknown> => {
  const errors = Array.isArray(options['error']) ? options['error'].map(String) : undefined;
  return {
    summary: text,
    title: options['title'],
    kind: options['kind'],
    task_type: options['taskType'],
    outcome: options['outcome'],
    files_modified: listOption(options['files']),
    tags: listOption(options['tags']),
    errors_resolved: errors === undefined ? undefined : resolvedErrors(errors),
    validity: options['validity'],
    verification: options['verification'],
    expires: options['expires'],
    pin: options['pin'],
    supersedes: typedIdOption(options['supersedes']),
    scope: options['scope'],
    group: options['group'],
    session_id: options['session'],
    prompt_id: options['promptKey'],
    project: options['project'],
  };
};

/** `tempera capture` */
export const addCapture: AddCommand = (program, world) => {
  withJson(program.command('capture'))
    .summary('keep what was learned')
    .description('Keeps what was learned: shared with the project of this folder, else private.')
    .option('--text <text>', 'what was learned; without it, standard input is read')
    .option('--prompt <text>', 'the same as --text')
    .option('--title <line>', 'else made from the text')
    .option('--kind <kind>', 'episode (default), preference, background, decision, todo, correction, question')
    .option('--task-type <type>', 'bugfix, feature, refactor, test, docs, research, debug, setup')
    .option('--outcome <outcome>', 'success, partial, failure')
    .option('--tags <a,b>', 'words to find it by')
    .option('--files <a,b>', 'files that were changed')
    .option('--error <text...>', '"the error => its resolution", or "the error =>" while unresolved')
    .option('--validity <validity>', 'forever, language, domain, project, dependency, workaround, none')
    .option('--verification <state>', 'untested, tests_pass, merged, stable, across_projects')
    .option('--expires <date>', 'ISO 8601')
    .option('--pin', 'keep it first, and from fading')
    .option('--supersedes <id>', 'the memory whose place it takes')
    .option('--scope <scope>', 'private, project, group or tenant')
    .option('--group <slug>', 'for scope group, where the project is in several')
    .option('--session <key>', 'captures of one session belong together')
    .option('--prompt-key <key>', 'captures of one prompt of a session are one memory')
    .option('--project <slug>', "another project than the folder's")
    .addHelpText(
      'after',
      '\nExamples:\n  tempera capture --text "The staging database is restored every Monday" --kind background\n  tempera capture --text "Fixed the pool leak" --outcome success --error "timeout acquiring client => close in finally"\n  cat notes.md | tempera capture --kind decision --scope private',
    )
    .action(async (options: Options) => {
      const text = await captureText(options, world);
      await runTool('tempera_capture', captureArguments(text, options), shellOf(world, options));
    });
};

const VERDICTS: Readonly<Record<string, boolean>> = { helpful: true, unhelpful: false };

const readVerdict = (word: string): boolean => {
  const isHelpful = Object.hasOwn(VERDICTS, word) ? VERDICTS[word] : undefined;
  if (isHelpful === undefined) throw new AppError('invalid-input', 'verdict', 'Say helpful or unhelpful.');
  return isHelpful;
};

/** `tempera feedback` */
export const addFeedback: AddCommand = (program, world) => {
  withJson(program.command('feedback'))
    .summary('say whether memories helped')
    .description('Votes on memories that were shown to you. The last vote stands.')
    .argument('<verdict>', 'helpful or unhelpful')
    .requiredOption('--episodes <a,b>', 'ids as shown')
    .option('--retrieval <id>', 'the answer that showed them (default: the latest)')
    .option('--note <text>', 'why')
    .option('--withdraw', 'take the vote back')
    .addHelpText(
      'after',
      '\nExamples:\n  tempera feedback helpful --episodes a1b2c3d4,b2c3d4e5\n  tempera feedback unhelpful --episodes a1b2c3d4 --note "fixed in version 3"\n\nExit code 4 when no vote was taken, 5 when some were not; the answer says which and why.',
    )
    .action(async (verdict: string, options: Options) => {
      const args = {
        episode_ids: listOption(options['episodes'])?.map(typedId),
        helpful: readVerdict(verdict),
        retrieval_id: typedIdOption(options['retrieval']),
        note: options['note'],
        withdraw: options['withdraw'],
      };
      await runTool('tempera_feedback', args, shellOf(world, options));
    });
};

/** `tempera status` */
export const addStatus: AddCommand = (program, world) => {
  withJson(program.command('status'))
    .summary("health of the project's memory")
    .description("Health of the memory of this folder's project, or of all you can see, with advice.")
    .option('--project <slug>', "another project than the folder's")
    .action((options: Options) => runTool('tempera_status', { project: options['project'] }, shellOf(world, options)));
};
