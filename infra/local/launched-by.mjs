// `npm start` is npm, which runs a shell, which gives its place to us (`exec` in package.json): so what npm passes on, SIGINT
// and SIGTERM, arrives here. A killed npm passes nothing on; and where a shell stays between, it dies of SIGTERM without a
// word to us. So both are watched.
import { commandOf, parentOf } from './processes.mjs';

const EVERY_MS = 500;

// npm names its process after what it runs.
const isNpm = (command) => /^npm( |$)|\/npm(-cli\.js)?( |$)/.test(command);

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/**
 * Calls `onGone` once when the npm that runs this start has ended, or the shell between. A start without npm
 * (`node infra/local/start.mjs &` in a script) may outlive whoever began it, and is not watched.
 * @param {{onGone: () => void, env?: NodeJS.ProcessEnv}} options
 * @returns {() => void} ends the watch
 */
export const watchNpm = ({ onGone, env = process.env }) => {
  if (env.npm_lifecycle_event !== 'start') return () => {};
  const shell = process.ppid;
  // Where the shell gave its place to us, npm is the parent itself, and its own parent is nobody to watch.
  const above = isNpm(commandOf(shell)) ? undefined : parentOf(shell);
  const watched = above && isNpm(above.command) ? [above.pid] : [];
  const timer = setInterval(() => {
    if (process.ppid === shell && watched.every(isAlive)) return;
    clearInterval(timer);
    onGone();
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
};
