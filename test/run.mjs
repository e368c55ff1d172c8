#!/usr/bin/env node
// `npm test`: from a bare clone to a table of counts. Runs before `npm install`, so Node's own modules only.
import { rmSync } from 'node:fs';
import { createProgress } from '../infra/local/progress.mjs';
import { describeError } from '../infra/local/setting-error.mjs';
import { composeProgram, helmProgram, kubernetesSchemas } from '../infra/shipping/tools.mjs';
import { createStack } from '../infra/local/stack.mjs';
import { readTestArguments, TEST_USAGE, UsageError } from './runner/arguments.mjs';
import { startParts } from './runner/parts.mjs';
import { attackReportFile, printAttacks } from './runner/attack-table.mjs';
import { installPackages, prepareCheckout, testLogs } from './runner/prepare-checkout.mjs';
import { closeWith } from './runner/report.mjs';
import { runChecks, runLayer } from './runner/steps.mjs';

const LAYER_LIMIT_MS = 1_200_000;
const FULL_LAYER_LIMIT_MS = 7_200_000;

const readArguments = () => {
  try {
    return readTestArguments(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${TEST_USAGE}`);
    process.exit(2);
  }
};

const runAll = async ({ layers, full, attacks }, { progress, stack }, steps) => {
  const logs = testLogs();
  const installed = installPackages({ logs, progress }).then(() => undefined);
  const needsParts = layers.some((layer) => !['checks', 'unit'].includes(layer));
  const [build, env] = await Promise.all([
    prepareCheckout({ logs, progress, installed }),
    needsParts ? startParts({ stack, progress, logs, installed, full }) : { ...process.env },
    // What cannot be had is no failure here: the test that misses it says so.
    layers.includes('unit') ? Promise.allSettled([helmProgram(), kubernetesSchemas(), composeProgram()]) : [],
  ]);
  steps.push(build);
  const timeoutMs = full ? FULL_LAYER_LIMIT_MS : LAYER_LIMIT_MS;
  for (const layer of layers) {
    if (layer === 'checks') steps.push(...(await runChecks()));
    else steps.push(await runLayer(layer, { env, timeoutMs, attacks }));
  }
};

const wanted = readArguments();
if (wanted.help) {
  console.log(TEST_USAGE);
  process.exit(0);
}
rmSync(attackReportFile, { force: true });
const progress = createProgress();
const stack = createStack({ progress: { ...progress, say: () => {} }, order: ['database'] });
stack.onSignal(async () => {
  await stack.stop();
  process.exit(130);
});
const steps = [];
try {
  // A server that ends under the layers would fail every test of them, and say nothing of why.
  await stack.unlessFailed(runAll(wanted, { progress, stack }, steps));
} catch (error) {
  if (!stack.isStopping()) console.error(`\n${describeError(error)}`);
  steps.push({ name: 'set-up', passed: 0, failed: 1, skipped: 0, seconds: performance.now() / 1000 });
}
await stack.stop();
printAttacks(
  steps.map(({ name }) => name),
  { all: wanted.attacks },
);
closeWith(steps);
