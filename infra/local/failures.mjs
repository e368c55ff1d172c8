// What a person is told when something outside this program failed.
import { lastLine } from './command.mjs';
import { DiskFullError, saysDiskFull, SetupError } from './setting-error.mjs';

/**
 * An error out of what a command printed.
 * @param {string} what what failed, as the beginning of a sentence
 * @param {string} output
 * @param {string} [folder] where it was writing
 */
export const commandFailure = (what, output, folder) =>
  saysDiskFull(output)
    ? new DiskFullError(`${what}${folder ? ` in ${folder}` : ''}`)
    : new SetupError(`${what}: ${lastLine(output)}`);

/** An error out of a server's last words: `child` is one that did not come up. */
export const startFailure = (child) => {
  const words = child.lastWords();
  return saysDiskFull(words)
    ? new DiskFullError(`${child.name} could not start (its log is ${child.logFile})`)
    : new SetupError(`${child.name} did not start; the end of ${child.logFile}:\n${words}`);
};
