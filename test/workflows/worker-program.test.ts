import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort, type Program, startProgram, untilTrue } from '../support/programs.js';
import { makeOperator, makeTenant } from '../support/people.js';
import { temporalProgram } from './support/engine.js';

describe('the worker as a program', () => {
  let database: TestDatabase;
  let folder: string;
  let temporalPort: number;

  beforeAll(async () => {
    database = await openTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'tempera-worker-'));
    temporalPort = await freePort();
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await database.close();
  });

  const environment = (): Record<string, string> => ({
    DATABASE_WORKER_URL: database.urls.worker,
    DATABASE_APP_URL: database.urls.app,
    DATABASE_TEXT_URL: database.urls.text,
    TEMPORAL_ADDRESS: `127.0.0.1:${temporalPort}`,
    WORKER_ALIVE_FILE: join(folder, 'alive'),
  });

  /** Attack 2.18: whatever it prints, the way to a database is not among it. */
  const expectNoSecrets = (output: string): void => {
    const urls = [database.adminUrl, ...Object.values(database.urls)];
    const secrets = urls.map((url) => decodeURIComponent(new URL(url).password)).filter((word) => word !== '');
    expect(secrets.length).toBeGreaterThan(1);
    for (const secret of secrets) expect(output).not.toContain(secret);
  };

  const start = (script: string, change: Record<string, string> = {}): Program =>
    startProgram(process.execPath, [`apps/worker/dist/${script}.js`], { ...environment(), ...change });

  const ended = ({ child }: Program): Promise<number | null> =>
    child.exitCode === null ? new Promise((resolve) => child.once('close', resolve)) : Promise.resolve(child.exitCode);

  const startTemporal = (): Program =>
    startProgram(
      temporalProgram(),
      [
        'server',
        'start-dev',
        '--headless',
        '--ip',
        '127.0.0.1',
        '--port',
        String(temporalPort),
        '--log-level',
        'error',
      ],
      {},
    );

  it('refuses to start without its settings, as a superuser, or without a database, and names the cause', async () => {
    const refusals = [
      {
        change: { TEMPORAL_ADDRESS: '', DATABASE_WORKER_URL: '' },
        code: 2,
        words: /DATABASE_WORKER_URL.*TEMPORAL_ADDRESS/,
      },
      { change: { DATABASE_WORKER_URL: database.adminUrl, LOG_LEVEL: 'debug' }, code: 6, words: /superuser/ },
      { change: { DATABASE_APP_URL: '' }, code: 2, words: /DATABASE_APP_URL is not set|DATABASE_APP_URL is no/ },
      { change: { DATABASE_WORKER_URL: database.urls.app }, code: 6, words: /mem_worker|database/ },
      {
        change: { DATABASE_WORKER_URL: 'postgresql://mem_worker:x@127.0.0.1:1/none' },
        code: 6,
        words: /does not answer/,
      },
    ];
    for (const { change, code, words } of refusals) {
      const program = start('main', change);
      expect(await ended(program)).toBe(code);
      expect(program.output()).toMatch(words);
      expectNoSecrets(program.output());
    }
  });

  it('waits for Temporal and says so, makes the schedules once it is there, and stops at once when told to', async () => {
    await makeTenant(database.doors, await makeOperator(database));
    const metricsPort = await freePort();
    const worker = start('main', { LOG_LEVEL: 'debug', METRICS_PORT: String(metricsPort) });
    let temporal: Program | undefined;
    try {
      await untilTrue('it waits', async () => worker.output().includes('Temporal does not answer'), worker);
      expect(await ended(start('healthy-cli'))).toBe(0);
      temporal = startTemporal();
      await untilTrue('it is ready', async () => worker.output().includes('the worker is ready'), worker);
      const list = ['schedule', 'list', '--address', `127.0.0.1:${temporalPort}`];
      await untilTrue('the schedule is there', async () => {
        const listing = startProgram(temporalProgram(), list, {});
        await ended(listing);
        return listing.output().includes('maintenance:');
      });
      const told = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      for (const sample of [
        'tempera_nights_wanted 1',
        'tempera_nights_missed 0',
        'tempera_database_connections_max{door="mem_worker"} 10',
      ])
        expect(told).toContain(sample);
      worker.child.kill('SIGTERM');
      expect(await ended(worker)).toBe(0);
      expect(worker.output()).toContain('stopped');
      expectNoSecrets(worker.output());
    } finally {
      await worker.stop();
      await temporal?.stop();
    }
  });

  it('is unhealthy once it has shown no life for half a minute', async () => {
    const longAgo = new Date(Date.now() - 31_000);
    await utimes(join(folder, 'alive'), longAgo, longAgo);
    expect(await ended(start('healthy-cli'))).toBe(1);
    expect(await ended(start('healthy-cli', { WORKER_ALIVE_FILE: join(folder, 'never') }))).toBe(1);
  });
});
