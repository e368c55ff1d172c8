// Our own programs: the steps that run once, and the two that stay.
import { join } from 'node:path';
import { startChild } from './children.mjs';
import { runCommand } from './command.mjs';
import { projectRoot } from './paths.mjs';
import { DiskFullError, saysDiskFull, SetupError } from './setting-error.mjs';
import { waitUntil } from './wait-until.mjs';

const READY_TIMEOUT_MS = 60_000;

/** Runs one of our programs to its end and returns what it printed. @throws {SetupError} with the reason */
export const runProgram = async ({ what, script, args = [], env }) => {
  const result = await runCommand(process.execPath, [join(projectRoot, script), ...args], { cwd: projectRoot, env });
  if (!result.ok && saysDiskFull(result.output)) throw new DiskFullError(what);
  if (!result.ok) throw new SetupError(`${what} failed:\n${result.output}`);
  return result.output;
};

/** Starts one of our programs that stays. */
export const startProgram = ({ name, script, env, logs, run }) =>
  startChild({
    name,
    command: process.execPath,
    args: [join(projectRoot, script)],
    cwd: projectRoot,
    env,
    logFile: join(logs, `${name.toLowerCase()}.log`),
    pidFile: join(run, `${name.toLowerCase()}.pid`),
    stopSignals: ['SIGTERM'],
    graceMs: 15_000,
  });

const answers = async (url) => {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false;
  }
};

/** Waits for the API to say that it is ready. @throws {SetupError} with the end of its log */
export const waitForReady = async (child, url) => {
  const options = { timeoutMs: READY_TIMEOUT_MS, everyMs: 100, whileAlive: child.isAlive };
  if (await waitUntil(() => answers(`${url}/readyz`), options)) return;
  const how = child.isAlive() ? 'is not ready after a minute' : 'ended before it was ready';
  throw new SetupError(`The ${child.name} ${how}; the end of ${child.logFile}:\n${child.lastWords()}`);
};
