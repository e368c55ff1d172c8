import type { Command } from 'commander';
import { lookAtService } from '../../doctor/look-at-service.js';
import type { World } from '../../world.js';
import { shellOf, ToolFailed, withJson } from '../command.js';
import { findingLine } from '../finding-line.js';

const EXAMPLES = ['doctor', 'doctor --strict --json', 'doctor --tenant'];

interface Options {
  readonly json?: boolean;
  readonly tenant?: boolean;
  readonly strict?: boolean;
}

const look = async (options: Options, world: World): Promise<void> => {
  const { terminal } = shellOf(world, { ...options });
  const findings = await lookAtService(options.tenant === true, world);
  const isWrong = ({ verdict }: { readonly verdict: string }): boolean =>
    verdict === 'failure' || (options.strict === true && verdict === 'warning');
  const wrong = findings.filter(isWrong);
  const lines = findings.map((finding) => findingLine(finding, terminal));
  terminal.result(lines, { healthy: wrong.length === 0, findings });
  if (wrong.length === 0) return;
  // What is wrong has been said; the exit code says that something is.
  throw new ToolFailed(wrong.find((finding) => finding.kind !== undefined)?.kind ?? 'conflict');
};

/** `tempera admin doctor`: what is wrong with the instance, or with one's tenant, and what to do. */
export const addAdminDoctor = (admin: Command, world: World): void => {
  withJson(admin.command('doctor'))
    .summary('what is wrong with the instance, or your tenant (operators; owner, admin)')
    .description(
      'Looks at the database, its migrations and roles, the encoders, worker and workflow engine, promised work, nights, quotas and large tenants, and says what to do. As operator of the instance; else, or with --tenant, as owner or admin of the tenant. The exit code tells whether something is wrong.',
    )
    .option('--tenant', 'your tenant, also where you are logged in as operator')
    .option('--strict', 'what is only worth a look counts as wrong too')
    .addHelpText('after', ['\nExamples:', ...EXAMPLES.map((line) => `  tempera admin ${line}`)].join('\n'))
    .action((options: Options) => look(options, world));
};
