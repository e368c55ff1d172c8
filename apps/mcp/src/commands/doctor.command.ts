import { type AppErrorKind, errorTable } from '@tempera/client-kit';
import { lookAround } from '../doctor/look-around.js';
import type { World } from '../world.js';
import { type AddCommand, shellOf, withJson } from './command.js';
import { findingLine } from './finding-line.js';

/** `tempera doctor`: sets the exit code of the first failure's kind through `fail`. */
export const addDoctor =
  (fail: (exitCode: number) => void): AddCommand =>
  (program, world: World) => {
    withJson(program.command('doctor'))
      .summary('find out why something does not work')
      .description(
        'Looks at the server, versions, the login, the clock and the binding of this folder, and says what to do.',
      )
      .action(async (options: { readonly json?: boolean }) => {
        const { terminal } = shellOf(world, { ...options });
        const findings = await lookAround(world);
        const failed = findings.find((finding) => finding.verdict === 'failure');
        terminal.result(
          findings.map((finding) => findingLine(finding, terminal)),
          { healthy: failed === undefined, findings },
        );
        if (failed !== undefined) fail(errorTable[failed.kind ?? ('internal' satisfies AppErrorKind)].exitCode);
      });
  };
