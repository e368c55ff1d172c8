import { type AddCommand, numberOption, runTool, shellOf, withJson } from './command.js';

type Options = Readonly<Record<string, unknown>>;

/** `tempera stats` */
export const addStats: AddCommand = (program, world) => {
  withJson(program.command('stats'))
    .summary('what the memory holds, by kind, scope and domain')
    .description("Totals of the memory of this folder's project, or of all you can see: memories, answers and votes.")
    .option('--project <slug>', "another project than the folder's")
    .addHelpText('after', '\nExamples:\n  tempera stats\n  tempera stats --project web-shop --json')
    .action((options: Options) =>
      runTool('tempera_stats', { action: 'stats', project: options['project'] }, shellOf(world, options)),
    );
};

/** `tempera trends` */
export const addTrends: AddCommand = (program, world) => {
  withJson(program.command('trends'))
    .summary('how the memory grew and helped, week by week or month by month')
    .description(
      'Draws captures, answers, the share of votes that are helpful and the place of what helped, by ISO week or month in UTC, and how the largest domains grew. Each bucket is measured against the votes given in it.',
    )
    .option('--bucket <size>', 'weekly (default), monthly')
    .option('--since <date>', 'ISO 8601 (default: twelve buckets back)')
    .option('--until <date>', 'ISO 8601 (default: now)')
    .option('--project <slug>', "another project than the folder's")
    .addHelpText('after', '\nExamples:\n  tempera trends\n  tempera trends --bucket monthly --since 2026-01-01')
    .action(async (options: Options) => {
      const { bucket, since, until, project } = options;
      await runTool('tempera_stats', { action: 'trends', bucket, since, until, project }, shellOf(world, options));
    });
};

const DEFAULT_WAIT = '30';

/** `tempera propagate` */
export const addPropagate: AddCommand = (program, world) => {
  withJson(program.command('propagate'))
    .summary('lend the worth of what proved useful to what is like it, now')
    .description(
      'Asks for a run of lending over the tenant (owner, admin) and waits for its report; for everyone else a dry run over what they see. Every night does the same.',
    )
    .option('--temporal', 'give credit along time first, as the night does')
    .option('--wait <seconds>', `for the report, up to 30 (default ${DEFAULT_WAIT})`)
    .option('--project <slug>', "of a dry run: another project than the folder's")
    .addHelpText('after', '\nExamples:\n  tempera propagate\n  tempera propagate --temporal --json')
    .action(async (options: Options) => {
      const { temporal, wait, project } = options;
      const args = { temporal, wait: numberOption(wait ?? DEFAULT_WAIT), project };
      await runTool('tempera_propagate', args, shellOf(world, options));
    });
};
