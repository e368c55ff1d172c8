import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import process from 'node:process';
import type { World } from '../world.js';

const packageVersion = (): string => {
  const parsed: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const version = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, 'version') : undefined;
  return typeof version === 'string' ? version : '0.0.0';
};

/** A process that may not be signalled still lives; only "no such process" means that it is gone. */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && Reflect.get(error, 'code') === 'ESRCH');
  }
};

/** The world as this process finds it; read once, here and nowhere else. */
export const processWorld = (): World => ({
  version: packageVersion(),
  environment: process.env,
  platform: process.platform,
  pid: process.pid,
  home: homedir(),
  host: hostname(),
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  now: () => new Date(),
  newId: () => randomUUID(),
  randomHex: () => randomBytes(8).toString('hex'),
  fetch: (input, init) => fetch(input, init),
  isAlive,
});
