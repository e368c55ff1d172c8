// Child processes that never outlive whoever started them (run-child.mjs is each one's keeper).
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { SetupError } from './setting-error.mjs';

const KEEPER = join(dirname(fileURLToPath(import.meta.url)), 'run-child.mjs');
const LOG_LIMIT_BYTES = 20_000_000;

/** The last lines of a log, for a person who has to find out why something ended. */
export const lastLines = (file, count = 15) => {
  if (!existsSync(file)) return '';
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
};

// One older generation is kept: enough to look back, and never more than two of these on disk.
const rotate = (file) => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (existsSync(file) && statSync(file).size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
};

/**
 * Starts a program under a keeper.
 * @param {{name: string, command: string, args?: string[], env?: NodeJS.ProcessEnv, cwd?: string, uid?: number,
 *   gid?: number, logFile: string, pidFile?: string, stopSignals?: string[], graceMs?: number, remove?: string}} options
 *   `stopSignals` are tried in order, `graceMs` apart, before SIGKILL; `remove` is a folder deleted once it has ended
 * @returns a handle: `pid`, `exited` (settles with {code, signal}), `isAlive()`, `stop()` (idempotent)
 */
export const startChild = async (options) => {
  const { name, command, args = [], env = process.env, cwd, uid, gid, logFile, pidFile, remove } = options;
  const { stopSignals = ['SIGTERM'], graceMs = 8_000 } = options;
  rotate(logFile);
  const plan = { command, args, cwd, uid, gid, logFile, pidFile, stopSignals, graceMs, remove };
  // Detached: a terminal's Ctrl-C goes to the foreground group, and keepers must not see it.
  const keeper = spawn(process.execPath, [KEEPER, JSON.stringify(plan)], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  keeper.stdin.on('error', () => {});

  let alive = true;
  let report = (_message) => {};
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
    exited,
    isAlive: () => alive,
    stop: async () => {
      keeper.stdin.end();
      await exited;
      await gone;
    },
  };
};

/** Ends what an earlier start left behind because its keeper was killed too. `isOurs` guards against a reused id. */
export const endLeftover = (pidFile, isOurs, signal = 'SIGKILL') => {
  if (!existsSync(pidFile)) return false;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  rmSync(pidFile, { force: true });
  if (!Number.isInteger(pid) || pid < 2 || !isOurs(pid)) return false;
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
};
