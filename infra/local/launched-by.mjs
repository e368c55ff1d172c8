// `npm start` is npm, which runs a shell, which runs us. npm passes SIGTERM on to the shell alone, which dies of it without
// a word to us; a killed npm leaves the shell waiting for us. So both are watched.
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
