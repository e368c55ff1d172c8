import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { scheduleIdOf } from '@tempera/platform/temporal/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportFault } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, type GraphQLClient } from '../support/graphql-client.js';
import {
  type Instance,
  startInstance,
  startTemporal,
  startWorkerProgram,
  type TemporalProgram,
} from '../support/instance.js';
import { type Program, untilTrue } from '../support/programs.js';
import { lookForWrong } from './support/whole-writes.js';
import { Writers } from './support/writers.js';

const IS_FULL = process.env['TEMPERA_FULL'] === '1';
const TENANTS = IS_FULL ? 50 : 5;
/** How long the engine stays away after the nights fell due. */
const AWAY_MS = IS_FULL ? 600_000 : 3_000;
/** From the change of a schedule to when it is due: time to kill the engine first. */
const DUE_IN_MS = IS_FULL ? 60_000 : 20_000;
const LANES = 4;

describe('nights that fall due while Temporal is away', () => {
  let instance: Instance;
  let folder: string;
  let temporal: TemporalProgram;
  let worker: Program;
  let owners: GraphQLClient[];

  beforeAll(async () => {
    instance = await startInstance({ worker: false });
    folder = await mkdtemp(join(tmpdir(), 'tempera-away-'));
    temporal = await startTemporal(folder);
    owners = [];
    while (owners.length < TENANTS) owners.push(await createTenant(instance.operator, `Tenant ${owners.length}`));
    await makeSchedules();
  });

  afterAll(async () => {
    await worker.stop();
    await temporal.program.stop();
    await instance.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Lets a worker make every tenant's schedule, and ends it: one that just made some makes them again until it finds them listed. */
  const makeSchedules = async (): Promise<void> => {
    worker = startWorkerProgram(instance.database, temporal.address);
    const connection = await Connection.connect({ address: temporal.address });
    const { schedule } = new Client({ connection });
    const countListed = async (): Promise<number> => {
      let count = 0;
      for await (const { scheduleId } of schedule.list()) count += scheduleId === '' ? 0 : 1;
      return count;
    };
    await untilTrue('all schedules are listed', async () => (await countListed()) === TENANTS, worker);
    await connection.close();
    await worker.stop();
  };

  const tenantIds = async (): Promise<string[]> => {
    const { rows } = await asSuperuser(instance.database.adminUrl, (client) =>
      client.query<{ id: string }>('select id::text from tenant order by 1'),
    );
    return rows.map(({ id }) => id);
  };

  /** Has every tenant's night fall due at one moment, and not within an hour of it; all else stays as the worker made it. */
  const makeDue = async (at: Date): Promise<void> => {
    const connection = await Connection.connect({ address: temporal.address });
    const { schedule } = new Client({ connection });
    const moment = { hour: at.getUTCHours(), minute: at.getUTCMinutes(), second: at.getUTCSeconds() };
    for (const tenantId of await tenantIds()) {
      const handle = schedule.getHandle(scheduleIdOf(tenantId));
      await handle.update((now) => ({ ...now, spec: { calendars: [moment], timezone: 'UTC' } }));
      // Taken note of, not only received: what is due is counted from then on.
      const isNext = async (): Promise<boolean> => {
        const [next] = (await handle.describe()).info.nextActionTimes;
        return next?.getTime() === at.getTime();
      };
      await untilTrue('the schedule is due', isNext);
    }
    await connection.close();
  };

  const nightsOf = async (): Promise<{ tenant: string; runs: number; completed: number }[]> => {
    const { rows } = await asSuperuser(instance.database.adminUrl, (client) =>
      client.query<{ tenant: string; runs: number; completed: number }>(
        `select tenant_id::text as tenant, count(*)::int as runs,
           count(*) filter (where status = 'completed' and kind = 'nightly')::int as completed
         from maintenance_run group by tenant_id`,
      ),
    );
    return rows;
  };

  it('fault 5.5: run once for each tenant when it is back; nobody who captures or asks notices', async () => {
    const due = new Date(Math.ceil((Date.now() + DUE_IN_MS) / 1_000) * 1_000);
    await makeDue(due);
    worker = startWorkerProgram(instance.database, temporal.address, { LOG_LEVEL: 'info' });
    await untilTrue('it is at work', async () => worker.output().includes('the worker is ready'), worker);
    const gone = new Promise((resolve) => temporal.program.child.once('close', resolve));
    temporal.program.child.kill('SIGKILL');
    await gone;
    expect(Date.now()).toBeLessThan(due.getTime());
    const writers = new Writers(owners, LANES);
    await new Promise((resolve) => setTimeout(resolve, due.getTime() + AWAY_MS - Date.now()));
    expect(await nightsOf()).toEqual([]);
    await writers.finish();

    temporal = await startTemporal(folder, temporal.port);
    await untilTrue(
      'every tenant had its night',
      async () => {
        const nights = await nightsOf();
        return nights.length === TENANTS && nights.every(({ completed }) => completed > 0);
      },
      worker,
    );

    const { acknowledged, faults, disturbed } = writers;
    const wrong = await lookForWrong(instance.database.adminUrl, acknowledged);
    const twice = (await nightsOf()).filter(({ runs }) => runs > 1).length;
    const note = `${TENANTS} tenants due, Temporal killed for ${AWAY_MS / 1000} s over it, ${acknowledged.length} captures meanwhile`;
    reportFault('5.5', TENANTS, { 'run twice': twice, 'captures disturbed': disturbed + faults.length }, note);
    expect({ twice, disturbed, faults }).toEqual({ twice: 0, disturbed: 0, faults: [] });
    expect(wrong).toEqual({ lost: 0, doubled: 0, 'half-written': 0, misnamed: 0 });
    expect(acknowledged.length).toBeGreaterThan(LANES);
  });
});
