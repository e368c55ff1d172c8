#!/usr/bin/env node
// Runs a compiled command (`node test/runner/with-parts.mjs dist/test/… ARGS`) on servers of its own: installs and builds
// what is missing, starts the parts that `npm test` uses, and ends them again. What is said goes to stderr, so that a
// command's --json stays alone on stdout. With `--durable` before the command its database keeps what it acknowledged.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { asksHelp, isCompiled } from '../../infra/local/asks-help.mjs';
import { projectRoot } from '../../infra/local/paths.mjs';
import { createProgress } from '../../infra/local/progress.mjs';
import { describeError } from '../../infra/local/setting-error.mjs';
import { createStack } from '../../infra/local/stack.mjs';
import { startParts } from './parts.mjs';
import { installPackages, prepareCheckout, testLogs } from './prepare-checkout.mjs';

const run = ([script, ...args], env) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(projectRoot, script), ...args], { env, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });

const progress = createProgress({ stream: process.stderr });
const stack = createStack({ progress: { ...progress, say: () => {} }, order: ['database'] });
stack.onSignal(async () => {
  await stack.stop();
  process.exit(130);
});
let code = 1;
try {
  const given = process.argv.slice(2);
  const durable = given[0] === '--durable';
  const [script = '', ...args] = durable ? given.slice(1) : given;
  const isHelp = asksHelp(args);
  const logs = testLogs();
  const installed = isHelp && isCompiled(script) ? null : installPackages({ logs, progress }).then(() => undefined);
  if (installed !== null) await prepareCheckout({ logs, progress, installed });
  const env = isHelp
    ? process.env
    : await startParts({ stack, progress, logs, installed, full: process.argv.includes('--full'), durable });
  code = await run([script, ...args], env);
} catch (error) {
  console.error(describeError(error));
}
await stack.stop();
process.exit(code);
