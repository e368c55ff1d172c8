import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOperatorCode } from '../../prisma/operator-code.js';
import { type ApiProgram, startApiProgram, untilAlive } from '../support/api-program.js';
import { reportFault } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { liftLimits } from '../support/database.js';
import { createTenant, type GraphQLClient, invite, logInOperator } from '../support/graphql-client.js';
import { makeKeys } from '../support/instance.js';
import { type MortalPostgres, startMortalPostgres } from './support/mortal-postgres.js';
import { lookForWrong } from './support/whole-writes.js';
import { Writers } from './support/writers.js';

const IS_FULL = process.env['TEMPERA_FULL'] === '1';
/** Kills of each of the two, and how many writes are acknowledged from one kill to the next. */
const KILLS = IS_FULL ? 52 : 3;
const BETWEEN = IS_FULL ? 480 : 12;
const WRITERS = IS_FULL ? 50 : 16;
/** Of one tenant; in full each of their own, as a tenant of tens of thousands would take longer over each write. */
const PEOPLE = IS_FULL ? 25 : 5;

describe('captures while the API and Postgres are killed', () => {
  let postgres: MortalPostgres;
  let folder: string;
  let api: ApiProgram;
  let people: GraphQLClient[];

  const startApi = async (): Promise<void> => {
    const port = api === undefined ? {} : { port: api.port };
    api = await startApiProgram({ urls: postgres.urls, keysFile: join(folder, 'keys.json'), ...port });
    await untilAlive(api);
  };

  const killApi = (): Promise<void> => {
    const { child } = api.program;
    const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
    child.kill('SIGKILL');
    return gone;
  };

  beforeAll(async () => {
    postgres = await startMortalPostgres();
    folder = await mkdtemp(join(tmpdir(), 'tempera-kills-'));
    await makeKeys(join(folder, 'keys.json'));
    await liftLimits(postgres);
    await startApi();
    const operator = await logInOperator(api.url, await createOperatorCode(postgres.urls.migrator, 'test'));
    const owner = await createTenant(operator, 'Kills');
    people = [owner];
    while (people.length < PEOPLE) {
      const displayName = `Person ${people.length}`;
      people.push(await (IS_FULL ? createTenant(operator, displayName) : invite(owner, { displayName })));
    }
  });

  afterAll(async () => {
    await api.program.stop();
    await postgres.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('fault 6.1: leave every acknowledged one there, once and whole', async () => {
    const writers = new Writers(people, WRITERS);
    await writers.more(BETWEEN);
    for (let kill = 0; kill < KILLS; kill += 1) {
      await killApi();
      await startApi();
      await writers.more(BETWEEN);
      await postgres.kill();
      await postgres.start();
      await writers.more(BETWEEN);
    }
    await writers.finish();

    const { acknowledged, faults, disturbed, longestMs } = writers;
    const wrong = await lookForWrong(postgres.adminUrl, acknowledged);
    const note = `${KILLS} kills of the API, ${KILLS} of Postgres, ${disturbed} writes sent more than once, ${WRITERS} at once`;
    reportFault('6.1', acknowledged.length, { ...wrong, 'false answers': faults.length }, note);
    expect(faults).toEqual([]);
    expect(wrong).toEqual({ lost: 0, doubled: 0, 'half-written': 0, misnamed: 0 });
    // Otherwise no kill met a write, and nothing was tried.
    expect(disturbed).toBeGreaterThan(KILLS);
    expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS * 2 * BETWEEN);
    expect(longestMs).toBeLessThan(30_000);
    await expectCounted(acknowledged.length);
  });

  /** What a tenant keeps is counted when a transaction commits; a count that drifts would refuse captures one day. */
  const expectCounted = async (writes: number): Promise<void> => {
    const { rows } = await asSuperuser(postgres.adminUrl, (client) =>
      client.query<{ memories: number }>(
        `select (sum(memories) + (select coalesce(sum(memories), 0) from usage_change))::int as memories from usage`,
      ),
    );
    expect(rows[0]?.memories).toBe(writes);
  };
});
