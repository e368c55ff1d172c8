// The steps of `npm test` and `npm run check`: each ends as {name, passed, failed, skipped, seconds}.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../../infra/local/json-file.mjs';
import { projectRoot } from '../../infra/local/paths.mjs';
import { shutdown } from '../../infra/local/shutdown.mjs';

/** The vitest projects, quick ones first. */
export const LAYERS = ['unit', 'integration', 'tenancy', 'workflows', 'e2e'];

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
    const end = (code) => resolve({ ok: code === 0, seconds: (performance.now() - began) / 1000 });
    child.once('error', () => end(1));
    child.once('close', end);
  });

const check = async (name) => {
  const { ok, seconds } = await run(CHECKS[name], { timeoutMs: 300_000 });
  if (!ok) console.error(`\n${name}: failed\n`);
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

/** Runs one vitest project. */
export const runLayer = async (name, { env, timeoutMs }) => {
  const folder = join(projectRoot, 'dist', 'test-reports');
  const file = join(folder, `${name}.json`);
  mkdirSync(folder, { recursive: true });
  rmSync(file, { force: true });
  console.log(`\n── ${name} ──`);
  const reporters = ['--reporter', 'default', '--reporter', 'json', `--outputFile.json=${file}`];
  const { ok, seconds } = await run(['vitest/vitest.mjs', 'run', '--project', name, ...reporters], { env, timeoutMs });
  return { name, ...countLayer({ ok, report: readJson(file, undefined) }), seconds };
};
