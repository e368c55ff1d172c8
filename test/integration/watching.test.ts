import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MetricsServer, serveMetrics, startTracing } from '@tempera/platform';
import { instanceWatch } from '../../apps/worker/src/telemetry/instance-watch.js';
import { startTestApi, type TestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, type GraphQLClient, invitationCode, machineOf } from '../support/graphql-client.js';
import { IssuedSecrets } from '../support/issued-secrets.js';
import { type ReceivedSpan, type SpanCollector, startSpanCollector } from '../support/span-collector.js';

const CAPTURE = 'mutation ($input: CaptureInput!) { capture(input: $input) { memory { id } } }';
const RETRIEVE = 'mutation Marmoset($q: String!) { retrieve(input: { query: $q }) { retrievalId } }';

let collector: SpanCollector;
let endTracing: () => Promise<void>;
let api: TestApi;
let served: MetricsServer;
let owner: GraphQLClient;
let tenantId: string;
const secrets = new IssuedSecrets();

beforeAll(async () => {
  collector = await startSpanCollector();
  endTracing = await startTracing({ program: 'test', version: '0', endpoint: collector.endpoint });
  api = await startTestApi();
  const refresh = instanceWatch(api.database.doors, () => performance.now());
  served = await serveMetrics({ host: '127.0.0.1', port: 0, refresh });
  const operator = await api.operator();
  owner = await createTenant(operator, secrets.note('name of a tenant', 'Walrusworks'));
  ({
    me: {
      tenant: { id: tenantId },
    },
  } = await owner.send<{ me: { tenant: { id: string } } }>('{ me { tenant { id } } }'));
});
afterAll(async () => {
  await endTracing();
  await served.close();
  await api.close();
  await collector.close();
});

const look = async (): Promise<string> => (await fetch(`http://127.0.0.1:${served.port}/metrics`)).text();
/** Labels and values of one series' samples. */
const samples = (text: string, name: string): string[] =>
  text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));

const send = async (id: string, query: string, variables: object): Promise<Response> =>
  fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${(await owner.token()) ?? ''}`,
      'x-request-id': id,
    },
    body: JSON.stringify({ query, variables }),
  });

/** What people write, where it belongs and where it does not. */
const tour = async (): Promise<void> => {
  const text = secrets.note('text', 'ocelot: the reindexer needs a lock');
  const title = secrets.note('title', 'Pangolin title');
  const input = { kind: 'DECISION', title, text, tags: [secrets.note('tag', 'tapir-tag')] };
  await owner.send(CAPTURE, { input });
  await owner.send(RETRIEVE, { q: secrets.note('question', 'which quokka reindexes?') });
  secrets.note('operation name', 'Marmoset');
  const email = secrets.note('e-mail', 'axolotl@example.org');
  secrets.note('code', await invitationCode(owner, { displayName: secrets.note('person', 'Numbat Nora'), email }));
  const token = secrets.note('token', await (await machineOf(owner)).token());
  await owner.refused(RETRIEVE, { q: secrets.note('long question', 'narwhal '.repeat(9_000)) });
  await owner.refused(
    `query ${secrets.note('wrong name', 'DugongDay')} { ${secrets.note('wrong field', 'capybara')} }`,
  );
  await owner.refused('mutation ($c: String!) { login(input: { code: $c }) { accessToken } }', {
    c: secrets.note('wrong code', 'wombat-wombat-wombat'),
  });
  await send(token.slice(0, 40), '{ me { user { id } } }', {});
  await fetch(`${api.url}/${secrets.note('path', 'kinkajou')}?x=${secrets.note('query', 'binturong')}`);
};

describe('what is measured', () => {
  it('names operations from our own list and outcomes by code, with every stage, encoder and pool', async () => {
    await tour();
    const text = await look();
    const counts = samples(text, 'tempera_requests_total').join('\n');
    expect(counts).toContain('{operation="capture",outcome="OK"} 1');
    expect(counts).toContain('{operation="retrieve",outcome="OK"} 1');
    expect(counts).toContain('{operation="login",outcome="UNAUTHENTICATED"} 1');
    expect(counts).toMatch(/\{operation="(?:none|other)",outcome="BAD_USER_INPUT"\}/);
    const stages = samples(text, 'tempera_stage_duration_seconds_count').join('\n');
    for (const stage of ['embed', 'search', 'rank', 'choose', 'read', 'record'])
      expect(stages).toContain(`{work="retrieve",stage="${stage}"} 1`);
    for (const stage of ['embed', 'queue', 'look', 'keep'])
      expect(stages).toContain(`{work="capture",stage="${stage}"} 1`);
    for (const name of [
      'tempera_encoder_work_seconds_count',
      'tempera_encoder_wait_seconds_count',
      'tempera_encoder_ready',
    ])
      expect(samples(text, name), name).not.toEqual([]);
    expect(samples(text, 'tempera_database_connections_max')).toContain(
      'tempera_database_connections_max{door="mem_app"} 5',
    );
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes'])
      expect(samples(text, name)).toHaveLength(1);
  });

  it('tells of the whole instance in numbers, and of tenants by opaque ids alone, ten at most', async () => {
    await asSuperuser(api.database.adminUrl, (client) =>
      client.query(
        `with made as (insert into tenant (name, time_zone, created_at) select 'n' || i, 'UTC', now() - interval '3 days'
          from generate_series(1, 12) i returning id)
        insert into outbox (tenant_id, kind, subject_id, attempts, created_at)
        select id, 'schedule.changed', id, 11, now() - interval '1 hour' from made`,
      ),
    );
    await expect
      .poll(async () => samples(await look(), 'tempera_nights_missed'), { timeout: 20_000 })
      .toEqual(['tempera_nights_missed 12']);
    const text = await look();
    expect(samples(text, 'tempera_outbox_stuck')).toContain('tempera_outbox_stuck{kind="schedule.changed"} 12');
    expect(
      Number(/changed"} (.*)/.exec(samples(text, 'tempera_outbox_oldest_seconds').join('\n'))?.[1]),
    ).toBeGreaterThan(3_500);
    expect(samples(text, 'tempera_tenant_memories')).toHaveLength(10);
    expect(text).toContain(`tempera_tenant_memories{tenant="${tenantId}"} 1`);
  });

  it('answers nothing else on that listener', async () => {
    for (const path of ['/', '/metrics/', '/graphql', '/readyz'])
      expect((await fetch(`http://127.0.0.1:${served.port}${path}`)).status).toBe(404);
  });
});

