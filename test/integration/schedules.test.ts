import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, type GraphQLClient, invite } from '../support/graphql-client.js';

const SET = `mutation ($input: SetScheduleInput!) { setSchedule(input: $input) { kind cadence hour paused updatedAt } }`;
const PAUSE = `mutation ($kind: ScheduleKind!, $paused: Boolean!) { pauseSchedule(kind: $kind, paused: $paused) { kind paused } }`;
const LIST = '{ schedules { kind cadence paused lastOn updatedAt } }';
const RUN = 'mutation ($input: RunMaintenanceInput!) { runMaintenance(input: $input) { id status } }';
const CANCEL = 'mutation ($id: ID!) { cancelMaintenance(id: $id) { id status finishedAt } }';
const CHANGES = `query ($id: ID!, $first: Int!, $after: String) { maintenanceChanges(runId: $id, first: $first, after: $after) {
  nodes { step memoryId action reasons intoId } pageInfo { hasNextPage endCursor } } }`;
const CAPTURE = `mutation ($input: CaptureInput!) { capture(input: $input) { memory { id } } }`;

interface Wish {
  readonly kind: string;
  readonly cadence: string;
  readonly paused: boolean;
  readonly updatedAt: string | null;
}

interface Changes {
  readonly nodes: { readonly memoryId: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

describe('how often a night has its steps, and what its runs did', () => {
  let api: TestApi;
  let owner: GraphQLClient;
  let admin: GraphQLClient;
  let member: GraphQLClient;
  let stranger: GraphQLClient;

  beforeAll(async () => {
    api = await startTestApi();
    const operator = await api.operator();
    owner = await createTenant(operator, 'Acme');
    stranger = await createTenant(operator, 'Other');
    admin = await invite(owner, { displayName: 'Ada', role: 'ADMIN' });
    member = await invite(owner, { displayName: 'Mia' });
    await owner.send('mutation { createProject(input: { slug: "shop", name: "Shop" }) { id } }');
  });
  afterAll(() => api.close());

  const sql = <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    asSuperuser(api.database.adminUrl, async (client) => (await client.query<Row>(text, values)).rows);
  const wishes = async (by: GraphQLClient): Promise<Map<string, Wish>> =>
    new Map((await by.send<{ schedules: Wish[] }>(LIST)).schedules.map((wish) => [wish.kind, wish]));
  const audited = (action: string): Promise<{ details: object }[]> =>
    sql('select details from audit where action = $1 order by at desc, seq desc limit 1', [action]);
  const start = async (runDate: string): Promise<string> =>
    (await owner.send<{ runMaintenance: { id: string } }>(RUN, { input: { kind: 'PRUNE', runDate } })).runMaintenance
      .id;

  it('a cadence is a step’s, stays while others change, and is of one tenant', async () => {
    expect((await wishes(owner)).get('CONSOLIDATE')).toMatchObject({
      cadence: 'MONTHLY',
      paused: false,
      updatedAt: null,
    });
    const set = await admin.send(SET, { input: { kind: 'PRUNE', cadence: 'QUARTERLY' } });
    expect(set).toMatchObject({ setSchedule: { kind: 'PRUNE', cadence: 'QUARTERLY', paused: false, hour: 3 } });
    expect(await owner.send(PAUSE, { kind: 'PRUNE', paused: true })).toEqual({
      pauseSchedule: { kind: 'PRUNE', paused: true },
    });
    expect((await wishes(owner)).get('PRUNE')).toMatchObject({ cadence: 'QUARTERLY', paused: true });
    expect((await audited('schedule.changed'))[0]?.details).toMatchObject({ kind: 'prune', fields: 'paused' });
    await owner.send(PAUSE, { kind: 'PRUNE', paused: false });
    expect((await wishes(owner)).get('PRUNE')).toMatchObject({ cadence: 'QUARTERLY', paused: false });
    expect((await wishes(stranger)).get('PRUNE')).toMatchObject({ cadence: 'NIGHTLY', updatedAt: null });
  });

  it('the nights can be paused whole, and have no cadence; steps have no time', async () => {
    const promised = (): Promise<object[]> => sql(`select id from outbox where kind = 'schedule.changed'`);
    const promises = (await promised()).length;
    await owner.send(PAUSE, { kind: 'NIGHTLY', paused: true });
    expect((await wishes(owner)).get('NIGHTLY')?.paused).toBe(true);
    expect(await promised()).toHaveLength(promises + 1);
    await owner.send(PAUSE, { kind: 'NIGHTLY', paused: false });
    const before = await sql('select * from schedule order by tenant_id, kind');
    for (const input of [
      { kind: 'NIGHTLY', cadence: 'WEEKLY' },
      { kind: 'PRUNE', hour: 4 },
      { kind: 'PRUNE', cadence: 'YEARLY' },
      { kind: 'SNAPSHOT', cadence: 'WEEKLY' },
      { kind: 'NIGHTLY', hour: 24 },
    ]) {
      expect((await owner.refused(SET, { input })).code, JSON.stringify(input)).toBe('BAD_USER_INPUT');
    }
    for (const [document, variables] of [
      [SET, { input: { kind: 'PRUNE', cadence: 'WEEKLY' } }],
      [PAUSE, { kind: 'PRUNE', paused: true }],
      [LIST, {}],
    ] as const) {
      expect((await member.refused(document, variables)).code).toBe('FORBIDDEN');
    }
    expect(await sql('select * from schedule order by tenant_id, kind')).toEqual(before);
  });

  it('a run is cancelled once, by an admin, and stays as it ended; others know of none', async () => {
    const id = await start('2026-10-01');
    expect((await member.refused(CANCEL, { id })).code).toBe('FORBIDDEN');
    const missing = await stranger.refused(CANCEL, { id: randomUUID() });
    expect(await stranger.refused(CANCEL, { id })).toMatchObject({ code: missing.code, message: missing.message });

    const { cancelMaintenance } = await admin.send<{ cancelMaintenance: { status: string; finishedAt: string } }>(
      CANCEL,
      { id },
    );
    expect(cancelMaintenance.status).toBe('CANCELLED');
    expect(await owner.send(CANCEL, { id })).toEqual({ cancelMaintenance: { id, ...cancelMaintenance } });
    expect(
      await sql(`select 1 from audit where action = 'maintenance.cancelled' and subject_id = $1`, [id]),
    ).toHaveLength(1);
    expect(await start('2026-10-01')).not.toBe(id);

    const done = await start('2026-10-02');
    await sql(`update maintenance_run set status = 'completed', finished_at = now() where id = $1`, [done]);
    expect(await owner.send(CANCEL, { id: done })).toMatchObject({ cancelMaintenance: { status: 'COMPLETED' } });
  });

  it('tells of a run’s changes those to memories that the caller sees, page by page, and nobody else of any', async () => {
    const capture = async (by: GraphQLClient, text: string, more: object): Promise<string> =>
      (await by.send<{ capture: { memory: { id: string } } }>(CAPTURE, { input: { text, merge: 'NEVER', ...more } }))
        .capture.memory.id;
    const shared = [];
    for (const word of ['till', 'lift', 'lamp'])
      shared.push(
        await capture(owner, `The ${word} of the shop is inspected each spring.`, {
          project: 'shop',
          scope: 'PROJECT',
        }),
      );
    const hidden = await capture(member, 'What only Mia knows of her own desk.', { scope: 'PRIVATE' });
    const id = await start('2026-10-03');
    await sql(
      `insert into maintenance_change (tenant_id, run_id, step, memory_id, action, reasons)
       select r.tenant_id, r.id, 'prune', m.id, 'pruned', '{age}' from maintenance_run r join memory m on m.tenant_id = r.tenant_id
       where r.id = $1 and m.id = any ($2)`,
      [id, [...shared, hidden]],
    );
    const seen: string[] = [];
    for (let after: string | null = null; ;) {
      const { maintenanceChanges }: { maintenanceChanges: Changes } = await owner.send(CHANGES, {
        id,
        first: 2,
        after,
      });
      seen.push(...maintenanceChanges.nodes.map(({ memoryId }) => memoryId));
      if (!maintenanceChanges.pageInfo.hasNextPage) break;
      after = maintenanceChanges.pageInfo.endCursor;
    }
    expect(seen).toEqual([...shared].sort());
    // An admin who is in no project sees that there was a run, and none of its memories.
    expect(await admin.send(CHANGES, { id, first: 100 })).toMatchObject({ maintenanceChanges: { nodes: [] } });
    const missing = await owner.refused(CHANGES, { id: randomUUID(), first: 1 });
    for (const person of [member, stranger]) {
      expect(await person.refused(CHANGES, { id, first: 1 })).toMatchObject({
        code: missing.code,
        message: missing.message,
      });
    }
  });
});
