import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, type GraphQLClient, invite } from '../support/graphql-client.js';

let api: TestApi;
let operator: GraphQLClient;

beforeAll(async () => {
  api = await startTestApi();
  operator = await api.operator();
});
afterAll(() => api.close());

interface Tenant {
  readonly owner: GraphQLClient;
  readonly id: string;
}

const tenantWith = async (input: Record<string, unknown>): Promise<Tenant> => {
  const owner = await createTenant(operator, 'Acme');
  const { me } = await owner.send<{ me: { tenant: { id: string } } }>('{ me { tenant { id } } }');
  await setQuota(me.tenant.id, input);
  return { owner, id: me.tenant.id };
};

const setQuota = (tenantId: string, input: Record<string, unknown>): Promise<unknown> =>
  operator.send('mutation ($t: ID!, $i: QuotaInput!) { setQuota(tenantId: $t, input: $i) { tenantId } }', {
    t: tenantId,
    i: input,
  });

const CAPTURE = `mutation ($input: CaptureInput!) { capture(input: $input) { memory { id embeddingState } } }`;
interface Captured {
  capture: { memory: { id: string; embeddingState: string } };
}
const capture = (who: GraphQLClient, text: string, more: object = {}): Promise<Captured> =>
  who.send<Captured>(CAPTURE, { input: { text, merge: 'NEVER', scope: 'PRIVATE', ...more } });

/** The figures that are kept, and the same counted anew. */
const counts = (tenantId: string): Promise<{ kept: number[]; counted: number[] }> =>
  asSuperuser(api.database.adminUrl, async (client) => {
    const { rows } = await client.query<Record<'memories' | 'bytes' | 'm' | 'b', string>>(
      `select u.memories, u.bytes, (select count(*) from memory m where m.tenant_id = $1 and m.state = 'active') as m,
        (select coalesce(sum(memory_bytes(m.title, m.text, m.tags, m.files_modified, m.errors_resolved, m.alternatives)), 0)
          from memory m where m.tenant_id = $1)
        + (select coalesce(sum(octet_length(r.title) + octet_length(r.text)), 0) from revision r where r.tenant_id = $1)
        + (select coalesce(sum(proposal_bytes(p.title, p.text, p.parts)), 0) from proposal p where p.tenant_id = $1) as b
      from usage u where u.tenant_id = $1`,
      [tenantId],
    );
    const [row] = rows;
    return { kept: [Number(row?.memories), Number(row?.bytes)], counted: [Number(row?.m), Number(row?.b)] };
  });

