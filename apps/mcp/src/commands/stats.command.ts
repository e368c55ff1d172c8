import { type AddCommand, runTool, shellOf, withJson } from './command.js';

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
