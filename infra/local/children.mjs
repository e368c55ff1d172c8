// Child processes that never outlive whoever started them (run-child.mjs is each one's keeper).
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { commandOf } from './processes.mjs';
import { SetupError } from './setting-error.mjs';
import { waitUntil } from './wait-until.mjs';

const KEEPER = join(dirname(fileURLToPath(import.meta.url)), 'run-child.mjs');
const LOG_LIMIT_BYTES = 20_000_000;

/**
 * The last lines of a log, for a person who has to find out why something ended.
 * @param {string} file
 * @param {number} [count] how many lines
 * @param {number} [from] the byte where the present run begins: what an earlier one wrote explains nothing
 */
export const lastLines = (file, count = 15, from = 0) => {
  if (!existsSync(file)) return '';
  return readFileSync(file).subarray(from).toString('utf8').trimEnd().split('\n').slice(-count).join('\n');
};

const sizeOf = (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

// One older generation is kept: enough to look back, and never more than two of these on disk.
const rotate = (file) => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (sizeOf(file) > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
};

/**
 * Starts a program under a keeper.
 * @param {{name: string, command: string, args?: string[], env?: NodeJS.ProcessEnv, cwd?: string, uid?: number,
 *   gid?: number, logFile: string, pidFile?: string, stopSignals?: string[], graceMs?: number, remove?: string[]}} options
 *   `stopSignals` are tried in order, `graceMs` apart, before SIGKILL; `remove` are folders deleted once it has ended
 * @returns a handle: `pid`, `exited` (settles with {code, signal}), `isAlive()`, `stop()` (idempotent), `logStart` (the byte
 *   of its log where this run begins), `lastWords(count)` (the end of what this run wrote there)
 */
export const startChild = async (options) => {
  const { name, command, args = [], env = process.env, cwd, uid, gid, logFile, pidFile, remove = [] } = options;
  const { stopSignals = ['SIGTERM'], graceMs = 8_000 } = options;
  rotate(logFile);
  const logStart = sizeOf(logFile);
  const plan = { command, args, cwd, uid, gid, logFile, pidFile, stopSignals, graceMs, remove };
  // Detached: a terminal's Ctrl-C goes to the foreground group, and keepers must not see it.
  const keeper = spawn(process.execPath, [KEEPER, JSON.stringify(plan)], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  keeper.stdin.on('error', () => {});

  let alive = true;
  let report = () => {};
  const started = new Promise((resolve) => (report = resolve));
  const lines = createInterface({ input: keeper.stdout });
  const exited = new Promise((resolve) => {
    const end = (how) => {
      alive = false;
      report({ exited: how });
      resolve(how);
    };
    lines.on('line', (line) => {
      const message = JSON.parse(line);
      if (message.exited) end(message.exited);
      else report(message);
    });
    keeper.once('close', (code, signal) => end({ code, signal }));
    keeper.once('error', (error) => end({ code: 127, signal: null, error: error.message }));
  });

  const gone = new Promise((resolve) => keeper.once('close', resolve));
  const first = await started;
  if (first.exited?.error) throw new SetupError(`${name} could not be started: ${first.exited.error}`);
  return {
    name,
    pid: first.pid,
    logFile,
    logStart,
    lastWords: (count = 15) => lastLines(logFile, count, logStart) || '(it wrote nothing there)',
    exited,
    isAlive: () => alive,
    stop: async () => {
      keeper.stdin.end();
      await exited;
      await gone;
    },
  };
};

/**
 * Ends what an earlier start left behind because its keeper was killed too (`killall -9 node` does that). A file names the
 * process and its command line, so that a reused id is never taken for it.
 * @param {string} folder where the pid files are
 * @returns {Promise<number>} how many were ended
 */
export const endLeftovers = async (folder) => {
  const ended = readdirSync(folder)
    .filter((name) => name.endsWith('.pid'))
    .map(async (name) => {
      const [pid, ...command] = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
      const isAlive = () => commandOf(Number(pid)) === command.join('\n');
      rmSync(join(folder, name), { force: true });
      if (!isAlive()) return false;
      process.kill(Number(pid), 'SIGTERM');
      if (!(await waitUntil(() => !isAlive(), { timeoutMs: 10_000 }))) process.kill(Number(pid), 'SIGKILL');
      return true;
    });
  return (await Promise.all(ended)).filter(Boolean).length;
};
