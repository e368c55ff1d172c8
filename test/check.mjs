#!/usr/bin/env node
// `npm run check`: format, lint, types, arrows and unit tests; what a change should pass before anything slower runs.
import { createProgress } from '../infra/local/progress.mjs';
import { describeError } from '../infra/local/setting-error.mjs';
import { installPackages, prepareCheckout, testLogs } from './runner/prepare-checkout.mjs';
import { closeWith } from './runner/report.mjs';
import { runChecks, runLayer } from './runner/steps.mjs';

const UNIT_LIMIT_MS = 300_000;

if (process.argv.length > 2) {
  console.log('Usage: npm run check   (no arguments): format, lint, types, arrows and unit tests');
  process.exit(['--help', '-h'].includes(process.argv[2]) ? 0 : 2);
}
const progress = createProgress();
const logs = testLogs();
const steps = [];
try {
  steps.push(await prepareCheckout({ logs, progress, installed: installPackages({ logs, progress }) }));
  steps.push(...(await runChecks()), await runLayer('unit', { env: process.env, timeoutMs: UNIT_LIMIT_MS }));
} catch (error) {
  console.error(`\n${describeError(error)}`);
  steps.push({ name: 'set-up', passed: 0, failed: 1, skipped: 0, seconds: performance.now() / 1000 });
}
closeWith(steps);
