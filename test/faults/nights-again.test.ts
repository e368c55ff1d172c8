import { randomUUID } from 'node:crypto';
import { NIGHTLY_WORKFLOW } from '@tempera/platform/temporal/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExportStarter, exportRound } from '../../apps/worker/src/index.js';
import { insertExport } from '@tempera/platform';
import { reportFault } from '../support/attack-report.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { asSuperuser } from '../support/cluster.js';
import {
  askForNight,
  makeTeam,
  makeWorker,
  night,
  type NightWorld,
  openNightWorld,
  type Team,
} from '../workflows/support/night-world.js';
import { type LearnedTenant, makeLearnedTenant } from './support/learned-tenant.js';
import { textsOf } from './support/history-texts.js';

const IS_FULL = process.env['TEMPERA_FULL'] === '1';
const MEMORIES = IS_FULL ? 20_000 : 240;
/** Small pages, and one a call: a night of few memories is one of many calls. */
const PAGE_SIZE = IS_FULL ? 100 : 5;
/** What an execution's history may hold (docs/design.md W2), and what ten calls of a page leave far below it. */
const LONGEST_HISTORY = 10_000;
/** Loss of a day of a memory of validity none. */
const DAILY = 0.99;
const CLOSE = 1e-9;

describe('nights of the same dates again', () => {
  let world: NightWorld;
  let learned: LearnedTenant;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase();
    learned = await makeLearnedTenant(database, MEMORIES);
    world = await openNightWorld(Promise.resolve(database));
  });

  afterAll(() => world.close());

  const rows = <Row extends object>(query: string, values: readonly unknown[] = []): Promise<Row[]> =>
    asSuperuser(database.adminUrl, async (client) => (await client.query<Row>(query, [...values])).rows);

  /** What the latest night of a date wrote down of each memory; the next one takes its place. */
  const earnedOn = async (date: string): Promise<Map<string, number>> => {
    const found = await rows<{ id: string; earned: number }>(
      `select memory_id::text as id, earned from snapshot where run_id =
         (select id from maintenance_run where run_date = $1 and status = 'completed' order by finished_at desc limit 1)`,
      [date],
    );
    return new Map(found.map(({ id, earned }) => [id, earned]));
  };

  const standing = async (): Promise<string> =>
    JSON.stringify(
      await rows(
        `select memory_id, evidence, credit, propagated, reached, lent, lent_from from memory_stat order by memory_id`,
      ),
    );

  const credits = async (): Promise<number> =>
    (await rows<{ count: number }>('select count(*)::int as count from credit_ledger'))[0]?.count ?? -1;

  /** Two workflows for one date at the same time, as a schedule and a person who both ask. */
  const race = async (date: string): Promise<void> => {
    const taskQueue = randomUUID();
    const { tenantId, owner } = learned;
    const runId = await askForNight(world, owner, date);
    const start = (): Promise<unknown> =>
      world.engine.client.workflow.execute(NIGHTLY_WORKFLOW, {
        taskQueue,
        workflowId: randomUUID(),
        args: [{ tenantId, runId }],
      });
    const worker = await makeWorker(world, { taskQueue, pageSize: PAGE_SIZE });
    await worker.runUntil(Promise.all([start(), start()]));
  };

  it('fault 5.3: change nothing when run twice, made up for late or raced; what fades is a function of two dates', async () => {
    const { owner } = learned;
    await night(world, owner, '2026-11-12');
    const [first, once, given] = [await earnedOn('2026-11-12'), await standing(), await credits()];
    await night(world, owner, '2026-11-12');
    const again = await standing();
    for (const date of ['2026-11-13', '2026-11-14', '2026-11-15']) await night(world, owner, date);
    await race('2026-11-16');

    const last = await earnedOn('2026-11-16');
    const faded = [...first].filter(([, earned]) => earned > 0);
    const off = faded.filter(([id, earned]) => Math.abs((last.get(id) ?? 0) - earned * DAILY ** 4) > CLOSE);
    const twice = (await credits()) - given;
    reportFault(
      '5.3',
      first.size,
      { 'off the closed form': off.length, 'credits twice': twice },
      `${faded.length} memories that fade, 7 nights of 5 dates`,
    );
    expect(again).toBe(once);
    expect(twice).toBe(0);
    expect(off).toEqual([]);
    expect(faded.length).toBeGreaterThan(2);
    const [archived] = await rows<{ count: number }>(
      `select count(*)::int as count from memory where state <> 'active'`,
    );
    expect(last.size).toBe(first.size - (archived?.count ?? 0));
  });

  it('fault 5.13: of a tenant with many pages go on in short histories, with no memory missed and none twice', async () => {
    const { tenantId, owner } = learned;
    const taskQueue = randomUUID();
    const workflowId = randomUUID();
    const { client } = world.engine;
    const runId = await askForNight(world, owner, '2026-11-17');
    const worker = await makeWorker(world, { taskQueue, pageSize: PAGE_SIZE, callMs: 0 });
    await worker.runUntil(
      client.workflow.execute(NIGHTLY_WORKFLOW, { taskQueue, workflowId, args: [{ tenantId, runId }] }),
    );

    const query = `WorkflowId STARTS_WITH '${workflowId}'`;
    const executions: { historyLength: number; status: string }[] = [];
    const isListed = async (): Promise<number> => {
      executions.length = 0;
      for await (const { historyLength, status } of client.workflow.list({ query }))
        executions.push({ historyLength, status: status.name });
      return executions.filter(({ status }) => status === 'RUNNING').length;
    };
    await expect.poll(isListed, { timeout: 20_000 }).toBe(0);
    const continued = executions.filter(({ status }) => status === 'CONTINUED_AS_NEW').length;
    const longest = Math.max(...executions.map(({ historyLength }) => historyLength));
    const [seen] = await rows<{ memories: number; looked: number; pages: number; different: number }>(
      `select (select count(*)::int from memory where tenant_id = $2 and state = 'active') as memories,
         (select count(*)::int from snapshot where run_id = $1) as looked,
         (select count(*)::int from maintenance_step where run_id = $1) as pages,
         (select count(distinct (step, page))::int from maintenance_step where run_id = $1) as different`,
      [runId, tenantId],
    );
    const missed = (seen?.memories ?? 0) - (seen?.looked ?? 0);
    const twice = (seen?.pages ?? 0) - (seen?.different ?? 0);
    const note = `${seen?.pages} pages in ${executions.length} executions, the longest history of ${longest} events`;
    reportFault('5.13', seen?.looked ?? 0, { missed, 'pages twice': twice }, note);
    expect({ missed, twice }).toEqual({ missed: 0, twice: 0 });
    expect(seen?.looked).toBeGreaterThanOrEqual(MEMORIES / 2);
    // Otherwise nothing was carried over.
    expect(continued).toBeGreaterThan(2);
    expect(longest).toBeLessThan(IS_FULL ? LONGEST_HISTORY : 200);
  });

  it('fault 5.16: leave no text, name, address or token in what the engine keeps of them', async () => {
    const team = await makeTeam(world);
    const canaries = await plantCanaries(team);
    const taskQueue = randomUUID();
    const { client } = world.engine;
    const worker = await makeWorker(world, { taskQueue, pageSize: PAGE_SIZE });
    await worker.runUntil(async () => {
      const runId = await askForNight(world, team.owner, '2026-11-18');
      const args = [{ tenantId: team.tenantId, runId }];
      await client.workflow.execute(NIGHTLY_WORKFLOW, { taskQueue, workflowId: randomUUID(), args });
      const unknown = [{ tenantId: randomUUID(), runId: randomUUID() }];
      await client.workflow
        .execute(NIGHTLY_WORKFLOW, { taskQueue, workflowId: randomUUID(), args: unknown })
        .catch(() => undefined);
      await exportAll(team, taskQueue);
    });

    const types = new Set<string>();
    let texts = '';
    for await (const { workflowId, runId, type } of client.workflow.list()) {
      types.add(type);
      texts += textsOf(await client.workflow.getHandle(workflowId, runId).fetchHistory());
    }
    const found = canaries.filter((canary) => texts.includes(canary));
    reportFault(
      '5.16',
      types.size,
      { 'canaries found': found.length },
      `${canaries.length} canaries, ${texts.length.toLocaleString('en')} characters of histories: ${[...types].sort().join(', ')}`,
    );
    expect(found).toEqual([]);
    // What may be there is found, so what is not there was looked for.
    expect(texts).toContain(team.tenantId);
    expect([...types]).toEqual(expect.arrayContaining(['nightlyMaintenance', 'maintenanceStep', 'exportData']));
  });

  const plantCanaries = async (team: Team): Promise<string[]> => {
    const words = {
      text: 'xylographquark',
      title: 'vantablackfjord',
      name: 'Zebedee Quillfeather',
      email: 'zq@canary.example',
    };
    const { doors } = database;
    await doors.asTenant(team.author, (tx) =>
      tx.memory.createMany({
        data: [
          {
            tenantId: team.tenantId,
            ownerId: team.author.userId,
            projectId: team.projectId,
            scope: 'project',
            kind: 'decision',
            title: words.title,
            text: words.text,
            validFrom: new Date(Date.UTC(2026, 10, 1)),
            startedAt: new Date(Date.UTC(2026, 10, 1)),
            endedAt: new Date(Date.UTC(2026, 10, 1)),
          },
        ],
      }),
    );
    await rows(`update app_user set display_name = $1, email = $2 where id = $3`, [
      words.name,
      words.email,
      team.author.userId,
    ]);
    return [...Object.values(words), 'Bearer ', 'tpat_', 'postgresql://'];
  };

  const exportAll = async (team: Team, taskQueue: string): Promise<void> => {
    const { doors } = database;
    const id = randomUUID();
    const { tenantId, userId: requestedBy } = team.owner;
    await doors.asTenant(team.owner, (tx) =>
      insertExport(tx, { tenantId, id, requestedBy, kind: 'project', projectId: team.projectId }),
    );
    await exportRound({ doors, start: createExportStarter(world.engine.client, taskQueue) });
    const isOver = async (): Promise<string> =>
      (await rows<{ status: string }>('select status from data_export where id = $1', [id]))[0]?.status ?? '';
    await expect.poll(isOver, { timeout: 30_000 }).toBe('completed');
  };
});
