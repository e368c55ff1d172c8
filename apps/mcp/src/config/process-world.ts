import { COMMAND_NAME } from '@tempera/client-kit';
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { World } from '../world.js';

/** Bundled as a plugin there is its manifest beside the code; else the package's own description above it. */
const bundled = new URL('../.claude-plugin/plugin.json', import.meta.url);
const isBundled = existsSync(bundled);
const description = (): URL => (isBundled ? bundled : new URL('../../package.json', import.meta.url));
const pluginFolder = (): string => fileURLToPath(new URL(isBundled ? '..' : '../../plugin', import.meta.url));

const packageVersion = (): string => {
  const parsed: unknown = JSON.parse(readFileSync(description(), 'utf8'));
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

/** Whether the name leads here: another program of that name, or another copy of this one, is no help. */
const isThisPackage = (path: string): boolean => {
  if (!existsSync(path)) return false;
  // The name that npm makes on Windows is a script of its own, not a link.
  return (
    process.platform === 'win32' || realpathSync(path).startsWith(fileURLToPath(new URL('../../', import.meta.url)))
  );
};

const shellWord = (word: string): string => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word}"`);

/**
 * How another program starts this one: by name where the name is found on the path, else by its file. What npx puts on the
 * path does not count, since it is gone afterwards.
 */
const invocation = (): string => {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const lasting = folders.filter((folder) => folder !== '' && !folder.includes('node_modules'));
  const named = lasting.map((folder) => join(folder, COMMAND_NAME)).find((path) => existsSync(path));
  const file = process.argv[1];
  if (file === undefined || (named !== undefined && isThisPackage(named))) return COMMAND_NAME;
  return `node ${shellWord(realpathSync(file))}`;
};

const startDetached: World['startDetached'] = (words, environment) => {
  const child = spawn(process.execPath, [process.argv[1] ?? '', ...words], {
    cwd: homedir(),
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    env: { ...process.env, ...environment },
  });
  // A machine that starts no more processes delivers later; an error that nobody hears would end this one.
  child.on('error', () => undefined);
  child.unref();
};

/** The world as this process finds it; read once, here and nowhere else. */
export const processWorld = (): World => ({
  version: packageVersion(),
  invocation: invocation(),
  pluginFolder: pluginFolder(),
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
  wait: (ms) => setTimeout(ms),
  newId: () => randomUUID(),
  randomHex: () => randomBytes(8).toString('hex'),
  fetch: (input, init) => fetch(input, init),
  isAlive,
  startDetached,
});