/** Names of the connections that are in a transaction of a request. */
const named = (): Promise<string[]> =>
  asSuperuser(api.database.adminUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select application_name as name from pg_stat_activity where datname = '${api.database.name}'`,
    );
    return rows.map(({ name }) => name);
  });

describe("a request's id", () => {
  it('is what Postgres shows while it works for it, and no longer', async () => {
    const id = 'laptop-7f3a.0001_x';
    let answer: Promise<Response> | undefined;
    await asSuperuser(api.database.adminUrl, async (client) => {
      await client.query('begin; lock table memory in access exclusive mode');
      answer = send(id, '{ memories(first: 1) { nodes { id } } }', {});
      await expect.poll(named, { timeout: 2_500 }).toContain(`tempera ${id}`);
      await client.query('rollback');
    });
    expect((await answer)?.status).toBe(200);
    expect(await named()).not.toContain(`tempera ${id}`);
    const lines = api.logged().split('\n');
    expect(lines.some((line) => line.includes(`"requestId":"${id}"`) && line.includes('request completed'))).toBe(true);
  });

  it.each(['short', 'x'.repeat(56), "a'; select 1 --", 'tempera tempera', 'ünïcödé-id'])(
    'is one of ours where %j was sent',
    async (id) => {
      const answer = await send(
        encodeURIComponent(id) === id ? id : Buffer.from(id).toString('latin1'),
        '{ me { user { id } } }',
        {},
      );
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

/** From the root down. */
const pathTo = (spans: readonly ReceivedSpan[], span: ReceivedSpan): string[] => {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [...(parent === undefined ? [] : pathTo(spans, parent)), span.name];
};

describe('what is traced', () => {
  it('leads from the request through the operation and its stage to statements by name', async () => {
    await send('traced-request-1', RETRIEVE, { q: 'what of the quokka?' });
    await endTracing();
    const spans = collector.spans();
    const root = spans.find(({ attributes }) => attributes['tempera.request_id'] === 'traced-request-1');
    expect(root).toMatchObject({ name: 'POST retrieve', attributes: { 'tempera.outcome': 'OK' } });
    const own = spans.filter(({ traceId }) => traceId === root?.traceId);
    const paths = own.map((span) => pathTo(own, span).join(' > '));
    expect(paths).toContain('POST retrieve > request auth');
    expect(paths).toContain('POST retrieve > graphql retrieve > retrieve embed');
    expect(paths).toContain('POST retrieve > graphql retrieve > retrieve record > insert retrieval');
  });

  it('attack 2.18: neither spans nor metrics nor log lines hold what people wrote or what lets them in', async () => {
    const places = { 'in spans': collector.received(), 'in metrics': await look(), 'in the log': api.logged() };
    expect(collector.spans().length).toBeGreaterThan(100);
    const found = Object.entries(places).map(([place, text]) => [place, secrets.foundIn(text)] as const);
    const counts = Object.fromEntries(found.map(([place, names]) => [place, names.length]));
    reportAttack('2.18', secrets.count * found.length, counts, 'what is measured, traced and logged');
    expect(found).toEqual(Object.keys(places).map((place) => [place, []]));
  });
});
