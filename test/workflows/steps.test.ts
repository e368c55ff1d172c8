import { randomUUID } from 'node:crypto';
import { asId } from '@tempera/core';
import { cancelRun, listChanges, listProgress, type StepChange, wishStep, writeSetting } from '@tempera/platform';
import { NIGHTLY_WORKFLOW, type RunKind } from '@tempera/platform/temporal/contract';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { undoRun } from '../../apps/api/src/upkeep/undo-run.js';
import type { Caller } from '../../apps/api/src/auth/caller.js';
import { asSuperuser } from '../support/cluster.js';
import { makeMemory } from '../support/memories.js';
import type { Person } from '../support/people.js';
import {
  askForNight,
  makeTeam,
  makeWorker,
  night,
  type NightWorld,
  noon,
  openNightWorld,
  proveUseful,
  type Team,
} from './support/night-world.js';

const DATE = '2026-11-20';

describe('the steps of a night', () => {
  let world: NightWorld;
  beforeAll(async () => {
    world = await openNightWorld();
  });
  afterAll(() => world.close());

  const shared = (team: Team, draft: Parameters<typeof makeMemory>[2] = {}): Promise<string> =>
    makeMemory(world.database.doors, team.author, {
      ...{ scope: 'project', projectId: team.projectId, kind: 'background', endedAt: noon(1), ...draft },
    });
  const sql = <T extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<T[]> =>
    asSuperuser(world.database.adminUrl, async (client) => (await client.query<T>(text, values)).rows);
  const stateOf = async (id: string): Promise<string | undefined> =>
    (
      await sql<{ state: string }>(`select concat_ws(': ', state, state_reason) as state from memory where id = $1`, [
        id,
      ])
    )[0]?.state;
  /** As if the team's memories had been here since they ended. */
  const sinceTheyEnded = (team: Team): Promise<unknown> =>
    sql('update memory set state_since = ended_at where tenant_id = $1', [team.tenantId]);
  const lastRun = async ({ tenantId }: Team): Promise<string> =>
    (
      await sql<{ id: string }>(
        'select id from maintenance_run where tenant_id = $1 order by requested_at desc limit 1',
        [tenantId],
      )
    )[0]?.id ?? '';
  const changesSeen = async (team: Team, by: Person): Promise<StepChange[]> => {
    const runId = await lastRun(team);
    return world.database.doors.asTenant(by, (tx) =>
      listChanges(tx, team.tenantId, runId, { limit: 100, after: null }),
    );
  };
  const run = (team: Team, kind: RunKind, isDry = false): ReturnType<typeof night> =>
    night(world, team.owner, DATE, { kind, isDry, pageSize: 2 });
  const set = (team: Team, key: 'storage.max_age_days' | 'storage.erase_archived_days', value: number): Promise<void> =>
    world.database.doors.asTenant(team.owner, (tx) =>
      writeSetting(tx, asId(team.tenantId), {
        ...{ key, projectId: null, value, by: asId(team.owner.userId), at: new Date() },
      }),
    );

  it('archive what is over and what nobody needs, keep what people want, and say what and why to who may see it', async () => {
    const team = await makeTeam(world);
    const over = await shared(team);
    await sql(`update memory set expires_at = '2026-11-20T09:00Z' where id = $1`, [over]);
    const [old, hidden] = [
      await shared(team, { endedAt: noon(-190) }),
      await makeMemory(world.database.doors, team.author, { kind: 'background', endedAt: noon(-190) }),
    ];
    const kept = [
      await shared(team, { endedAt: noon(-190), kind: 'decision' }),
      await shared(team, { endedAt: noon(-190), kind: 'todo' }),
      await shared(team, { endedAt: noon(1) }),
    ];
    const helpful = await shared(team, { endedAt: noon(-190) });
    await proveUseful(world, team.reader, helpful, noon(10));
    await sinceTheyEnded(team);

    const foretold = await run(team, 'nightly', true);
    expect(foretold).toMatchObject({ expired: 1, pruned: 2, credited: 0, snapshots: 0 });
    expect(await Promise.all([over, old, hidden].map(stateOf))).toEqual(['active', 'active', 'active']);
    const dry = await changesSeen(team, team.owner);
    expect(await run(team, 'nightly')).toMatchObject({ expired: 1, pruned: 2, snapshots: 6 });

    expect(await stateOf(over)).toBe('archived: expired');
    expect(await stateOf(old)).toBe('archived: pruned: age');
    expect(await stateOf(hidden)).toBe('archived: pruned: age');
    for (const id of [...kept, helpful]) expect(await stateOf(id)).toBe('active');
    // The owner sees no private memory of others; the report counts it all the same.
    const told = await changesSeen(team, team.owner);
    expect(told).toEqual(dry);
    expect(told).toEqual([
      { step: 'expire', memoryId: over, action: 'expired', reasons: ['expired'], intoId: null },
      { step: 'prune', memoryId: old, action: 'pruned', reasons: ['age'], intoId: null },
    ]);
    const again = await run(team, 'nightly');
    expect(again).toMatchObject({ expired: 0, pruned: 0 });
  });

  it('are taken back by who maintains the place, and by the owner of what is private', async () => {
    const team = await makeTeam(world);
    const [old, own] = [
      await shared(team, { endedAt: noon(-190) }),
      await makeMemory(world.database.doors, team.author, { kind: 'background', endedAt: noon(-190) }),
    ];
    await sinceTheyEnded(team);
    await run(team, 'prune');
    const runs = await sql<{ id: string; made_by: string | null }>(
      'select id, made_by from upkeep_run where tenant_id = $1 and maintenance_run_id is not null',
      [team.tenantId],
    );
    expect(runs).toHaveLength(2);
    for (const { id, made_by: madeBy } of runs) {
      const by = madeBy === null ? team.owner : team.author;
      const undone = await world.database.doors.asTenant(by, (tx) =>
        undoRun(tx, by as unknown as Caller, id, new Date()),
      );
      expect(undone.restoredIds).toEqual([madeBy === null ? old : own]);
      await expect(
        world.database.doors.asTenant(team.reader, (tx) =>
          undoRun(tx, team.reader as unknown as Caller, id, new Date()),
        ),
      ).rejects.toMatchObject({ kind: 'not-found' });
    }
    expect(await stateOf(old)).toBe('active');
    // What people took back has its time again: the next night leaves it.
    expect(await run(team, 'prune')).toMatchObject({ pruned: 0 });
  });

  it('leave a history of years ago, imported lately, the time to be needed', async () => {
    const team = await makeTeam(world);
    const old = await shared(team, { endedAt: noon(-1000) });
    expect(await run(team, 'prune')).toMatchObject({ pruned: 0 });
    await sql('update memory set state_since = $2 where id = $1', [old, noon(-160)]);
    expect(await run(team, 'prune')).toMatchObject({ pruned: 0 });
    await sql('update memory set state_since = $2 where id = $1', [old, noon(-161)]);
    expect(await run(team, 'prune')).toMatchObject({ pruned: 1 });
  });

  it('go on without a memory that they cannot work on, and say so', async () => {
    const team = await makeTeam(world);
    const ids = [];
    for (let n = 0; n < 5; n += 1) ids.push(await shared(team, { endedAt: noon(-190) }));
    await sinceTheyEnded(team);
    const poisonous = [...ids].sort()[2] ?? '';
    await sql(
      `create function poison() returns trigger language plpgsql as $$ begin
      if new.id = '${poisonous}' then raise exception using errcode = '22023'; end if; return new; end $$`,
      [],
    );
    await sql('create trigger "A_poison" before update on memory for each row execute function poison()', []);
    const report = await run(team, 'nightly');
    await sql('drop trigger "A_poison" on memory', []);

    expect(report).toMatchObject({ pruned: 4, setAside: 1, snapshots: 5 });
    for (const id of ids) expect(await stateOf(id)).toBe(id === poisonous ? 'active' : 'archived: pruned: age');
    const asides = (await changesSeen(team, team.owner)).filter(({ action }) => action === 'set-aside');
    expect(asides).toEqual([
      { step: 'prune', memoryId: poisonous, action: 'set-aside', reasons: ['22023'], intoId: null },
    ]);
    const steps = await world.database.doors.asTenant(
      team.owner,
      async (tx) => (await listProgress(tx, team.tenantId, [await lastRun(team)])).values().next().value,
    );
    expect(steps?.find(({ step }) => step === 'prune')).toMatchObject({
      isDone: true,
      looked: 4,
      changed: 4,
      setAside: 1,
    });
  });

  it('I4: a cancelled run writes no more, its workflow ends, and the next request is a run of its own', async () => {
    const team = await makeTeam(world);
    for (let n = 0; n < 6; n += 1) await shared(team);
    const { doors } = world.database;
    const runId = await askForNight(world, team.owner, DATE);
    const taskQueue = randomUUID();
    let pages = 0;
    const counting = {
      ...doors,
      asWorker: async <T>(tenantId: string, work: Parameters<typeof doors.asWorker<T>>[1]): Promise<T> => {
        const answer = await doors.asWorker(tenantId, work);
        pages += 1;
        if (pages === 12) await doors.asTenant(team.owner, (tx) => cancelRun(tx, team.tenantId, runId, new Date()));
        return answer;
      },
    };
    const worker = await makeWorker(world, { taskQueue, pageSize: 1, doors: counting });
    const handle = await world.engine.client.workflow.start(NIGHTLY_WORKFLOW, {
      ...{ taskQueue, workflowId: randomUUID(), args: [{ tenantId: team.tenantId, runId }] },
    });
    await expect(worker.runUntil(handle.result())).rejects.toThrow();
    const [row] = await sql<{ status: string; pages: number }>(
      `select r.status, (select count(*)::int from maintenance_step s where s.run_id = r.id) as pages from maintenance_run r where r.id = $1`,
      [runId],
    );
    expect(row?.status).toBe('cancelled');
    expect(row?.pages).toBeLessThan(12);
    const next = await askForNight(world, team.owner, DATE);
    expect(next).not.toBe(runId);
    // Who works on a run that is over by the time it begins is told so at once.
    const late = await makeWorker(world, { taskQueue });
    const once = await world.engine.client.workflow.start(NIGHTLY_WORKFLOW, {
      ...{ taskQueue, workflowId: randomUUID(), args: [{ tenantId: team.tenantId, runId }] },
    });
    await expect(late.runUntil(once.result())).rejects.toThrow();
  });

  it('are done as often as the tenant wants: due in the first night of a month, left out while paused, and by name in any case', async () => {
    const team = await makeTeam(world);
    const wish = (
      step: 'prune' | 'propagate' | 'credit',
      change: { cadence?: 'monthly'; paused?: boolean },
    ): Promise<void> =>
      world.database.doors.asTenant(team.owner, (tx) => wishStep(tx, asId(team.tenantId), step, change, new Date()));
    await wish('prune', { cadence: 'monthly' });
    await wish('propagate', { paused: true });
    const planOf = async (date: string, kind: RunKind = 'nightly'): Promise<string> => {
      await night(world, team.owner, date, { kind });
      const [row] = await sql<{ steps: string[] }>('select steps from maintenance_run where id = $1', [
        await lastRun(team),
      ]);
      return (row?.steps ?? []).join(' ');
    };
    expect(await planOf('2026-10-30')).toBe('expire credit consolidate prune purge profiles health');
    expect(await planOf('2026-10-31')).toBe('expire credit purge');
    expect(await planOf('2026-10-31', 'prune')).toBe('prune');
    expect(await planOf('2026-10-31', 'propagate')).toBe('snapshot propagate');
    await shared(team, { kind: 'decision' });
    // Page by page: of the project, then of who wrote something; and the one place where something is in use.
    const small = { pageSize: 1 };
    expect(await night(world, team.owner, '2026-10-31', { kind: 'profiles', ...small })).toMatchObject({ profiles: 2 });
    expect(await night(world, team.owner, '2026-10-31', { kind: 'health', ...small })).toMatchObject({ measured: 1 });
    expect(await sql('select part from profile_line where tenant_id = $1', [team.tenantId])).toHaveLength(2);
    await wish('propagate', { paused: false });
    await wish('credit', { paused: true });
    expect(await planOf('2026-11-02')).toBe('expire snapshot propagate consolidate prune purge health');
  });

  it('run in a worker that has time to finish the page in hand (docs/design.md W7)', async () => {
    const worker = await makeWorker(world, { taskQueue: randomUUID() });
    await worker.runUntil(Promise.resolve());
    expect(worker.options).toMatchObject({ shutdownGraceTime: '25 seconds', shutdownForceTime: '35 seconds' });
  });

  it('erase what was forgotten 30 days ago, and archived memories only where the tenant says so', async () => {
    const team = await makeTeam(world);
    const [forgotten, lately, archived, active] = [
      await shared(team),
      await shared(team),
      await shared(team),
      await shared(team),
    ];
    const age = (id: string, state: string, days: number): Promise<unknown> =>
      asSuperuser(world.database.adminUrl, async (client) => {
        await client.query('update memory set state = $2 where id = $1', [id, state]);
        await client.query('alter table memory disable trigger user');
        await client.query('update memory set state_since = now() - make_interval(days => $2) where id = $1', [
          id,
          days,
        ]);
        await client.query('alter table memory enable trigger user');
      });
    await age(forgotten, 'forgotten', 31);
    await age(lately, 'forgotten', 29);
    await age(archived, 'archived', 400);
    expect(await run(team, 'purge', true)).toMatchObject({ erased: 1 });
    expect(await run(team, 'purge')).toMatchObject({ erased: 1 });
    expect(await stateOf(forgotten)).toBeUndefined();
    await set(team, 'storage.erase_archived_days', 365);
    expect(await run(team, 'purge')).toMatchObject({ erased: 1 });
    expect(await stateOf(archived)).toBeUndefined();
    expect([await stateOf(lately), await stateOf(active)]).toEqual(['forgotten', 'active']);
  });
});
