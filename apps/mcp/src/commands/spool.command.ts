import { neutraliseLine, structuredHere, waitingLines } from '@tempera/client-kit';
import { confirm } from '../output/confirm.js';
import { Sender } from '../spool/sender.js';
import { SpoolFolder } from '../spool/spool-folder.js';
import { spoolSummary } from '../spool/spool-summary.js';
import type { World } from '../world.js';
import { type AddCommand, shellOf, withJson } from './command.js';

interface SpoolOptions {
  readonly json?: boolean;
  readonly yes?: boolean;
}

const list = async (options: SpoolOptions, world: World): Promise<void> => {
  const { terminal } = shellOf(world, { ...options });
  const here = await spoolSummary(world);
  const aside = await new SpoolFolder(world).setAsides();
  const told = waitingLines(here, world.now());
  const lines = aside.map(({ name, code, message }) => `  ${name}  ${code}: ${neutraliseLine(message, 200)}`);
  terminal.result([...(told.length === 0 ? ['Nothing waits on this machine.'] : told), ...lines], {
    ...structuredHere(here),
    aside,
  });
};

const flush = async (options: SpoolOptions, world: World): Promise<void> => {
  await new Sender(world).run(true);
  await list(options, world);
};

const retryAside = async (options: SpoolOptions, world: World): Promise<void> => {
  const { terminal } = shellOf(world, { ...options });
  const retried = await new SpoolFolder(world).retryAsides();
  terminal.result([`${retried} that were set aside wait again. \`tempera spool flush\` delivers now.`], { retried });
};

const dropAside = async (options: SpoolOptions, world: World): Promise<void> => {
  const spool = new SpoolFolder(world);
  const { terminal } = shellOf(world, { ...options });
  const { length } = await spool.setAsides();
  if (length > 0) await confirm(`Forget ${length} that were set aside?`, 'destroy', options.yes === true, world);
  const dropped = await spool.dropAsides();
  terminal.result([`Forgot ${dropped} that were set aside.`], { dropped });
};

/** `tempera spool` */
export const addSpool: AddCommand = (program, world) => {
  const spool = program
    .command('spool')
    .summary('what waits on this machine to be delivered')
    .description(
      'Turns and captures that the service does not have yet. They go out by themselves; this shows them and helps where they do not.',
    );
  withJson(spool.command('list'))
    .description('Shows what waits, since when, and what was set aside with the reason.')
    .action((options: SpoolOptions) => list(options, world));
  withJson(spool.command('flush'))
    .description('Delivers now, whatever pause is due, and shows what is left.')
    .action((options: SpoolOptions) => flush(options, world));
  withJson(spool.command('retry-aside'))
    .description('Puts what was set aside back, to be tried again.')
    .action((options: SpoolOptions) => retryAside(options, world));
  withJson(spool.command('drop-aside'))
    .description('Forgets what was set aside.')
    .option('--yes', 'do not ask')
    .action((options: SpoolOptions) => dropAside(options, world));
};
