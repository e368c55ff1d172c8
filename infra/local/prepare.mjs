// Bringing a checkout to where it can run: packages installed, rooms compiled. Nothing is done twice.
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { lastLines } from './children.mjs';
import { runCommand } from './command.mjs';
import { isBuilt, isInstalled } from './freshness.mjs';
import { projectRoot } from './paths.mjs';
import { DiskFullError, saysDiskFull, SetupError } from './setting-error.mjs';

const run = async ({ what, command, args, logFile, progress }) => {
  const log = openSync(logFile, 'w', 0o600);
  const result = await progress.during(what, () =>
    runCommand(command, args, { cwd: projectRoot, stdio: ['ignore', log, log] }),
  );
  if (result.ok) return;
  const words = `${lastLines(logFile, 25)}${result.output}`;
  if (saysDiskFull(words)) throw new DiskFullError(`${what} (the log is ${logFile})`);
  throw new SetupError(`${what} failed; the end of ${logFile}:\n${words}`);
};

// npm names its own script to what it runs, so `npm start` uses the npm it was called with.
const npm = () => {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js') ? { command: process.execPath, first: [script] } : { command: 'npm', first: [] };
};

/** Runs `npm ci` unless node_modules already holds what package-lock.json asks for. */
export const installPackages = async ({ logs, progress }) => {
  if (isInstalled(projectRoot)) return false;
  const { command, first } = npm();
  // The compiler is a development dependency, which NODE_ENV=production would leave out.
  const args = [...first, 'ci', '--include=dev', '--no-audit', '--no-fund'];
  await run({ what: 'installing packages (npm ci)', command, args, logFile: join(logs, 'install.log'), progress });
  return true;
};

/**
 * Compiles the rooms unless they were compiled from these sources.
 * @param {{logs: string, progress: object}} context
 * @param {'programs' | 'everything'} part everything has the tests too
 */
export const buildRooms = async ({ logs, progress }, part = 'everything') => {
  if (isBuilt(projectRoot, part)) return false;
  const args = [join(projectRoot, 'infra', 'local', 'build.mjs'), ...(part === 'programs' ? ['--programs'] : [])];
  await run({ what: 'building', command: process.execPath, args, logFile: join(logs, 'build.log'), progress });
  return true;
};
