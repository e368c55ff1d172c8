import {
  actedHeading,
  type AnswerPart,
  cleanupAnswer,
  type ClusterView,
  consolidateAnswer,
  type JudgedView,
  lookedText,
  mergedSection,
  prunedSection,
  type Section,
  sectionParts,
  upkeepPlace,
} from '@tempera/client-kit';
import { CLEANUP, CONSOLIDATE } from '../graphql/upkeep-operations.js';
import { Progress } from '../output/progress.js';
import { findWorkplace } from '../workplace.js';
import { type AddCommand, decimalOption, given, runTool, wholeOption } from './command.js';
import { named } from './lists.js';
import { UNDO_VERBS } from './undo.command.js';
import { addVerb, type Call, type Verbs } from './verb.js';

/** Whose memories: those of the project that is named, or of the folder's; or the caller's private ones. */
const projectOf = async ({ options, world }: Call): Promise<string | null> => {
  if (options['private'] === true) return null;
  if (typeof options['project'] === 'string') return options['project'];
  return (await findWorkplace(world)).binding?.project ?? null;
};

const PLACE_OPTIONS = [
  ['--project <slug>', "another project than the folder's"],
  ['--private', 'your private memories'],
] as const;
const EXECUTE = ['--execute', 'do it (else a dry run)'] as const;

const review = async (call: Call): Promise<void> => {
  const { world, terminal, options } = call;
  const scope = options['private'] === true ? 'private' : undefined;
  await runTool('tempera_review', given({ project: options['project'], scope }), { world, terminal });
};

/** What one call of the service did, and whether it has to be called again. */
interface Step {
  readonly runId: string | null;
  readonly remaining: number;
  readonly analysed: number;
  readonly total: number;
  readonly nextAfter: string | null;
}

/** Calls until everything was looked at and, with `--execute`, done; what comes of it is told together. */
const untilDone = async <Answer extends Step>(
  { world, terminal, options }: Call,
  what: string,
  send: (after: string | null) => Promise<Answer>,
): Promise<Answer[]> => {
  const progress = new Progress(world, terminal.isForPerson, what);
  const answers: Answer[] = [];
  let [after, seen]: [string | null, number] = [null, 0];
  try {
    for (;;) {
      const answer = await send(after);
      answers.push(answer);
      progress.show(seen + answer.analysed, answer.total);
      // Something is left of the same part: with effect it gets less by each call.
      if (options['execute'] === true && answer.runId !== null && answer.remaining > 0) continue;
      if (answer.nextAfter === null) return answers;
      seen += answer.analysed;
      after = answer.nextAfter;
    }
  } finally {
    progress.end();
  }
};

/** As it was typed, to be had done: the same place and limits, else something else would be changed. */
const commandToExecute = (word: string, { options }: Call): string => {
  const { project, private: isPrivate, acrossAuthors, olderThan, minUtility } = options;
  const flags = [
    ...(isPrivate === true ? ['--private'] : project === undefined ? [] : [`--project ${named(String(project))}`]),
    ...(acrossAuthors === true ? ['--across-authors'] : []),
    ...(olderThan === undefined ? [] : [`--older-than ${Number(olderThan)}`]),
    ...(minUtility === undefined ? [] : [`--min-utility ${Number(minUtility)}`]),
  ];
  return `To do it: \`${['tempera', word, ...flags, '--execute'].join(' ')}\``;
};

/** What all calls did, or would do, and how to have it done or taken back: as the tool of the same name tells it. */
interface Told {
  readonly word: string;
  readonly what: string;
  readonly project: string | null;
  readonly section: Section;
  readonly value: object;
}

