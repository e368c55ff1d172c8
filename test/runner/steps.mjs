// The steps of `npm test` and `npm run check`: each ends as {name, passed, failed, skipped, seconds}.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../../infra/local/json-file.mjs';
import { projectRoot } from '../../infra/local/paths.mjs';
import { shutdown } from '../../infra/local/shutdown.mjs';
import { ATTACK_NAME, attackFilesOf, attackReportFile } from './attack-table.mjs';

/** The vitest projects, quick ones first. */
export const LAYERS = ['unit', 'integration', 'tenancy', 'workflows', 'faults', 'e2e'];

/** Layers that run only when they are named: this one fetches a program of 384 MB. */
export const ON_DEMAND = ['client'];

/** What is looked at without running anything; each counts as one. */
const CHECKS = {
  format: ['prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
  lint: ['eslint/bin/eslint.js', '.'],
  types: ['typescript/bin/tsc', '-b'],
  arrows: [
    'dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'err',
    'apps',
    'libs',
    'prisma',
  ],
};

const run = ([script, ...args], { env = process.env, timeoutMs }) =>
  new Promise((resolve) => {
    const began = performance.now();
    const child = spawn(process.execPath, [join(projectRoot, 'node_modules', script), ...args], {
      cwd: projectRoot,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      signal: shutdown,
    });
    const end = (code, signal, problem) => {
      const seconds = (performance.now() - began) / 1000;
      resolve({ ok: code === 0, seconds, how: howItEnded({ code, signal, problem, seconds, timeoutMs }) });
    };
    let problem;
    child.once('error', (error) => {
      problem = error.message;
      if (child.pid === undefined) end(1, null, problem);
    });
    child.once('close', (code, signal) => end(code, signal, problem));
  });

/** How a step's process ended, for a person: what killed it is not in anything it printed. */
export const howItEnded = ({ code, signal, problem, seconds, timeoutMs }) => {
  if (shutdown.aborted) return 'was stopped';
  if (signal && seconds * 1000 >= timeoutMs) return `was stopped after ${seconds.toFixed(0)} s, its limit`;
  if (signal) return `was ended by ${signal} after ${seconds.toFixed(0)} s`;
  return problem ? `could not be run: ${problem}` : `ended with code ${code}`;
};

const check = async (name) => {
  const { ok, seconds, how } = await run(CHECKS[name], { timeoutMs: 300_000 });
  if (!ok) console.error(`\n${name}: failed (${how})\n`);
  return { name, passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, seconds };
};

/** Formats, lint, types and arrows, two at a time: the machines this runs on have two cores. */
export const runChecks = async () => {
  const [first, second] = await Promise.all([
    check('lint'),
    check('format').then(async (format) => [format, await check('types'), await check('arrows')]),
  ]);
  return [...second, first];
};

/**
 * What a layer's report says. A layer that crashed, ran no test or timed out has failed, whatever it counted.
 * @param {{ok: boolean, report?: {numPassedTests: number, numFailedTests: number, numPendingTests: number}}} result
 */
export const countLayer = ({ ok, report }) => {
  const passed = report?.numPassedTests ?? 0;
  const failed = report?.numFailedTests ?? 0;
  const isSound = ok && passed > 0;
  return { passed, failed: isSound ? failed : Math.max(failed, 1), skipped: report?.numPendingTests ?? 0 };
};

/** Runs one vitest project; with `attacks` only the tests of it that are named as such. */
export const runLayer = async (name, { env, timeoutMs, attacks = false }) => {
  const folder = join(projectRoot, 'dist', 'test-reports');
  const file = join(folder, `${name}.json`);
  mkdirSync(folder, { recursive: true });
  rmSync(file, { force: true });
  console.log(`\n── ${name} ──`);
  const reporters = ['--reporter', 'default', '--reporter', 'json', `--outputFile.json=${file}`];
  const chosen = attacks ? ['--testNamePattern', ATTACK_NAME.source, ...attackFilesOf(name)] : [];
  const { ok, seconds, how } = await run(['vitest/vitest.mjs', 'run', '--project', name, ...reporters, ...chosen], {
    env: { ...env, ATTACK_REPORT_FILE: attackReportFile },
    timeoutMs,
  });
  const report = readJson(file, undefined);
  // A layer that dies writes no report: all that is known of it is how it ended, below what it printed.
  if (!ok && !report) console.error(`\n${name}: ${how}, before its report was written; what it printed last is above`);
  const counts = countLayer({ ok, report });
  // What the name left out was not to be run.
  return { name, ...counts, ...(attacks ? { skipped: 0 } : {}), seconds };
};
