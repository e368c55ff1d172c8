import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, type GraphQLClient, invite } from '../support/graphql-client.js';

interface Finding {
  name: string;
  verdict: 'OK' | 'WARNING' | 'FAILURE';
  detail: string;
  advice: string | null;
}

const FIELDS = '{ name verdict detail advice }';

let api: TestApi;
let operator: GraphQLClient;
let owner: GraphQLClient;
let tenantId: string;

beforeAll(async () => {
  api = await startTestApi();
  operator = await api.operator();
  owner = await createTenant(operator, 'Zebraworks');
  const { me } = await owner.send<{ me: { tenant: { id: string } } }>('{ me { tenant { id } } }');
  tenantId = me.tenant.id;
  await owner.send('mutation { capture(input: { text: "the zebra reindexes" }) { memory { id } } }');
});
afterAll(() => api.close());

const instance = async (): Promise<Map<string, Finding>> => {
  const { instanceDoctor } = await operator.send<{ instanceDoctor: Finding[] }>(`{ instanceDoctor ${FIELDS} }`);
  expect(JSON.stringify(instanceDoctor)).not.toMatch(/zebra/i);
  for (const { verdict, advice } of instanceDoctor) expect(advice === null).toBe(verdict === 'OK');
  return new Map(instanceDoctor.map((finding) => [finding.name, finding]));
};
const tenant = async (): Promise<Map<string, Finding>> => {
  const { tenantDoctor } = await owner.send<{ tenantDoctor: Finding[] }>(`{ tenantDoctor ${FIELDS} }`);
  expect(JSON.stringify(tenantDoctor)).not.toMatch(/zebra/i);
  return new Map(tenantDoctor.map((finding) => [finding.name, finding]));
};
const arrange = (sql: string, values: readonly unknown[] = []): Promise<unknown> =>
  asSuperuser(api.database.adminUrl, (client) => client.query(sql, [...values]));
const beat = (engineAnswers: boolean): Promise<void> =>
  api.database.doors.asSystem.beat({
    program: 'worker',
    processId: '00000000-0000-4000-8000-000000000001',
    version: '0.1.0',
    startedAt: new Date(),
    engineAnswers,
  });

describe("an operator's doctor", () => {
  it('finds the database, roles, migrations, clocks and encoders of a sound instance in order, and the worker missing', async () => {
    const encoder = 'encoder bge-small-en-v1.5';
    await expect.poll(async () => (await instance()).get(encoder)?.verdict, { timeout: 30_000 }).toBe('OK');
    const found = await instance();
    for (const name of ['migrations', 'isolation', 'clocks', 'nights missed', 'quotas', 'large tenants'])
      expect(found.get(name), name).toMatchObject({ verdict: 'OK' });
    expect(found.get('database')?.detail).toMatch(/^Postgres 1\d\.\d+, pgvector 0\.\d/);
    expect(found.get(encoder)?.detail).toMatch(/weights [0-9a-f]{12}/);
    expect(found.get('worker')).toMatchObject({
      verdict: 'FAILURE',
      advice: expect.stringContaining('Start a worker'),
    });
    expect(found.get('workflow engine')).toMatchObject({ verdict: 'WARNING' });
  });

  it('tells a worker whose engine answers from one that is alone', async () => {
    await beat(false);
    let found = await instance();
    expect(found.get('worker')).toMatchObject({ verdict: 'OK' });
    expect(found.get('workflow engine')).toMatchObject({ verdict: 'FAILURE', detail: 'has not answered the worker' });
    await beat(true);
    expect((await instance()).get('workflow engine')).toMatchObject({ verdict: 'OK' });
    await arrange(`update instance_beat set engine_at = now() - interval '5 minutes'`);
    await beat(false);
    found = await instance();
    expect(found.get('workflow engine')).toMatchObject({
      verdict: 'FAILURE',
      detail: expect.stringContaining('5 min'),
    });
  });

  it('names stuck work, missed and failed nights, full quotas and tenants that want a partition, by opaque ids', async () => {
    await arrange(`update tenant set created_at = now() - interval '3 days'`);
    await arrange(
      `insert into maintenance_run (tenant_id, kind, run_date, status, failure, finished_at) values ($1, 'nightly', current_date, 'failed', 'x', now())`,
      [tenantId],
    );
    await arrange(`update quota set memories = 27000 where tenant_id = $1`, [tenantId]);
    await arrange(`update usage set memories = 26000 where tenant_id = $1`, [tenantId]);
    await arrange(`update outbox set attempts = 12, done_at = null, available_at = now() + interval '1 hour'`);
    const found = await instance();
    const named = expect.stringContaining(tenantId);
    expect(found.get('nights missed')).toMatchObject({ verdict: 'FAILURE', detail: named });
    expect(found.get('nights failed')).toMatchObject({ verdict: 'FAILURE', detail: named });
    expect(found.get('quotas')).toMatchObject({ verdict: 'WARNING', detail: expect.stringContaining('96 %') });
    expect(found.get('large tenants')).toMatchObject({
      verdict: 'WARNING',
      detail: expect.stringContaining('26000 memories'),
    });
    expect(found.get('promised work schedule.changed')).toMatchObject({
      verdict: 'FAILURE',
      detail: expect.stringContaining('tried ten times'),
    });
  });

  it('says so when row-level security is off somewhere, or migrations are missing, and never which table', async () => {
    await arrange('alter table vote no force row level security');
    expect((await instance()).get('isolation')).toMatchObject({ verdict: 'FAILURE', detail: 'table-unforced' });
    await arrange('alter table vote force row level security');
    await arrange(`update _prisma_migrations set finished_at = null where migration_name = '20261130000083_doctor'`);
    expect((await instance()).get('migrations')).toMatchObject({
      verdict: 'FAILURE',
      advice: expect.stringContaining('migrate job'),
    });
    await arrange(`update _prisma_migrations set finished_at = now() where migration_name = '20261130000083_doctor'`);
  });
});

describe("an admin's doctor", () => {
  it('tells of the own tenant alone, and no member', async () => {
    const found = await tenant();
    expect(found.get('nights')).toMatchObject({ verdict: 'FAILURE', detail: expect.stringContaining('failed') });
    expect(found.get('promised work')).toMatchObject({ verdict: 'FAILURE' });
    expect(found.get('quota of memories')).toMatchObject({ verdict: 'WARNING', detail: '26000 of 27000' });
    expect(found.get('size')).toMatchObject({ verdict: 'WARNING' });
    expect(found.get('vectors')).toMatchObject({ verdict: 'OK' });
    await arrange(`update schedule set paused = true where tenant_id = $1`, [tenantId]);
    expect((await tenant()).get('nights')).toMatchObject({
      verdict: 'WARNING',
      detail: expect.stringContaining('paused'),
    });
    const other = await createTenant(operator, 'Quagga');
    const { tenantDoctor } = await other.send<{ tenantDoctor: Finding[] }>(`{ tenantDoctor ${FIELDS} }`);
    expect(JSON.stringify(tenantDoctor)).not.toContain('26000');
    const member = await invite(owner, { displayName: 'Mia' });
    expect((await member.refused(`{ tenantDoctor ${FIELDS} }`)).code).toBe('FORBIDDEN');
    expect((await owner.refused(`{ instanceDoctor ${FIELDS} }`)).code).toBe('UNAUTHENTICATED');
  });
});
