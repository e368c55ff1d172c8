import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOperatorCode } from '../../prisma/operator-code.js';
import { type ApiProgram, startApiProgram, untilReady } from '../support/api-program.js';
import { reportFault } from '../support/attack-report.js';
import { liftLimits } from '../support/database.js';
import { createTenant, type GraphQLClient, logInOperator } from '../support/graphql-client.js';
import { makeKeys } from '../support/instance.js';
import { untilTrue } from '../support/programs.js';
import { type MortalPostgres, startMortalPostgres } from './support/mortal-postgres.js';
import { lookForWrong } from './support/whole-writes.js';
import { Writers } from './support/writers.js';

const IS_FULL = process.env['TEMPERA_FULL'] === '1';
/** How long Postgres stays away. */
const AWAY_MS = IS_FULL ? 300_000 : 6_000;
const LANES = 8;
const WARM_WRITES = IS_FULL ? 2_000 : 60;
const NOT_READY_WITHIN_MS = 5_000;
const BACK_WITHIN_MS = 10_000;
/** What a process may hold more after an outage: requests come and are refused all the time, so a leak grows with them. */
const GROWTH_BYTES = 64 * 1024 * 1024;

describe('an API whose Postgres goes away and comes back', () => {
  let postgres: MortalPostgres;
  let folder: string;
  let api: ApiProgram;
  let owner: GraphQLClient;

  beforeAll(async () => {
    postgres = await startMortalPostgres();
    await liftLimits(postgres);
    folder = await mkdtemp(join(tmpdir(), 'tempera-away-'));
    await makeKeys(join(folder, 'keys.json'));
    const env = { LOG_LEVEL: 'fatal' };
    api = await startApiProgram({ urls: postgres.urls, keysFile: join(folder, 'keys.json'), env });
    await untilReady(api);
    const operator = await logInOperator(api.url, await createOperatorCode(postgres.urls.migrator, 'test'));
    owner = await createTenant(operator, 'Away');
  });

  afterAll(async () => {
    await api.program.stop();
    await postgres.close();
    await rm(folder, { recursive: true, force: true });
  });

  const residentBytes = (): number =>
    Number(execFileSync('ps', ['-o', 'rss=', '-p', String(api.program.child.pid)], { encoding: 'utf8' })) * 1_024;

  /** How long until /readyz says this. */
  const untilReadiness = async (status: number): Promise<number> => {
    const began = performance.now();
    await untilTrue(`/readyz answers ${status}`, async () => (await fetch(`${api.url}/readyz`)).status === status);
    return performance.now() - began;
  };

  /** Asks for a sign of life once a second; how often there was none. */
  const watchLife = async (ms: number): Promise<number> => {
    let missed = 0;
    for (const ends = Date.now() + ms; Date.now() < ends; await new Promise((resolve) => setTimeout(resolve, 1_000))) {
      const alive = await fetch(`${api.url}/livez`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
      if (alive?.ok !== true) missed += 1;
    }
    return missed;
  };

  it('fault 6.4: lives, says that it is not ready, and is back by itself, with nothing lost and no memory grown', async () => {
    const writers = new Writers([owner], LANES);
    await writers.more(WARM_WRITES);
    const before = residentBytes();
    await postgres.kill();
    const notReadyMs = await untilReadiness(503);
    const missed = await watchLife(AWAY_MS);
    const away = residentBytes();
    await postgres.start();
    const backMs = await untilReadiness(200);
    await writers.more(LANES);
    await writers.finish();

    const { acknowledged, faults, disturbed, longestMs } = writers;
    const wrong = await lookForWrong(postgres.adminUrl, acknowledged);
    const grown = (away - before) / 1024 / 1024;
    const note = [
      `away for ${AWAY_MS / 1_000} s`,
      `not ready after ${(notReadyMs / 1_000).toFixed(1)} s`,
      `back after ${(backMs / 1_000).toFixed(1)} s`,
      `${disturbed} writes sent more than once, the slowest answer ${(longestMs / 1_000).toFixed(1)} s`,
      `memory ${grown > 0 ? '+' : ''}${grown.toFixed(0)} MiB`,
    ].join(', ');
    reportFault(
      '6.4',
      acknowledged.length,
      { ...wrong, 'false answers': faults.length, 'signs of life missed': missed },
      note,
    );
    expect(faults).toEqual([]);
    expect(wrong).toEqual({ lost: 0, doubled: 0, 'half-written': 0, misnamed: 0 });
    expect(missed).toBe(0);
    // Otherwise nobody asked while it was away.
    expect(disturbed).toBe(LANES);
    expect(notReadyMs).toBeLessThan(NOT_READY_WITHIN_MS);
    expect(backMs).toBeLessThan(BACK_WITHIN_MS);
    expect(away - before).toBeLessThan(GROWTH_BYTES);
  });
});
