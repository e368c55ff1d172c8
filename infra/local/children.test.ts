import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endLeftovers, lastLines, startChild } from './children.mjs';
import { commandOf } from './processes.mjs';
import { waitUntil } from './wait-until.mjs';

// Lives until it is told to end, and starts a process of its own, as Postgres and Temporal do.
const STUBBORN = `
  const grandchild = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  console.log('grandchild ' + grandchild.pid);
  process.on('SIGTERM', () => console.log('asked to end'));
  setInterval(() => {}, 1000);
`;
const OBEDIENT = `
  process.on('SIGTERM', () => { console.log('asked to end'); process.exit(0); });
  console.log('ready');
  setInterval(() => {}, 1000);
`;

const isGone = (pid: number): boolean => commandOf(pid) === '';
const until = (isTrue: () => boolean): Promise<boolean> => waitUntil(isTrue, { timeoutMs: 15_000, everyMs: 20 });

describe('child processes', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'children-test-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const start = (name: string, script: string, options: object = {}): ReturnType<typeof startChild> =>
    startChild({
      name,
      command: process.execPath,
      args: ['-e', script],
      logFile: join(folder, `${name}.log`),
      ...options,
    });

  const said = (name: string, text: string): Promise<boolean> =>
    until(() => lastLines(join(folder, `${name}.log`)).includes(text));

  const startParent = (script: string): ChildProcess =>
    spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });

  it('a killed parent leaves neither its child nor what that child started behind', async () => {
    const log = join(folder, 'orphan.log');
    const parent = startParent(`
      import { startChild } from ${JSON.stringify(new URL('./children.mjs', import.meta.url).href)};
      const child = await startChild({ name: 'orphan', command: process.execPath, args: ['-e', ${JSON.stringify(STUBBORN)}],
        logFile: ${JSON.stringify(log)}, graceMs: 1_000 });
      console.log(child.pid);
      setInterval(() => {}, 1000);
    `);
    if (!parent.stdout) throw new Error('the parent has no output');
    const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
    const pid = Number(line);
    expect(await said('orphan', 'grandchild')).toBe(true);
    const grandchild = Number(/grandchild (\d+)/.exec(readFileSync(log, 'utf8'))?.[1]);
    expect([isGone(pid), isGone(grandchild)]).toEqual([false, false]);

    parent.kill('SIGKILL');

    expect(await until(() => isGone(pid) && isGone(grandchild))).toBe(true);
    expect(lastLines(log)).toContain('asked to end');
  });

  it('stopping asks politely first, and the folders it was given go with it', async () => {
    const owned = join(folder, 'owned');
    mkdirSync(owned);
    writeFileSync(join(owned, 'file'), 'x');
    const child = await start('obedient', OBEDIENT, { remove: [owned] });
    await said('obedient', 'ready');

    await child.stop();

    expect((await child.exited).code).toBe(0);
    expect(child.isAlive()).toBe(false);
    expect(existsSync(owned)).toBe(false);
    expect(lastLines(child.logFile)).toContain('asked to end');
    await child.stop();
  });

  it('one that ends by itself says how, and its last words are at hand', async () => {
    const child = await start('failing', 'console.error("no such table"); process.exit(3)');
    expect(await child.exited).toMatchObject({ code: 3, signal: null });
    expect(lastLines(child.logFile)).toContain('no such table');
  });

  it('its last words are those of this run, not of the one before', async () => {
    await (
      await start('again', 'console.error("old trouble")')
    ).exited;
    const silent = await start('again', 'process.exit(1)');
    await silent.exited;
    expect(silent.lastWords()).toBe('(it wrote nothing there)');
    const second = await start('again', 'console.error("new trouble"); process.exit(1)');
    await second.exited;
    expect(second.lastWords()).toBe('new trouble');
    expect(lastLines(second.logFile)).toContain('old trouble');
  });

  it('a program that is not there is an error with its name', async () => {
    await expect(start('absent', '', { command: '/no/such/program' })).rejects.toThrow('absent could not be started');
  });

  it('what outlived its keeper is ended by the next start; a process that took over its id is not', async () => {
    const run = join(folder, 'run');
    mkdirSync(run);
    const left = spawn(process.execPath, ['-e', OBEDIENT], { stdio: 'ignore' });
    const other = spawn(process.execPath, ['-e', STUBBORN], { stdio: 'ignore' });
    await Promise.all([once(left, 'spawn'), once(other, 'spawn')]);
    writeFileSync(join(run, 'left.pid'), `${left.pid}\n${commandOf(left.pid ?? 0)}\n`);
    writeFileSync(join(run, 'other.pid'), `${other.pid}\n/usr/bin/another-program\n`);

    expect(await endLeftovers(run)).toBe(1);

    expect(await until(() => left.exitCode !== null || left.signalCode !== null)).toBe(true);
    expect(other.exitCode ?? other.signalCode).toBeNull();
    other.kill('SIGKILL');
  });
});