describe('attack 3.11: the last place of a quota', () => {
  it(
    'is taken once by fifty writers at once, and the tenant keeps exactly its quota',
    { timeout: 120_000 },
    async () => {
      const { owner, id } = await tenantWith({ memories: 20 });
      const people = [owner];
      for (let i = 0; i < 4; i += 1) people.push(await invite(owner, { displayName: `P${i}` }));
      const outcomes = await Promise.allSettled(
        Array.from({ length: 50 }, (_, index) => capture(people[index % 5] ?? owner, `fact number ${index}`)),
      );
      const kept = outcomes.filter(({ status }) => status === 'fulfilled').length;
      const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
      reportAttack(
        '3.11',
        outcomes.length,
        { 'beyond the quota': Math.max(0, kept - 20) },
        `${kept} kept of a quota of 20`,
      );
      expect(kept).toBe(20);
      for (const refusal of refusals) expect(refusal).toContain('LIMIT_EXCEEDED: Your tenant keeps 20 memories');
      const { kept: figures, counted } = await counts(id);
      expect(figures).toEqual(counted);
      expect(figures[0]).toBe(20);
    },
  );

  it('refuses with what is exceeded and what makes room, and leaves nothing half-written', async () => {
    const { owner, id } = await tenantWith({ memories: 1 });
    await capture(owner, 'the first');
    const refused = await owner.refused(CAPTURE, {
      input: { text: 'the second', merge: 'NEVER', scope: 'PRIVATE', idempotencyKey: 'k', sessionKey: 's' },
    });
    expect(refused).toMatchObject({ code: 'LIMIT_EXCEEDED', status: 200 });
    expect(refused.message).toContain('archiving or forgetting');
    const left = await asSuperuser(api.database.adminUrl, async (client) => {
      const { rows } = await client.query<Record<string, string>>(
        `select (select count(*) from memory where tenant_id = $1) as memories,
          (select count(*) from revision where tenant_id = $1) as revisions,
          (select count(*) from idempotency_key where tenant_id = $1) as keys,
          (select count(*) from work_session where tenant_id = $1 and client_key = 's') as sessions,
          (select count(*) from usage_change) as changes`,
        [id],
      );
      return rows[0];
    });
    expect(left).toEqual({ memories: '1', revisions: '0', keys: '0', sessions: '0', changes: '0' });
    await setQuota(id, { memories: 2 });
    await capture(owner, 'the second', { idempotencyKey: 'k' });
  });

  it('keeps of many captures at once those that fit, and says so of each other one', async () => {
    const { owner, id } = await tenantWith({ memories: 3 });
    const { captureMany } = await owner.send<{
      captureMany: { captured: number; failed: number; results: { error: { code: string } | null }[] };
    }>(
      `mutation ($inputs: [CaptureInput!]!) { captureMany(inputs: $inputs) { captured failed results { error { code } } } }`,
      { inputs: Array.from({ length: 5 }, (_, i) => ({ text: `item ${i}`, merge: 'NEVER', scope: 'PRIVATE' })) },
    );
    expect(captureMany).toMatchObject({ captured: 3, failed: 2 });
    expect(captureMany.results.map(({ error }) => error?.code ?? 'KEPT')).toEqual([
      ...['KEPT', 'KEPT', 'KEPT'],
      ...['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED'],
    ]);
    expect((await counts(id)).kept[0]).toBe(3);
  });

  it('holds for bytes, former texts included, and lets what is already there be archived and read', async () => {
    const { owner, id } = await tenantWith({ bytes: 1_500 });
    const { capture: first } = await capture(owner, 'x'.repeat(1_000));
    const refused = await owner.refused(CAPTURE, {
      input: { text: 'y'.repeat(1_000), merge: 'NEVER', scope: 'PRIVATE' },
    });
    expect(refused.message).toContain('1500 bytes');
    await asSuperuser(api.database.adminUrl, (client) =>
      client.query(`update memory set state = 'archived' where tenant_id = $1`, [id]),
    );
    const { kept, counted } = await counts(id);
    expect(kept).toEqual(counted);
    expect(kept[0]).toBe(0);
    expect(kept[1]).toBeGreaterThan(1_000);
    await asSuperuser(api.database.adminUrl, (client) =>
      client.query('delete from memory where tenant_id = $1 and id = $2', [id, first.memory.id]),
    );
    expect((await counts(id)).kept).toEqual([0, 0]);
  });

  it('counts what waits for a decision; of decisions and moves a memory keeps the latest, so nothing grows without it', async () => {
    const { owner, id } = await tenantWith({});
    await owner.send('mutation { createProject(input: { slug: "p", name: "P" }) { id } }');
    await owner.send('mutation { updateProject(project: "p", input: { reviewRequired: true }) { id } }');
    const ada = await invite(owner, { displayName: 'Ada', project: 'p', projectRole: 'CONTRIBUTOR' });
    const { capture: kept } = await capture(ada, 'a '.repeat(2_000));
    const before = await counts(id);
    const SHARE = 'mutation ($i: AudienceInput!) { shareMemory(input: $i) { proposal { id } } }';
    const WITHDRAW = 'mutation ($id: ID!) { withdrawProposal(id: $id) { id } }';
    const input = { i: { memoryId: kept.memory.id, scope: 'PROJECT', project: 'p' } };
    const ask = async (): Promise<string> =>
      (await ada.send<{ shareMemory: { proposal: { id: string } } }>(SHARE, input)).shareMemory.proposal.id;
    const first = await ask();
    const during = await counts(id);
    expect(during.kept).toEqual(during.counted);
    expect((during.kept[1] ?? 0) - (before.kept[1] ?? 0)).toBeGreaterThan(4_000);
    await ada.send(WITHDRAW, { id: first });
    expect(await counts(id)).toEqual(before);
    await setQuota(id, { bytes: (before.kept[1] ?? 0) + 1_000 });
    expect((await ada.refused(SHARE, input)).reason).toBe('quota-bytes');
    await setQuota(id, { bytes: null });
    await asSuperuser(api.database.adminUrl, async (client) => {
      await client.query(
        `insert into proposal (tenant_id, memory_id, proposer_id, to_scope) select tenant_id, memory_id, proposer_id, 'tenant'
         from proposal where id = $1`,
        [first],
      );
      for (let n = 0; n < 30; n += 1) {
        await client.query(`update proposal set state = 'withdrawn', decided_at = now(), title = null, text = null, parts = null
          where state = 'pending' and memory_id = '${kept.memory.id}'`);
        await client.query(`insert into proposal (tenant_id, memory_id, proposer_id, to_scope)
          select tenant_id, memory_id, proposer_id, 'tenant' from proposal where id = '${first}' or state <> 'pending' limit 1`);
      }
      for (let n = 1; n <= 130; n += 1) {
        await client.query(
          `insert into audience_change (tenant_id, memory_id, number, from_scope, from_owner_id, to_scope, to_owner_id, action)
           select tenant_id, id, $2, 'private', owner_id, 'private', owner_id, 'share' from memory where id = $1`,
          [kept.memory.id, n],
        );
      }
      const { rows } = await client.query<Record<'decided' | 'moves', number>>(
        `select (select count(*)::int from proposal where memory_id = $1 and state <> 'pending') as decided,
          (select count(*)::int from audience_change where memory_id = $1) as moves`,
        [kept.memory.id],
      );
      expect(rows).toEqual([{ decided: 20, moves: 100 }]);
    });
  });

  it('of vectors lets captures go on without one until tomorrow', async () => {
    const { owner } = await tenantWith({ embeddingsPerDay: 1 });
    expect((await capture(owner, 'read replicas are for reports')).capture.memory.embeddingState).toBe('READY');
    expect((await capture(owner, 'the primary is for writes')).capture.memory.embeddingState).toBe('PENDING');
    const { retrieve } = await owner.send<{ retrieve: { hits: { memory: { text: string } }[] } }>(
      'mutation { retrieve(input: { query: "primary writes" }) { hits { memory { text } } } }',
    );
    expect(retrieve.hits.map(({ memory }) => memory.text)).toContain('the primary is for writes');
    const { usage } = await owner.send<{ usage: { tenant: { embeddingsToday: number } } }>(
      '{ usage { tenant { embeddingsToday } } }',
    );
    expect(usage.tenant.embeddingsToday).toBe(1);
  });
});

