// Running a command to its end, or to ours, and keeping what it said.
import { spawn } from 'node:child_process';
import { shutdown } from './shutdown.mjs';

const KEPT_CHARACTERS = 20_000;

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & {timeoutMs?: number}} [options]
 * @returns {Promise<{ok: boolean, code: number | null, output: string}>} never throws; a command that does not exist
 *   is `ok: false` like one that failed
 */
export const runCommand = (command, args, { timeoutMs = 600_000, ...options } = {}) =>
  new Promise((resolve) => {
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-KEPT_CHARACTERS);
    };
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      signal: shutdown,
      ...options,
    });
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    let problem;
    child.on('error', (error) => {
      problem = error.message;
      // One that was started and aborted still has to end before anybody tidies up after it.
      if (child.pid === undefined) resolve({ ok: false, code: null, output: problem });
    });
    child.once('close', (code) => resolve({ ok: code === 0 && !problem, code, output: problem ?? output.trim() }));
  });

/** The last line that says something: usually the reason. (Node ends a crash with its own version.) */
export const lastLine = (output) =>
  output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length > 1 && !line.startsWith('Node.js v'))
    .at(-1) ?? 'no output';
