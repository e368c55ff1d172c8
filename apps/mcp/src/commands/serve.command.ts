import { COMMAND_NAME } from '@tempera/client-kit';
import type { Endings } from '../mcp/serve.js';
import { claudeLine } from '../output/claude-line.js';
import type { World } from '../world.js';
import type { Command } from 'commander';

/** `tempera serve` */
export const addServe = (program: Command, world: World, endings: Endings): void => {
  program
    .command('serve')
    .summary('serve the tools to an MCP client on stdin and stdout')
    .description('Serves the tools to an MCP client on standard input and output. Clients start it; nobody needs to.')
    .addHelpText(
      'after',
      `\nExamples:\n  ${claudeLine(COMMAND_NAME)}\n  claude mcp add --env TEMPERA_HOME=/home/ana/.tempera --transport stdio tempera -- tempera serve`,
    )
    .action(async () => {
      if (world.stdin.isTTY === true)
        world.stderr.write('tempera: waiting for an MCP client on standard input; Ctrl-C ends.\n');
      // Loaded here only: it is most of the start-up time, and every other command does without.
      const { serveMcp } = await import('../mcp/serve.js');
      await serveMcp(world, endings);
    });
};
