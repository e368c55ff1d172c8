import { Command, CommanderError } from 'commander';
import { AppError, errorTable, tellError, COMMAND_NAME } from '@tempera/client-kit';
import { addAdmin } from './commands/admin/admin.command.js';
import { ToolFailed } from './commands/command.js';
import { addApprove } from './commands/approve.command.js';
import { addDoctor } from './commands/doctor.command.js';
import { addEdit, addExpire } from './commands/edit.command.js';
import { addExport } from './commands/export.command.js';
import { addHeaders } from './commands/headers.command.js';
import { addImportTranscripts } from './commands/import-transcripts.command.js';
import { addImport } from './commands/import.command.js';
import { addInit } from './commands/init.command.js';
import { addInvite, addLoginCode } from './commands/invite.command.js';
import { addConversations, addDistil } from './commands/conversations.command.js';
import { addConflicts } from './commands/conflicts.command.js';
import { addKeep } from './commands/keep.command.js';
import { addLogin } from './commands/login.command.js';
import { addLogout } from './commands/logout.command.js';
import { addProject } from './commands/project.command.js';
import { addProposals } from './commands/proposals.command.js';
import { addServe } from './commands/serve.command.js';
import { addSessions } from './commands/sessions.command.js';
import { addSharing } from './commands/share.command.js';
import { addSpool } from './commands/spool.command.js';
import { addPropagate, addStats, addTrends } from './commands/stats.command.js';
import { addToken } from './commands/token.command.js';
import { addBrief, addCapture, addFeedback, addRetrieve, addStatus } from './commands/tool-commands.js';
import { addProfile } from './commands/profile.command.js';
import { addUpkeep } from './commands/upkeep.command.js';
import { addUsage } from './commands/usage.command.js';
import { addWhoami } from './commands/whoami.command.js';
import type { Endings } from './mcp/serve.js';
import { claudeLine } from './output/claude-line.js';
import { Terminal } from './output/terminal.js';
import type { World } from './world.js';

const HELP_AFTER = `
Exit codes: 0 done, 1 a fault of ours, 2 wrong input, 3 not logged in or not allowed, 4 not found, 5 conflict or limit,
6 the service cannot be reached.

Start here:
  tempera login --server https://tempera.example
  cd my-repository && tempera init
  ${claudeLine(COMMAND_NAME)}`;

/** Examples name the command; where that name is not on the path, one line says what it stands for. */
const standsFor = ({ invocation }: World): string =>
  invocation === COMMAND_NAME ? '' : `\n${COMMAND_NAME} is not on your PATH; here it stands for: ${invocation}`;

/** Commander's own refusals are wrong input; its help and version are no errors. It has told a person already. */
const commanderExit = (error: CommanderError, world: World, isJson: boolean): number => {
  if (error.exitCode === 0) return 0;
  if (isJson) {
    const isLacking = error.code === 'commander.help';
    const message = isLacking ? 'The command is not complete.' : error.message.replace(/^error: /, '');
    new Terminal(world, true).error(tellError(new AppError('invalid-input', 'usage', message), 'person'));
  }
  return errorTable['invalid-input'].exitCode;
};

/** All commands. @param fail sets the exit code of a command that was done */
export const buildProgram = (
  world: World,
  isJson: boolean,
  endings: Endings,
  fail: (exitCode: number) => void,
): Command => {
  const program = new Command('tempera')
    .description("The team's shared memory for coding agents.")
    .version(world.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addHelpText('after', HELP_AFTER)
    .addHelpText('afterAll', standsFor(world))
    .showHelpAfterError('(--help shows what is possible)')
    .configureOutput({
      writeOut: (text) => void world.stdout.write(text),
      // A script reads one value on standard output.
      writeErr: (text) => void (isJson || world.stderr.write(text)),
    })
    .exitOverride();
  for (const add of [
    addLogin,
    addLogout,
    addApprove,
    addWhoami,
    addHeaders,
    addInit,
    addRetrieve,
    addBrief,
    addCapture,
    addFeedback,
    addEdit,
    addExpire,
    addKeep,
    addStatus,
    addUpkeep,
    addProfile,
    addExport,
    addImport,
    addImportTranscripts,
    addSpool,
    addStats,
    addTrends,
    addPropagate,
    addProject,
    addInvite,
    addLoginCode,
    addToken,
    addSessions,
    addSharing,
    addProposals,
    addConflicts,
    addConversations,
    addDistil,
    addUsage,
    addAdmin,
    addDoctor(fail),
  ]) {
    add(program, world);
  }
  addServe(program, world, endings);
  return program;
};

/**
 * Runs the command line.
 *
 * @param words the arguments, without the program's own name
 * @returns the exit code, by the one table of errors
 */
export const runProgram = async (words: readonly string[], world: World, endings: Endings): Promise<number> => {
  let exitCode = 0;
  const isJson = words.includes('--json');
  const program = buildProgram(world, isJson, endings, (code) => {
    exitCode = code;
  });
  try {
    if (words.length === 0) program.outputHelp();
    else await program.parseAsync([...words], { from: 'user' });
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return commanderExit(thrown, world, isJson);
    const told = tellError(thrown, 'person');
    if (!(thrown instanceof ToolFailed)) new Terminal(world, isJson).error(told);
    return errorTable[told.error.kind].exitCode;
  }
};
