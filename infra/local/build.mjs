#!/usr/bin/env node
// `npm run build`: generates the Prisma client, then compiles every room and the tests, and bundles the plugin of Claude Code.
//   --programs   only what runs: all that `npm start` and the images need
//   --quiet      nothing but errors
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePlugin } from './bundle-plugin.mjs';
import { beginBuild, outputs, rememberBuild, solutionOf } from './freshness.mjs';
import { projectRoot } from './paths.mjs';

const run = (bin, args, env = {}) => {
  const { status } = spawnSync(process.execPath, [join(projectRoot, 'node_modules', bin), ...args], {
    cwd: projectRoot,
    stdio: ['ignore', process.argv.includes('--quiet') ? 'ignore' : 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  if (status !== 0) process.exit(status ?? 1);
};

// Before compiling: what changes meanwhile makes the build stale, not the stamp wrong.
const part = process.argv.includes('--programs') ? 'programs' : 'everything';
const digests = beginBuild(projectRoot, part);

// `generate` runs in WebAssembly, yet Prisma's command line first looks for a schema engine to download.
// Any executable satisfies it. Only here: with it, `prisma migrate` would report success and do nothing.
const noop = ['/usr/bin/true', '/bin/true'].find((path) => existsSync(path)) ?? process.execPath;
run('prisma/build/index.js', ['generate', '--config', 'prisma/prisma.config.ts', '--no-hints'], {
  PRISMA_SCHEMA_ENGINE_BINARY: noop,
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
});

// tsc trusts its own records: where only the output was deleted, it would report success and write nothing.
const isWhole = outputs(projectRoot, part).every((folder) => existsSync(folder));
const args = process.argv.slice(2).filter((arg) => !['--quiet', '--programs'].includes(arg));
run('typescript/bin/tsc', ['-b', solutionOf(part), ...(isWhole ? [] : ['--force']), ...args]);
await bundlePlugin();
rememberBuild(projectRoot, digests);
