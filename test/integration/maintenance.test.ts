import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { createTenant, type GraphQLClient, invite } from '../support/graphql-client.js';

const RUN =
  'mutation ($input: RunMaintenanceInput!) { runMaintenance(input: $input) { id kind runDate status report { touched } } }';
const LIST = `query ($first: Int!, $after: String) { maintenanceRuns(first: $first, after: $after) {
  nodes { id runDate } pageInfo { hasNextPage endCursor } } }`;
const SHOW =
  'query ($id: ID!) { maintenanceRun(id: $id) { id status startedAt finishedAt report { touched } failure } }';

interface Run {
  readonly id: string;
  readonly runDate: string;
  readonly status: string;
}

interface Page {
  readonly nodes: Run[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** The date in Auckland, where the tenant is, so many days from now. */
const dateThere = (days: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format(Date.now() + days * 86_400_000);

describe('runMaintenance', () => {
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
  });

  afterAll(() => api.close());

  const run = async (by: GraphQLClient, runDate?: string): Promise<Run> =>
    (await by.send<{ runMaintenance: Run }>(RUN, { input: runDate === undefined ? {} : { runDate } })).runMaintenance;

  const tenantOf = async (client: GraphQLClient): Promise<string> =>
    (await client.send<{ me: { tenant: { id: string } } }>('{ me { tenant { id } } }')).me.tenant.id;

  const outboxOf = async (client: GraphQLClient): Promise<{ subjectId: string }[]> => {
    const tenantId = await tenantOf(client);
    return api.database.doors.asWorker(
      tenantId,
      (tx) => tx.$queryRaw<{ subjectId: string }[]>`
        select subject_id as "subjectId" from outbox where tenant_id = ${tenantId}::uuid
          and kind = 'maintenance.requested' order by created_at`,
    );
  };

  it('records what is wanted, for today where the tenant is, with one word to the worker', async () => {
    const tenantId = await tenantOf(owner);
    await api.database.doors.asTenant({ tenantId, userId: await userOf(owner) }, (tx) =>
      tx.tenant.updateMany({ where: { id: tenantId }, data: { timeZone: 'Pacific/Auckland' } }),
    );
    const before = await outboxOf(owner);
    const made = await run(owner, '2026-11-19');
    const today = await run(owner);

    expect(made).toMatchObject({ runDate: '2026-11-19', status: 'REQUESTED', kind: 'NIGHTLY', report: null });
    expect(today.runDate).toBe(dateThere(0));
    expect((await outboxOf(owner)).slice(before.length).map(({ subjectId }) => subjectId)).toEqual([made.id, today.id]);
    const audited = await api.database.doors.asTenant({ tenantId, userId: await userOf(owner) }, (tx) =>
      tx.audit.findMany({ where: { tenantId, action: 'maintenance.requested' }, select: { subjectId: true } }),
    );
    expect(audited.map(({ subjectId }) => subjectId)).toEqual(expect.arrayContaining([made.id, today.id]));
  });

  const userOf = async (client: GraphQLClient): Promise<string> =>
    (await client.send<{ me: { user: { id: string } } }>('{ me { user { id } } }')).me.user.id;

  it('answers the unfinished run of a date instead of making a second, and makes one once that has ended', async () => {
    const first = await run(owner, '2026-11-10');
    const words = await outboxOf(owner);

    expect(await run(admin, '2026-11-10')).toEqual(first);
    expect(await outboxOf(owner)).toEqual(words);

    const tenantId = await tenantOf(owner);
    await api.database.doors.asWorker(
      tenantId,
      (tx) => tx.$executeRaw`update maintenance_run set status = 'completed'
        where tenant_id = ${tenantId}::uuid and id = ${first.id}::uuid`,
    );
    expect((await run(owner, '2026-11-10')).id).not.toBe(first.id);
  });

  it('makes one run of twenty requests at once', async () => {
    const runs = await Promise.all(Array.from({ length: 20 }, () => run(owner, '2026-11-05')));
    expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
  });

  it('is for owners and admins', async () => {
    expect((await member.refused(RUN, { input: {} })).code).toBe('FORBIDDEN');
    expect((await run(admin, '2026-11-01')).status).toBe('REQUESTED');
  });

  it('refuses days to come, days that are none, and other types, with nothing written', async () => {
    const words = await outboxOf(owner);
    for (const runDate of [dateThere(2), dateThere(40), '9999-12-31', '2026-02-30', 'tomorrow', '', 20261120, {}]) {
      expect((await owner.refused(RUN, { input: { runDate } })).code).toBe('BAD_USER_INPUT');
    }
    expect(await outboxOf(owner)).toEqual(words);
    expect((await run(owner, dateThere(1))).runDate).toBe(dateThere(1));
  });

  it('shows runs to admins and to who asked, and answers others as if there were none', async () => {
    const { id } = await run(owner, '2026-10-01');
    const unknown = await owner.refused(SHOW, { id: randomUUID() });

    expect((await admin.send<{ maintenanceRun: Run }>(SHOW, { id })).maintenanceRun.id).toBe(id);
    for (const client of [member, stranger]) {
      const refusal = await client.refused(SHOW, { id });
      expect([refusal.code, refusal.message]).toEqual([unknown.code, unknown.message]);
    }
    expect((await owner.refused(SHOW, { id: 'not-an-id' })).message).toBe(unknown.message);
    expect((await member.send<{ maintenanceRuns: Page }>(LIST, { first: 10 })).maintenanceRuns.nodes).toEqual([]);
  });

  it('lists runs latest first, page by page, each once', async () => {
    const seen: string[] = [];
    for (let after: string | null = null; ;) {
      const { maintenanceRuns }: { maintenanceRuns: Page } = await owner.send(LIST, { first: 3, after });
      seen.push(...maintenanceRuns.nodes.map(({ id }) => id));
      if (!maintenanceRuns.pageInfo.hasNextPage) break;
      after = maintenanceRuns.pageInfo.endCursor;
    }
    const whole = (await owner.send<{ maintenanceRuns: Page }>(LIST, { first: 100 })).maintenanceRuns.nodes;
    expect(seen).toEqual(whole.map(({ id }) => id));
    expect(new Set(seen).size).toBeGreaterThan(6);
    for (const first of [0, -1, 101, 2 ** 31])
      expect((await owner.refused(LIST, { first })).code).toBe('BAD_USER_INPUT');
  });
});
