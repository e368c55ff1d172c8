import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from './command.mjs';
import { commandFailure, startFailure } from './failures.mjs';
import { writeJson } from './json-file.mjs';
import { startDatabase } from './postgres.mjs';
import { createProgress } from './progress.mjs';
import { describeError, DiskFullError, SetupError, throwIfDiskFull } from './setting-error.mjs';

// A device that is always full, on the systems that have one.
const FULL = '/dev/full';
const hasFull = existsSync(FULL);

describe('a full disk', () => {
  const ADVICE = /^The disk is full[^]*TEMPERA_DATA_DIR[^]*TEMPERA_CACHE_DIR/;

  it.runIf(hasFull)('is said with what to do when a file of ours cannot be written', async () => {
    const error: unknown = await writeFile(FULL, 'x').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'ENOSPC' });
    expect(describeError(error)).toMatch(ADVICE);
    expect(describeError(error)).not.toContain('    at ');
    expect(() => throwIfDiskFull(error)).toThrow(DiskFullError);
  });

  it.runIf(hasFull)('is said when a command could not write, whatever it says last', async () => {
    const { ok, output } = await runCommand('sh', ['-c', `cat /etc/hosts > ${FULL}; echo 'tidying up'; exit 1`]);
    expect(ok).toBe(false);
    const failure = commandFailure('initdb could not make the database', output, '/data');
    expect(failure).toBeInstanceOf(DiskFullError);
    expect(describeError(failure)).toContain('initdb could not make the database in /data');
  });

  it('is said when a server that did not start wrote so', () => {
    const child = (words: string): Parameters<typeof startFailure>[0] =>
      ({ name: 'Postgres', logFile: '/logs/postgres.log', lastWords: () => words }) as Parameters<
        typeof startFailure
      >[0];
    expect(describeError(startFailure(child('FATAL: could not write lock file: No space left on device')))).toMatch(
      ADVICE,
    );
    expect(describeError(startFailure(child('FATAL: bad')))).toMatch(
      /^Postgres did not start; the end of [^]*FATAL: bad$/,
    );
  });

  it('is not read into any other error', () => {
    throwIfDiskFull(new Error('no pip on this machine'));
    expect(commandFailure('pip could not fetch it', 'no matching distribution')).not.toBeInstanceOf(DiskFullError);
  });
});

describe('a database that is there, and its program is not', () => {
  let folder: string;
  let path: string | undefined;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'failures-test-'));
    // Open to the user a root's server runs as: otherwise the machine's own downloads would be used.
    chmodSync(folder, 0o755);
    path = process.env['PATH'];
    // No pip, no python.
    process.env['PATH'] = join(folder, 'empty');
  });
  afterAll(() => {
    process.env['PATH'] = path;
    rmSync(folder, { recursive: true, force: true });
  });

  it('is neither replaced by another nor a stack: what to install is said', async () => {
    const data = join(folder, 'data');
    mkdirSync(join(data, 'postgres'), { recursive: true });
    writeJson(join(data, 'database.json'), { kind: 'native', home: join(data, 'postgres'), port: 5999 });
    writeFileSync(join(data, 'kept'), '');
    const progress = createProgress();
    const cache = join(folder, 'cache');
    const context = { env: {}, data, cache, run: folder, logs: folder, progress, installed: Promise.resolve() };
    const error: unknown = await startDatabase(context).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SetupError);
    expect(describeError(error)).toMatch(/no pip on this machine\n {2}Install Python with pip[^]*data are untouched/);
    expect(describeError(error)).not.toContain('    at ');
    expect(existsSync(join(data, 'pglite'))).toBe(false);
  });
});
