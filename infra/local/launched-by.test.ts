import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchNpm } from './launched-by.mjs';
import { commandOf } from './processes.mjs';
import { waitUntil } from './wait-until.mjs';

const here = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);

// What `npm start` runs, in small: the watch, and one child that must end with it.
const START = `
  import { writeFileSync, renameSync } from 'node:fs';
  import { startChild } from ${here('./children.mjs')};
  import { watchNpm } from ${here('./launched-by.mjs')};
  const child = await startChild({ name: 'part', command: process.execPath, logFile: 'part.log', graceMs: 500,
    args: ['-e', 'setInterval(() => {}, 1000)'] });
  const leave = () => void child.stop().then(() => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, leave);
  watchNpm({ onGone: leave });
  writeFileSync('pids.tmp', process.pid + ' ' + child.pid);
  renameSync('pids.tmp', 'pids');
  setInterval(() => {}, 1000);
`;

interface Package {
  readonly scripts: { readonly start: string };
}

describe('an instance that npm start runs', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'launched-test-'));
    writeFileSync(join(folder, 'start.mjs'), START);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const startedBy = (script: string): void =>
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, scripts: { start: script } }));
  const isGone = (pid: number): boolean => commandOf(pid) === '';
  const until = (isTrue: () => boolean): Promise<boolean> => waitUntil(isTrue, { timeoutMs: 20_000 });
  const running = async (command: string, args: string[]): Promise<{ by: ChildProcess; pids: number[] }> => {
    const by = spawn(command, args, { cwd: folder, stdio: 'ignore' });
    await once(by, 'spawn');
    expect(await until(() => existsSync(join(folder, 'pids')))).toBe(true);
    return { by, pids: readFileSync(join(folder, 'pids'), 'utf8').split(' ').map(Number) };
  };

  // As in package.json; and as a script shell that does not give its place away runs it.
  const ours = (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Package).scripts
    .start;
  const script = ours.replace('infra/local/start.mjs', 'start.mjs');
  it.each([
    ['SIGINT', script],
    ['SIGTERM', script],
    ['SIGKILL', script],
    ['SIGHUP', script],
    ['SIGTERM', 'node start.mjs'],
    ['SIGKILL', 'node start.mjs'],
  ] as const)('ends with all its parts when npm is sent %s, which runs "%s"', async (signal, command) => {
    startedBy(command);
    const { by, pids } = await running('npm', ['start']);
    expect(pids.map(isGone)).toEqual([false, false]);

    by.kill(signal);

    expect(await until(() => pids.every(isGone))).toBe(true);
  });

  it('is watched for npm alone: one started without it may outlive whoever began it', () => {
    vi.useFakeTimers();
    const watched = (env: Record<string, string>): number => {
      const end = watchNpm({ onGone: () => {}, env });
      const timers = vi.getTimerCount();
      end();
      return timers;
    };
    expect([watched({}), watched({ npm_lifecycle_event: 'test' }), watched({ npm_lifecycle_event: 'start' })]).toEqual([
      0, 0, 1,
    ]);
    vi.useRealTimers();
  });
});
