#!/usr/bin/env node
// `npm run build`: generates the Prisma client, then compiles every room.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const run = (bin, args, env = {}) => {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', bin), ...args], {
    cwd: root,
    stdio: ['ignore', process.argv.includes('--quiet') ? 'ignore' : 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  if (status !== 0) process.exit(status ?? 1);
};

// `generate` runs in WebAssembly, yet Prisma's command line first looks for a schema engine to download.
// Any executable satisfies it. Only here: with it, `prisma migrate` would report success and do nothing.
const noop = ['/usr/bin/true', '/bin/true'].find((path) => existsSync(path)) ?? process.execPath;
run('prisma/build/index.js', ['generate', '--config', 'prisma/prisma.config.ts', '--no-hints'], {
  PRISMA_SCHEMA_ENGINE_BINARY: noop,
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
});
run('typescript/bin/tsc', ['-b', ...process.argv.slice(2).filter((arg) => arg !== '--quiet')]);
