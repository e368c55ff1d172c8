import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOperatorCode } from '../../prisma/operator-code.js';
import { type ApiProgram, startApiProgram, untilReady } from '../support/api-program.js';
import { reportFault } from '../support/attack-report.js';
import { liftLimits, openTestDatabase, type TestDatabase } from '../support/database.js';
import { createTenant, type GraphQLClient, logInOperator } from '../support/graphql-client.js';
import { makeKeys } from '../support/instance.js';
import { freePort, untilTrue } from '../support/programs.js';
import { type Balancer, startBalancer } from './support/balancer.js';
import { MixedRequests } from './support/mixed-requests.js';
import { SteadyRequests } from './support/steady-requests.js';
import { lookForWrong } from './support/whole-writes.js';

const IS_FULL = process.env['TEMPERA_FULL'] === '1';
/** How often every program is restarted, and how many requests come in a second meanwhile. */
const ROUNDS = IS_FULL ? 10 : 1;
const PER_SECOND = IS_FULL ? 50 : 5;
const PROGRAMS = 2;
/** So long the balancer may take to see it; what is in flight has ten seconds more (docs/design.md D2). */
const NOTICE_SECONDS = IS_FULL ? 5 : 2;
const LONGEST_STOP_MS = (NOTICE_SECONDS + 15) * 1_000;

describe('an instance of two programs behind a balancer', () => {
  let database: TestDatabase;
  let folder: string;
  let balancer: Balancer;
  let ports: number[];
  let programs: ApiProgram[];
  let owner: GraphQLClient;

  const start = async (port: number): Promise<ApiProgram> => {
    const { url } = balancer;
    const env = {
      DRAIN_NOTICE_SECONDS: String(NOTICE_SECONDS),
      // What a start costs beside the requests is not what is asked here; found by keyword, a memory is found.
      ...(IS_FULL ? {} : { EMBEDDING_MODEL_DIR: '' }),
      PUBLIC_URL: url,
      TOKEN_ISSUER: url,
      TOKEN_AUDIENCE: `${url}/graphql`,
    };
    const program = await startApiProgram({ urls: database.urls, keysFile: join(folder, 'keys.json'), port, env });
    await untilReady(program);
    return program;
  };

  beforeAll(async () => {
    database = await openTestDatabase();
    await liftLimits(database);
    folder = await mkdtemp(join(tmpdir(), 'tempera-rolling-'));
    await makeKeys(join(folder, 'keys.json'));
    ports = [await freePort(), await freePort()];
    balancer = await startBalancer(ports.map((port) => `http://127.0.0.1:${port}`));
    programs = await Promise.all(ports.map(start));
    await untilTrue('both are ready', () => Promise.resolve(balancer.readyCount() === PROGRAMS));
    const operator = await logInOperator(balancer.url, await createOperatorCode(database.urls.migrator, 'test'));
    owner = await createTenant(operator, 'Rolling');
  });

  afterAll(async () => {
    await Promise.all(programs.map(({ program }) => program.stop()));
    await balancer.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Restarts one program as a deployment does; how long it took to end. */
  const restart = async (which: number): Promise<number> => {
    const { program } = programs[which] as ApiProgram;
    const began = performance.now();
    const ended = new Promise((resolve) => program.child.once('close', resolve));
    program.child.kill('SIGTERM');
    expect(await ended, program.output()).toBe(0);
    const stoppedInMs = performance.now() - began;
    programs[which] = await start(ports[which] as number);
    await untilTrue('both are ready', () => Promise.resolve(balancer.readyCount() === PROGRAMS));
    return stoppedInMs;
  };

  it('fault 6.6: answers every request while its programs are restarted one after the other', async () => {
    const mixed = new MixedRequests(owner);
    const requests = new SteadyRequests(mixed.send, PER_SECOND);
    const stops: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      for (let which = 0; which < PROGRAMS; which += 1) stops.push(await restart(which));
    await requests.finish();

    const { failures, total, longestMs } = requests;
    const wrong = await lookForWrong(database.adminUrl, mixed.acknowledged);
    const longestStop = Math.max(...stops);
    const note = `${stops.length} restarts, the longest stop ${(longestStop / 1_000).toFixed(1)} s, the slowest answer ${(longestMs / 1_000).toFixed(1)} s`;
    reportFault('6.6', total, { failed: failures.length, lost: wrong.lost, doubled: wrong.doubled }, note);
    expect([...new Set(failures)]).toEqual([]);
    expect(wrong).toEqual({ lost: 0, doubled: 0, 'half-written': 0, misnamed: 0 });
    expect(total).toBeGreaterThan(stops.length * PER_SECOND * NOTICE_SECONDS);
    expect(longestStop).toBeLessThan(LONGEST_STOP_MS);
  });
});
