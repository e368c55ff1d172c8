#!/usr/bin/env node
// `npm run compose:env`: writes .env beside docker-compose.yml with fresh secrets. Never overwrites one.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const target = join(root, '.env');

if (existsSync(target)) {
  console.error(
    `${target} exists already and is left as it is. Move it away to make a new one; the secrets in it open your database.`,
  );
  process.exit(5);
}

const filled = readFileSync(join(root, '.env.example'), 'utf8').replaceAll(
  /^(\w+_PASSWORD)=$/gm,
  (_line, name) => `${name}=${randomBytes(24).toString('hex')}`,
);
writeFileSync(target, filled, { mode: 0o600 });
console.log(`Wrote ${target} (readable by you alone). Set PUBLIC_URL in it, then: docker compose up -d --build`);
