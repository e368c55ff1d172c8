import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, type GraphQLClient, invite } from '../support/graphql-client.js';

const LOG =
  'query ($first: Int!, $after: String, $filter: AuditFilter) { auditLog(first: $first, after: $after, filter: $filter) { nodes { seq at action actorId subjectId details hash } pageInfo { hasNextPage endCursor } } }';
const EXPORT =
  'query ($first: Int!, $after: String) { exportAudit(first: $first, after: $after) { lines pageInfo { hasNextPage endCursor } } }';
const VERIFY =
  'query ($head: KeptHeadInput, $after: String) { verifyAudit(head: $head, after: $after) { intact complete checked firstBadSeq fault headSeq headHash } }';
interface Entry {
  seq: string;
  at: string;
  action: string;
  actorId: string | null;
  subjectId: string | null;
  hash: string;
}
interface Log {
  auditLog: { nodes: Entry[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
}
interface Verdict {
  intact: boolean;
  checked: number;
  firstBadSeq: string | null;
  fault: string | null;
  headSeq: string;
  headHash: string;
}

let api: TestApi;
let owner: GraphQLClient;
let member: GraphQLClient;
let stranger: GraphQLClient;
let tenantId: string;

const log = async (filter?: Record<string, unknown>, first = 100): Promise<Entry[]> =>
  (await owner.send<Log>(LOG, { first, filter })).auditLog.nodes;
const verify = async (variables: Record<string, unknown> = {}): Promise<Verdict> =>
  (await owner.send<{ verifyAudit: Verdict }>(VERIFY, variables)).verifyAudit;
const tamper = (...statements: string[]): Promise<void> =>
  asSuperuser(api.database.adminUrl, async (client) => {
    for (const sql of statements) await client.query(sql.replaceAll('TENANT', `tenant_id = '${tenantId}'`));
  });

beforeAll(async () => {
  api = await startTestApi();
  const operator = await api.operator();
  owner = await createTenant(operator, 'Acme');
  stranger = await createTenant(operator, 'Other');
  const { me } = await owner.send<{ me: { tenant: { id: string } } }>('{ me { tenant { id } } }');
  tenantId = me.tenant.id;
  for (const slug of ['a', 'b', 'c', 'd']) {
    await owner.send('mutation ($slug: String!) { createProject(input: { slug: $slug, name: "P" }) { id } }', { slug });
  }
  member = await invite(owner, { displayName: 'Mel' });
});
afterAll(() => api.close());

describe('the audit', () => {
  it('is read by admins of the tenant alone, newest first, in pages', async () => {
    const all = await log();
    expect(all.map(({ seq }) => Number(seq))).toEqual([...all.keys()].reverse().map((n) => n + 1));
    const { nodes, pageInfo } = (await owner.send<Log>(LOG, { first: 3 })).auditLog;
    expect(nodes).toEqual(all.slice(0, 3));
    const next = (await owner.send<Log>(LOG, { first: 100, after: pageInfo.endCursor })).auditLog.nodes;
    expect(next).toEqual(all.slice(3));
    for (const query of [
      '{ auditLog(first: 1) { nodes { seq } } }',
      '{ exportAudit(first: 1) { lines } }',
      '{ verifyAudit { intact } }',
    ]) {
      expect((await member.refused(query)).code).toBe('FORBIDDEN');
    }
    const others = (await stranger.send<Log>(LOG, { first: 100 })).auditLog.nodes;
    expect(others.some(({ hash }) => all.some((entry) => entry.hash === hash))).toBe(false);
    expect((await stranger.refused(LOG, { first: 3, after: pageInfo.endCursor })).code).toBe('BAD_USER_INPUT');
  });

  it('is filtered by action, actor, subject and time, and an unknown id finds nothing', async () => {
    const created = await log({ action: 'project.created' });
    expect(created).toHaveLength(4);
    const [newest] = created;
    expect(await log({ subjectId: newest?.subjectId })).toEqual([newest]);
    expect((await log({ actorId: newest?.actorId, action: 'project.created' })).length).toBe(4);
    expect(await log({ from: newest?.at, action: 'project.created' })).toEqual([newest]);
    expect(await log({ to: newest?.at, action: 'project.created' })).toEqual(created.slice(1));
    for (const actorId of [randomUUID(), 'x']) expect(await log({ actorId })).toEqual([]);
    const backwards = { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' };
    expect((await owner.refused(LOG, { first: 1, filter: backwards })).code).toBe('BAD_USER_INPUT');
  });

  it('is exported whole, as lines whose hashes can be computed without us', async () => {
    const lines: string[] = [];
    let after: string | null = null;
    do {
      type Page = { exportAudit: { lines: string[]; pageInfo: { hasNextPage: boolean; endCursor: string } } };
      const { exportAudit }: Page = await owner.send<Page>(EXPORT, { first: 2, after });
      lines.push(...exportAudit.lines);
      after = exportAudit.pageInfo.hasNextPage ? exportAudit.pageInfo.endCursor : null;
    } while (after !== null);
    interface Line {
      seq: number;
      previousHash: string;
      hash: string;
    }
    const rows = lines.map((line) => JSON.parse(line) as Line);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    expect(rows.map(({ previousHash }) => previousHash)).toEqual([
      '0'.repeat(64),
      ...rows.slice(0, -1).map(({ hash }) => hash),
    ]);
    // The hash is over Postgres's own JSON text, with one blank after each comma and colon.
    const bodies = await asSuperuser(api.database.adminUrl, async (client) => {
      const found = await client.query<{ body: string }>(
        `select jsonb_build_array(l->'tenant', l->'seq', l->'atMicros', l->'actorKind', l->'actor', l->'action',
           l->'subjectKind', l->'subject', l->'details')::text as body
         from unnest($1::jsonb[]) with ordinality x (l, n) order by n`,
        [lines],
      );
      return found.rows;
    });
    for (const [index, { body }] of bodies.entries()) {
      const previous = Buffer.from(rows[index]?.previousHash ?? '', 'hex');
      expect(createHash('sha256').update(previous).update(body).digest('hex')).toBe(rows[index]?.hash);
    }
  });
});

describe('attack 4.14: changing the audit', () => {
  let attempts = 0;
  afterAll(() => reportAttack('4.14', attempts, { unnoticed: 0 }));

  it('is intact as it is', async () => {
    const all = await log();
    expect(await verify()).toMatchObject({
      intact: true,
      complete: true,
      checked: all.length,
      firstBadSeq: null,
      headSeq: all[0]?.seq,
      headHash: all[0]?.hash,
    });
  });

  it('names the first row that was edited, column by column', async () => {
    const columns: [string, string][] = [
      ['action', `'x' || action`],
      ['actor_kind', `'system'`],
      ['actor_id', 'null'],
      ['subject_kind', `'x'`],
      ['subject_id', 'null'],
      ['at', `at + interval '1 microsecond'`],
      ['details', `'{"x": 1}'`],
      ['hash', `sha256('x')`],
    ];
    await tamper('create table kept as select * from audit where TENANT');
    for (const [column, value] of columns) {
      await tamper(`update audit set ${column} = ${value} where TENANT and seq = 4`);
      const { intact, firstBadSeq } = await verify();
      attempts += 1;
      expect({ column, intact, firstBadSeq }).toEqual({ column, intact: false, firstBadSeq: '4' });
      await tamper('delete from audit where TENANT', 'insert into audit select * from kept');
    }
    expect((await verify()).intact).toBe(true);
  });

  it('names the first row after one that was removed, moved, or put in', async () => {
    const attacks: [string, string[], string, string][] = [
      ['removed', ['delete from audit where TENANT and seq = 4'], '5', 'GAP'],
      ['removed at the start', ['delete from audit where TENANT and seq = 1'], '2', 'GAP'],
      [
        'removed, the rest renumbered',
        [
          'delete from audit where TENANT and seq = 4',
          'update audit set seq = seq + 1000 where TENANT and seq > 4',
          'update audit set seq = seq - 1001 where TENANT and seq > 1000',
        ],
        '4',
        'LINK',
      ],
      [
        'two exchanged',
        [
          'update audit set seq = 1000 where TENANT and seq = 4',
          'update audit set seq = 4 where TENANT and seq = 5',
          'update audit set seq = 5 where TENANT and seq = 1000',
        ],
        '4',
        'LINK',
      ],
      [
        'put in with a hash that fits',
        [
          'update audit set seq = seq + 1000 where TENANT and seq > 4',
          'update audit set seq = seq - 999 where TENANT and seq > 1000',
          `insert into audit select a.tenant_id, 5, a.at, 'system', null, 'x', 'x', null, '{}', a.hash,
             audit_hash(a.tenant_id, 5, a.at, 'system', null, 'x', 'x', null, '{}', a.hash)
             from audit a where TENANT and seq = 4`,
        ],
        '6',
        'LINK',
      ],
    ];
    for (const [name, statements, firstBadSeq, fault] of attacks) {
      await tamper(...statements);
      attempts += 1;
      expect({ name, ...(await verify()) }).toMatchObject({ name, intact: false, firstBadSeq, fault });
      await tamper('delete from audit where TENANT', 'insert into audit select * from kept where TENANT');
    }
    expect((await verify()).intact).toBe(true);
  });

  it('shows a tail that was cut off, or written anew, against a head that was kept', async () => {
    const { headSeq: seq, headHash: hash } = await verify();
    expect((await verify({ head: { seq, hash } })).intact).toBe(true);
    await tamper(`delete from audit where TENANT and seq >= ${seq}`);
    expect((await verify()).intact).toBe(true);
    expect(await verify({ head: { seq, hash } })).toMatchObject({ intact: false, firstBadSeq: seq, fault: 'HEAD' });
    await owner.send('mutation { createProject(input: { slug: "anew", name: "P" }) { id } }');
    expect((await verify()).intact).toBe(true);
    expect(await verify({ head: { seq, hash } })).toMatchObject({ intact: false, firstBadSeq: seq, fault: 'HEAD' });
    for (const head of [
      { seq: '0', hash },
      { seq: 'x', hash },
      { seq: '-1', hash },
      { seq, hash: 'x' },
    ]) {
      expect((await owner.refused(VERIFY, { head })).code).toBe('BAD_USER_INPUT');
    }
    expect((await owner.refused(VERIFY, { after: 'x' })).code).toBe('BAD_USER_INPUT');
  });

  it('is checked page by page where it is longer than a statement may take', async () => {
    // 12,000 rows, chained as append_audit chains them, in one statement.
    await asSuperuser(api.database.adminUrl, (client) =>
      client.query(
        `do $$ begin for i in 1..12000 loop
           perform append_audit('${tenantId}', 'system', null, 'test', 'test', null, '{}');
         end loop; end $$`,
      ),
    );
    const whole = await verify();
    expect(whole).toMatchObject({ intact: true, complete: true });
    expect(whole.checked).toBeGreaterThan(12_000);
    await tamper(`update audit set action = 'x' where TENANT and seq = 10001`);
    expect(await verify()).toMatchObject({ intact: false, firstBadSeq: '10001', fault: 'CONTENT' });
  }, 60_000);
});