describe('usage', () => {
  interface UsageAnswer {
    usage: {
      quota: { memories: number };
      tenant: { memories: number } | null;
      days: { captures: number; retrievals: number }[];
      users: { user: { displayName: string }; memories: number; today: { captures: number; points: number } }[];
      projects: { project: { slug: string }; memories: number }[];
    };
  }
  const USAGE = `{ usage { quota { memories } tenant { memories } days { captures retrievals }
    users { user { displayName } memories today { captures points } } projects { project { slug } memories } } }`;

  it('attack 1.11: tells an admin nothing of what others keep to themselves, but in the tenant’s own total', async () => {
    const { owner } = await tenantWith({});
    await owner.send('mutation { createProject(input: { slug: "web", name: "Web" }) { id } }');
    const ben = await invite(owner, { displayName: 'Ben', project: 'web', projectRole: 'CONTRIBUTOR' });
    for (let i = 0; i < 3; i += 1) await capture(ben, `private note ${i}`);
    await capture(ben, 'shared note', { scope: 'PROJECT', project: 'web' });
    await capture(owner, 'of the owner');

    const { usage: seen } = await owner.send<UsageAnswer>(USAGE);
    expect(seen.tenant?.memories).toBe(5);
    const benSeen = seen.users.find(({ user }) => user.displayName === 'Ben');
    expect(benSeen).toMatchObject({ memories: 1, today: { captures: 1 } });
    expect(benSeen?.today.points).toBeGreaterThan(0);
    expect(seen.days[0]?.captures).toBe(2);
    expect(seen.projects).toEqual([{ project: { slug: 'web' }, memories: 1 }]);

    const { usage: own } = await ben.send<UsageAnswer>(USAGE);
    expect(own.tenant).toBeNull();
    expect(own.users).toHaveLength(1);
    expect(own.users[0]).toMatchObject({ user: { displayName: 'Ben' }, memories: 4, today: { captures: 4 } });
    expect(own.days[0]?.captures).toBe(4);
  });

  it('is set by operators alone, within its ranges, and audited', async () => {
    const { owner, id } = await tenantWith({ memories: 7, userPointsPerMinute: 9_000 });
    const SET =
      'mutation ($t: ID!, $i: QuotaInput!) { setQuota(tenantId: $t, input: $i) { quota { memories userPointsPerMinute } usage { memories } } }';
    expect((await owner.refused(SET, { t: id, i: { memories: 9 } })).code).toBe('UNAUTHENTICATED');
    for (const input of [
      { memories: -1 },
      { userPointsPerMinute: 4_999 },
      { bytes: 1.5 },
      { memories: 2_000_000_000 },
    ]) {
      expect((await operator.refused(SET, { t: id, i: input })).code).toBe('BAD_USER_INPUT');
    }
    for (const tenant of ['00000000-0000-4000-8000-000000000000', 'x']) {
      expect((await operator.refused(SET, { t: tenant, i: { memories: 9 } })).code).toBe('NOT_FOUND');
    }
    const changed = await operator.send<{ setQuota: { quota: object; usage: object } }>(SET, {
      t: id,
      i: { memories: null },
    });
    expect(changed.setQuota).toEqual({
      quota: { memories: 1_000_000_000, userPointsPerMinute: 9_000 },
      usage: { memories: 0 },
    });
    const audit = await asSuperuser(api.database.adminUrl, async (client) => {
      const { rows } = await client.query<{ details: object }>(
        `select details from audit where tenant_id = $1 and action = 'quota.changed' order by seq`,
        [id],
      );
      return rows.map(({ details }) => details);
    });
    expect(audit).toEqual([{ memories: 7, user_points_per_minute: 9_000 }, { memories: null }]);
  });
});

it('what holds for tenants without a quota of their own is changed by an operator, one number at a time', async () => {
  const operator = await api.operator();
  const SET =
    'mutation ($input: QuotaInput!) { setDefaultQuota(input: $input) { tenantId quota { memories embeddingsPerDay } } }';
  const first = await operator.send<{ setDefaultQuota: { quota: { memories: number } } }>(SET, { input: {} });
  const { memories } = first.setDefaultQuota.quota;
  expect(await operator.send(SET, { input: { embeddingsPerDay: 7 } })).toEqual({
    setDefaultQuota: { tenantId: null, quota: { memories, embeddingsPerDay: 7 } },
  });
});
