#!/usr/bin/env node
// `npm test`: from a bare clone to a table of counts. Runs before `npm install`, so Node's own modules only.
//   --layer NAME   only this layer (may be repeated); `checks` is format, lint, types and arrows
//   --full         also the long forms of the load, fault and attack suites (TEMPERA_FULL=1)
import { parseArgs } from 'node:util';
import { createProgress } from '../infra/local/progress.mjs';
import { describeError, SettingError } from '../infra/local/setting-error.mjs';
import { createStack } from '../infra/local/stack.mjs';
import { startParts } from './runner/parts.mjs';
import { installPackages, prepareCheckout, testLogs } from './runner/prepare-checkout.mjs';
import { closeWith } from './runner/report.mjs';
import { LAYERS, runChecks, runLayer } from './runner/steps.mjs';

const LAYER_LIMIT_MS = 600_000;
const FULL_LAYER_LIMIT_MS = 7_200_000;
const ALL = ['checks', ...LAYERS];

const readArguments = () => {
  const { values } = parseArgs({ options: { layer: { type: 'string', multiple: true }, full: { type: 'boolean' } } });
  const layers = values.layer ?? ALL;
  const unknown = layers.find((layer) => !ALL.includes(layer));
  if (unknown) throw new SettingError(`There is no layer "${unknown}".`, '--layer', `It is one of ${ALL.join(', ')}.`);
  return { layers: ALL.filter((layer) => layers.includes(layer)), full: values.full ?? false };
};

const runAll = async ({ layers, full }, { progress, stack }, steps) => {
  const logs = testLogs();
  const installed = installPackages({ logs, progress }).then(() => undefined);
  const needsParts = layers.some((layer) => !['checks', 'unit'].includes(layer));
  const [build, env] = await Promise.all([
    prepareCheckout({ logs, progress, installed }),
    needsParts ? startParts({ stack, progress, logs, installed, full }) : { ...process.env },
  ]);
  steps.push(build);
  const timeoutMs = full ? FULL_LAYER_LIMIT_MS : LAYER_LIMIT_MS;
  for (const layer of layers) {
    if (layer === 'checks') steps.push(...(await runChecks()));
    else steps.push(await runLayer(layer, { env, timeoutMs }));
  }
};

const progress = createProgress();
const stack = createStack({ progress: { ...progress, say: () => {} }, order: ['database'] });
stack.onSignal(async () => {
  await stack.stop();
  process.exit(130);
});
const steps = [];
try {
  await runAll(readArguments(), { progress, stack }, steps);
} catch (error) {
  if (!stack.isStopping()) console.error(`\n${describeError(error)}`);
  steps.push({ name: 'set-up', passed: 0, failed: 1, skipped: 0, seconds: performance.now() / 1000 });
}
await stack.stop();
closeWith(steps);