const tell = (call: Call, steps: readonly Step[], { word, what, project, section, value }: Told): void => {
  const runs = steps.flatMap(({ runId }) => runId ?? []);
  const total = steps.at(-1)?.total ?? 0;
  // With effect, what one call left was done by the next.
  const remaining = runs.length > 0 ? 0 : steps.reduce((sum, step) => sum + step.remaining, 0);
  const back = `To take it back: \`tempera undo ${runs.map((id) => id.slice(0, 8)).join(' ')}\``;
  const how = remaining > 0 ? [commandToExecute(word, call)] : [];
  const lines = [
    `${upkeepPlace(project)}: ${lookedText({ analysed: total, total, complete: true })}`,
    actedHeading(what, section.lines.length, { runId: runs[0] ?? null, remaining }),
    ...(runs.length > 0 ? [back] : how),
  ];
  const parts: AnswerPart[] = [{ type: 'text', text: lines.join('\n') }, ...sectionParts([section], call.world)];
  call.terminal.answer({ parts, structured: { runIds: runs, ...value } });
};

const consolidate = async (call: Call): Promise<void> => {
  const project = await projectOf(call);
  const execute = call.options['execute'] === true;
  const acrossAuthors = call.options['acrossAuthors'] === true;
  const steps = await untilDone(call, 'looked at', (after) =>
    call.asker.ask(
      CONSOLIDATE,
      { input: { project, execute, acrossAuthors, after } },
      'consolidate',
      consolidateAnswer,
      !execute,
    ),
  );
  const clusters: ClusterView[] = steps.flatMap((step) => (execute && step.runId === null ? [] : step.clusters));
  const [word, what, section] = ['consolidate', 'Merged clusters:', mergedSection(clusters)] as const;
  tell(call, steps, { word, what, project, section, value: { clusters } });
};

const prune = async (call: Call): Promise<void> => {
  const project = await projectOf(call);
  const execute = call.options['execute'] === true;
  const limits = given({
    olderThanDays: wholeOption('older-than', call.options['olderThan']),
    minUtility: decimalOption('min-utility', call.options['minUtility']),
  });
  const steps = await untilDone(call, 'looked at', (after) =>
    call.asker.ask(CLEANUP, { input: { project, execute, after, ...limits } }, 'cleanup', cleanupAnswer, !execute),
  );
  const memories: JudgedView[] = steps.flatMap((step) => (execute && step.runId === null ? [] : step.memories));
  const section = prunedSection(memories);
  tell(call, steps, { word: 'prune', what: 'Archived', project, section, value: { memories } });
};

const VERBS: Verbs = {
  review: {
    summary: 'what is stale, repeats itself or is in conflict',
    description: 'Says what could be merged, archived or looked at. It changes nothing.',
    options: PLACE_OPTIONS,
    examples: ['review', 'review --private'],
    run: review,
  },
  consolidate: {
    summary: 'merge memories that say the same',
    description:
      'Merges memories of one author that say the same; the newest text stays. A dry run without --execute; with effect for who maintains the project.',
    options: [...PLACE_OPTIONS, ['--across-authors', 'memories of several people too'], EXECUTE],
    examples: ['consolidate', 'consolidate --execute', 'consolidate --across-authors --execute'],
    run: consolidate,
  },
  prune: {
    summary: 'archive memories that nobody needs',
    description:
      'Archives memories that are old or worth little and that nobody uses. A dry run without --execute; with effect for who maintains the project.',
    options: [
      ...PLACE_OPTIONS,
      ['--older-than <days>', "default: the project's setting"],
      ['--min-utility <share>', "0 to 1; default: the project's setting"],
      EXECUTE,
    ],
    examples: ['prune --older-than 90 --min-utility 0.2', 'prune --older-than 90 --min-utility 0.2 --execute'],
    run: prune,
  },
  ...UNDO_VERBS,
};

/** `tempera review`, `consolidate`, `prune`, and what takes them back */
export const addUpkeep: AddCommand = (program, world) => {
  const by = { sender: 'person', root: program.name() } as const;
  for (const [word, verb] of Object.entries(VERBS)) addVerb(program, word, verb, by, world);
};
