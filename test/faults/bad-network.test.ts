import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOperatorCode } from '../../prisma/operator-code.js';
import { type ApiProgram, startApiProgram, untilReady } from '../support/api-program.js';
import { reportFault } from '../support/attack-report.js';
import { liftLimits, openTestDatabase, type TestDatabase } from '../support/database.js';
import { type Fault, type FaultProxy, startFaultProxy } from '../support/fault-proxy.js';
import { createTenant, type GraphQLClient, logInOperator } from '../support/graphql-client.js';
import { makeKeys } from '../support/instance.js';
import { lookForWrong } from './support/whole-writes.js';
import { Writers } from './support/writers.js';

const IS_FULL = process.env['TEMPERA_FULL'] === '1';
const LANES = 6;
/** How long each fault lasts, at least: so long that waits which end must have ended. */
const LASTS_MS = IS_FULL ? 30_000 : 3_000;
/** Writes acknowledged after each fault, to show that it is over. */
const AFTERWARDS = 6;
/** A request ends at its ten seconds, as long as the database answers; what is over this has hung. */
const LONGEST_MS = 15_000;
/** Where nothing answers, what waits is told after four seconds at most; a busy machine needs some to spare. */
const LONGEST_UNANSWERED_MS = 8_000;
const UNANSWERED = new Set<Fault['kind']>(['silence', 'reset', 'cut-after']);

const FAULTS: readonly Fault[] = [
  { kind: 'latency', ms: 2_000, jitterMs: 1_000 },
  { kind: 'bandwidth', bytesPerSecond: 10_000 },
  { kind: 'slices', bytes: 7 },
  { kind: 'reset' },
  { kind: 'silence' },
  { kind: 'cut-after', bytes: 'COMMIT' },
];

describe('a bad network between the API and its database', () => {
  let database: TestDatabase;
  let proxy: FaultProxy;
  let folder: string;
  let api: ApiProgram;
  let owner: GraphQLClient;

  const throughProxy = (url: string): string => {
    const changed = new URL(url);
    changed.port = String(proxy.port);
    return changed.href;
  };

  beforeAll(async () => {
    database = await openTestDatabase();
    await liftLimits(database);
    proxy = await startFaultProxy(database.urls.app);
    folder = await mkdtemp(join(tmpdir(), 'tempera-network-'));
    const keysFile = join(folder, 'keys.json');
    await makeKeys(keysFile);
    const { app, text, operator } = database.urls;
    const urls = { app: throughProxy(app), text: throughProxy(text), operator: throughProxy(operator) };
    api = await startApiProgram({ urls, keysFile, env: { LOG_LEVEL: 'fatal' } });
    await untilReady(api);
    const operatorCode = await createOperatorCode(database.urls.migrator, 'test');
    owner = await createTenant(await logInOperator(api.url, operatorCode), 'Bad network');
  });

  afterAll(async () => {
    await api.program.stop();
    await proxy.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(FAULTS)(
    'fault 6.2: loses and doubles nothing, hangs nobody, and is over when the network is well: $kind',
    async (fault) => {
      const writers = new Writers([owner], LANES);
      await writers.more(LANES);
      proxy.inflict(fault);
      await new Promise((resolve) => setTimeout(resolve, LASTS_MS));
      const hits = proxy.hits();
      proxy.heal();
      await writers.more(AFTERWARDS);
      await writers.finish();

      const { acknowledged, faults, longestMs, disturbed } = writers;
      const wrong = await lookForWrong(database.adminUrl, acknowledged);
      const slowest = `the slowest answer ${(longestMs / 1_000).toFixed(1)} s`;
      const note = `${fault.kind}: ${hits} times, ${disturbed} writes sent more than once, ${slowest}`;
      reportFault('6.2', acknowledged.length, { ...wrong, 'false answers': faults.length }, note);
      expect(faults).toEqual([]);
      expect(wrong).toEqual({ lost: 0, doubled: 0, 'half-written': 0, misnamed: 0 });
      expect(hits).toBeGreaterThan(0);
      expect(longestMs).toBeLessThan(UNANSWERED.has(fault.kind) ? LONGEST_UNANSWERED_MS : LONGEST_MS);
      expect((await fetch(`${api.url}/livez`)).ok).toBe(true);
    },
  );
});
