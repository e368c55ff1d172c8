import process from 'node:process';
import { processWorld } from '../config/process-world.js';
import { noteSilence } from './quiet.js';
import { runHook } from './run-hook.js';

/** From the start of the process, in milliseconds: a session waits 1.5 s for us and a prompt 0.8, and ending takes its time, too. */
const DEADLINES: Readonly<Record<string, number>> = {
  'session-start': 1_450,
  'user-prompt-submit': 750,
  stop: 3_000,
  'session-end': 1_200,
  'pre-compact': 1_200,
};
/** The sender waits for a service that is away, but not for ever. */
const SENDER_MS = 15 * 60_000;

/** One hook as a process: ends with 0 and in time, whatever happens. Claude Code takes a 2 for a refusal of the prompt. */
export const hookMain = async (name: string): Promise<void> => {
  const end = (): never => process.exit(0);
  for (const fault of ['uncaughtException', 'unhandledRejection']) process.on(fault, end);
  process.stdout.on('error', end);
  const world = processWorld();
  const left = (DEADLINES[name] ?? SENDER_MS) - 1_000 * process.uptime();
  setTimeout(
    () => {
      noteSilence(world);
      end();
    },
    Math.max(20, left),
  );
  await runHook(
    name,
    world,
    (text) =>
      new Promise((resolve) => {
        process.stdout.write(text, () => {
          resolve();
        });
      }),
  );
  end();
};
