import { createOperatorCode } from '../../prisma/operator-code.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, type GraphQLClient, logInOperator } from '../support/graphql-client.js';

const ME = '{ me { tenant { id name } } }';
const TENANTS =
  'query ($filter: TenantFilter, $after: String) { tenants(first: 2, after: $after, filter: $filter) { nodes { id name status users projects memories } pageInfo { hasNextPage endCursor } } }';
interface TenantRow {
  id: string;
  name: string;
  status: string;
  users: number;
  projects: number;
  memories: number;
}
interface Tenants {
  tenants: { nodes: TenantRow[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
}
const act = (name: string): string => `mutation ($id: ID!) { ${name}(id: $id) { id status } }`;
const DELETE =
  'mutation ($id: ID!, $name: String!, $days: Int) { deleteTenant(id: $id, confirmName: $name, graceDays: $days) { status eraseAfter } }';
const NOWHERE = '00000000-0000-4000-8000-000000000000';

let api: TestApi;
let operator: GraphQLClient;
let clock = Date.now();
const later = (ms: number): void => {
  clock += ms;
};

beforeAll(async () => {
  api = await startTestApi({ now: () => new Date(clock) });
  operator = await api.operator();
});
afterAll(() => api.close());

const tenantIdOf = async (client: GraphQLClient): Promise<string> =>
  (await client.send<{ me: { tenant: { id: string } } }>(ME)).me.tenant.id;

describe('tenants, as operators see them', () => {
  it('are listed by name with numbers and no contents, in pages, filtered by status and name', async () => {
    const owner = await createTenant(operator, 'Aaa');
    for (const name of ['Bbb', 'Ccc']) await createTenant(operator, name);
    await owner.send('mutation { createProject(input: { slug: "p", name: "P" }) { id } }');
    await owner.send('mutation { capture(input: { text: "SECRETWORD" }) { memory { id } } }');
    const first = (await operator.send<Tenants>(TENANTS)).tenants;
    expect(first.nodes.map(({ name }) => name)).toEqual(['Aaa', 'Bbb']);
    expect(first.nodes[0]).toMatchObject({ status: 'ACTIVE', users: 1, projects: 1, memories: 1 });
    expect(JSON.stringify(first)).not.toContain('SECRETWORD');
    const second = (await operator.send<Tenants>(TENANTS, { after: first.pageInfo.endCursor })).tenants;
    expect(second.nodes.map(({ name }) => name)).toEqual(['Ccc']);
    expect(second.pageInfo.hasNextPage).toBe(false);
    const filtered = await operator.send<Tenants>(TENANTS, { filter: { name: 'cC', status: 'ACTIVE' } });
    expect(filtered.tenants.nodes.map(({ name }) => name)).toEqual(['Ccc']);
    expect((await operator.send<Tenants>(TENANTS, { filter: { status: 'SUSPENDED' } })).tenants.nodes).toEqual([]);
    const wrongList = await operator.refused(TENANTS, { after: first.pageInfo.endCursor, filter: { name: 'x' } });
    expect(wrongList.code).toBe('BAD_USER_INPUT');
  });

  it('attack 2.10: are suspended and resumed; the old access token is refused within five seconds and works again', async () => {
    const owner = await createTenant(operator, 'Paused');
    const id = await tenantIdOf(owner);
    expect(await operator.send(act('suspendTenant'), { id })).toEqual({ suspendTenant: { id, status: 'SUSPENDED' } });
    later(5_001);
    expect((await owner.refused(ME)).code).toBe('UNAUTHENTICATED');
    expect(await operator.send(act('suspendTenant'), { id })).toEqual({ suspendTenant: { id, status: 'SUSPENDED' } });
    expect(await operator.send(act('resumeTenant'), { id })).toEqual({ resumeTenant: { id, status: 'ACTIVE' } });
    later(5_001);
    expect(await tenantIdOf(owner)).toBe(id);
  });

  it('are deleted only by their name to the letter, at once, come back within their grace, and never after', async () => {
    const owner = await createTenant(operator, 'Doomed');
    const id = await tenantIdOf(owner);
    for (const name of ['', 'doomed', 'Doomed ', 'Paused']) {
      expect((await operator.refused(DELETE, { id, name })).code).toBe('BAD_USER_INPUT');
    }
    expect(await tenantIdOf(owner)).toBe(id);
    for (const days of [-1, 366])
      expect((await operator.refused(DELETE, { id, name: 'Doomed', days })).reason).toBe('grace-days');
    const DELETION = 'query ($id: ID!) { tenantDeletion(id: $id) { status counts { rows } } }';
    expect((await operator.refused(DELETION, { id })).code).toBe('NOT_FOUND');
    const { deleteTenant } = await operator.send<{ deleteTenant: { status: string; eraseAfter: string } }>(DELETE, {
      id,
      name: 'Doomed',
    });
    expect(deleteTenant.status).toBe('DELETED');
    expect(Date.parse(deleteTenant.eraseAfter)).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    later(5_001);
    expect((await owner.refused(ME)).code).toBe('UNAUTHENTICATED');
    expect(await operator.send(act('resumeTenant'), { id })).toEqual({ resumeTenant: { id, status: 'ACTIVE' } });
    expect(await operator.send(DELETION, { id })).toEqual({ tenantDeletion: { status: 'TAKEN_BACK', counts: [] } });
    later(5_001);
    expect(await tenantIdOf(owner)).toBe(id);
    await operator.send(DELETE, { id, name: 'Doomed' });
    // The shorter grace holds, and a longer one is no way back.
    expect(await operator.send(DELETE, { id, name: 'Doomed', days: 0 })).toMatchObject({
      deleteTenant: { status: 'DELETED' },
    });
    await operator.send(DELETE, { id, name: 'Doomed', days: 365 });
    later(5_001);
    expect((await owner.refused(ME)).code).toBe('UNAUTHENTICATED');
    expect((await operator.refused(act('resumeTenant'), { id })).code).toBe('CONFLICT');
    expect((await operator.refused(act('suspendTenant'), { id })).code).toBe('CONFLICT');
  });

  it('that do not exist answer alike, whatever is asked of them', async () => {
    const answers = new Set<string>();
    for (const id of [NOWHERE, 'x', '', '0'.repeat(5_000)]) {
      for (const name of ['suspendTenant', 'resumeTenant']) {
        answers.add((await operator.refused(act(name), { id })).message);
      }
      answers.add((await operator.refused(DELETE, { id, name: 'x' })).message);
    }
    expect([...answers]).toEqual(['NOT_FOUND: No such tenant.']);
  });
});

describe('operators', () => {
  const CREATE = 'mutation ($name: String!) { createOperatorCode(name: $name) { operatorId code expiresAt } }';
  const DISABLE = 'mutation ($id: ID!) { disableOperator(id: $id) { id disabledAt } }';
  interface Code {
    createOperatorCode: { operatorId: string; code: string };
  }

  it('are made by one-time codes, disabled within five seconds, and their unused codes with them', async () => {
    const { createOperatorCode: made } = await operator.send<Code>(CREATE, { name: 'Second' });
    const second = await logInOperator(api.url, made.code);
    await expect(logInOperator(api.url, made.code)).rejects.toThrow('UNAUTHENTICATED');
    const spare = await second.send<Code>(CREATE, { name: 'Second' });
    expect(spare.createOperatorCode.operatorId).toBe(made.operatorId);
    await operator.send(DISABLE, { id: made.operatorId });
    later(5_001);
    expect((await second.refused('{ operators { id } }')).code).toBe('UNAUTHENTICATED');
    await expect(logInOperator(api.url, spare.createOperatorCode.code)).rejects.toThrow('UNAUTHENTICATED');
    expect((await operator.refused(DISABLE, { id: made.operatorId })).code).toBe('NOT_FOUND');
    const { operators } = await operator.send<{ operators: { id: string; disabledAt: string | null }[] }>(
      '{ operators { id name disabledAt } }',
    );
    expect(operators.find(({ id }) => id === made.operatorId)?.disabledAt).not.toBeNull();
  });

  it('make no code in the name of another', async () => {
    await operator.send(CREATE, { name: 'Third' });
    expect((await operator.refused(CREATE, { name: 'Third' })).code).toBe('CONFLICT');
    for (const name of ['', ' ', 'x'.repeat(201)]) {
      expect((await operator.refused(CREATE, { name })).code).toBe('BAD_USER_INPUT');
    }
  });

  it('never disable the last one who has logged in', async () => {
    const { operators } = await operator.send<{ operators: { id: string; name: string; disabledAt: null }[] }>(
      '{ operators { id name disabledAt } }',
    );
    const self = operators.find(({ name }) => name === 'test');
    const invited = operators.find(({ name }) => name === 'Third');
    // Somebody was invited, but nobody else has ever come.
    expect(invited?.disabledAt).toBeNull();
    expect((await operator.refused(DISABLE, { id: self?.id ?? '' })).code).toBe('CONFLICT');
    expect((await operator.refused(DISABLE, { id: NOWHERE })).code).toBe('NOT_FOUND');
  });
});

describe("the operators' log", () => {
  const LOG =
    'query ($first: Int!, $after: String) { operatorLog(first: $first, after: $after) { nodes { seq action operatorId subjectId details hash } pageInfo { endCursor } } }';
  const VERIFY = '{ verifyOperatorLog { intact complete checked firstBadSeq fault headSeq headHash } }';
  interface Entry {
    seq: string;
    action: string;
    operatorId: string | null;
    subjectId: string | null;
  }
  interface Log {
    operatorLog: { nodes: Entry[]; pageInfo: { endCursor: string } };
  }

  it('holds each thing an operator did, newest first and in pages', async () => {
    const owner = await createTenant(operator, 'Logged');
    const id = await tenantIdOf(owner);
    await operator.send(act('suspendTenant'), { id });
    const { nodes, pageInfo } = (await operator.send<Log>(LOG, { first: 2 })).operatorLog;
    expect(nodes.map(({ action }) => action)).toEqual(['tenant.suspended', 'tenant.created']);
    expect(nodes.every(({ subjectId, operatorId }) => subjectId === id && operatorId !== null)).toBe(true);
    const more = (await operator.send<Log>(LOG, { first: 100, after: pageInfo.endCursor })).operatorLog.nodes;
    expect(Number(more[0]?.seq)).toBe(Number(nodes[1]?.seq) - 1);
    const actions = new Set(more.map(({ action }) => action));
    for (const action of ['operator.logged-in', 'operator-code.made', 'operator.disabled', 'tenant.deleted']) {
      expect(actions).toContain(action);
    }
  });

  it('names the first row that was changed, taken out or put in', async () => {
    type Verdict = { verifyOperatorLog: { intact: boolean; firstBadSeq: string | null; fault: string | null } };
    const verdict = async (): Promise<Verdict['verifyOperatorLog']> =>
      (await operator.send<Verdict>(VERIFY)).verifyOperatorLog;
    expect(await verdict()).toMatchObject({ intact: true, complete: true, firstBadSeq: null });
    const tamper = (sql: string): Promise<unknown> => asSuperuser(api.database.adminUrl, (client) => client.query(sql));
    await tamper(`update operator_log set action = 'x' || action where seq = 3`);
    expect(await verdict()).toMatchObject({ intact: false, firstBadSeq: '3', fault: 'CONTENT' });
    await tamper(`update operator_log set action = substr(action, 2) where seq = 3`);
    await tamper(
      'create table kept as select * from operator_log where seq = 5; delete from operator_log where seq = 5',
    );
    expect(await verdict()).toMatchObject({ intact: false, firstBadSeq: '6', fault: 'GAP' });
    await tamper('insert into operator_log select * from kept; drop table kept');
    expect((await verdict()).intact).toBe(true);
  });
});

describe('the health of the instance', () => {
  const HEALTH =
    '{ instanceHealth { version migrations { applied expected latest } encoders { name ready } workers { version alive } outboxWaiting outboxLagSeconds tenants { active suspended deleted } problems } }';
  interface Health {
    instanceHealth: {
      migrations: { applied: number; expected: number };
      workers: { alive: boolean }[];
      outboxWaiting: number;
      tenants: { active: number; suspended: number; deleted: number };
      problems: string[];
    };
  }

  it('says what is there, what waits, and that no worker has shown itself', async () => {
    const { instanceHealth: health } = await operator.send<Health>(HEALTH);
    expect(health.migrations.applied).toBe(health.migrations.expected);
    expect(health.workers).toEqual([]);
    expect(health.outboxWaiting).toBeGreaterThan(0);
    expect(health.tenants).toMatchObject({ suspended: 1, deleted: 1 });
    expect(health.problems.join()).toContain('No worker');
  });

  it('believes a worker that wrote within half a minute', async () => {
    const beat = { program: 'worker', processId: NOWHERE, version: '9', startedAt: new Date() };
    await api.database.doors.asSystem.beat(beat);
    const alive = (await operator.send<Health>(HEALTH)).instanceHealth;
    expect(alive.workers).toMatchObject([{ alive: true }]);
    expect(alive.problems.join()).not.toContain('No worker');
    await asSuperuser(api.database.adminUrl, (client) =>
      client.query(`update instance_beat set beat_at = now() - interval '31 seconds'`),
    );
    const gone = (await operator.send<Health>(HEALTH)).instanceHealth;
    expect(gone.workers).toMatchObject([{ alive: false }]);
    expect(gone.problems.join()).toContain('No worker');
  });
});

describe('whoever is no operator', () => {
  it('is refused everything here, in the same words', async () => {
    const owner = await createTenant(operator, 'Curious');
    const code = await createOperatorCode(api.database.urls.migrator, 'someone');
    expect(code).toMatch(/^tmem_op_/);
    const answers = new Set<string>();
    for (const query of [TENANTS, '{ operators { id } }', '{ instanceHealth { version } }']) {
      answers.add((await owner.refused(query)).message);
    }
    for (const name of ['suspendTenant', 'resumeTenant']) {
      answers.add((await owner.refused(act(name), { id: await tenantIdOf(owner) })).message);
    }
    expect([...answers]).toEqual(['UNAUTHENTICATED: Log in first: there is no valid access token.']);
  });
});
