#!/usr/bin/env node
// Runs one of the compiled programs from the checkout (`node infra/local/run-built.mjs SCRIPT ARGS`), after installing and
// building what is missing. What that says goes to stderr, so that the program's own output stays alone on stdout.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { asksHelp, isCompiled } from './asks-help.mjs';
import { makeFolder, projectRoot } from './paths.mjs';
import { buildRooms, installPackages } from './prepare.mjs';
import { createProgress } from './progress.mjs';
import { describeError } from './setting-error.mjs';

const run = ([script, ...args]) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(projectRoot, script), ...args], { stdio: 'inherit' });
    // The terminal has sent its Ctrl-C to the program too; its end is ours.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });

try {
  const [script = '', ...args] = process.argv.slice(2);
  if (!asksHelp(args) || !isCompiled(script)) {
    const progress = createProgress({ stream: process.stderr });
    const logs = makeFolder(join(projectRoot, 'dist', 'logs'), { setting: 'TMPDIR', mode: 0o700 });
    await installPackages({ logs, progress });
    await buildRooms({ logs, progress }, 'programs');
  }
  process.exitCode = await run([script, ...args]);
} catch (error) {
  console.error(describeError(error));
  process.exitCode = 1;
}
