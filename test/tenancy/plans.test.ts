import { createDoors, type Doors, type Identity } from '@tempera/platform';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportAttack } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { drawQuestions, fill, makePools } from '../support/crowd.js';
import { fillVotes } from '../support/crowd-votes.js';
import { openTestDatabase, type TestDatabase, testPoolSize } from '../support/database.js';
import { makeRetrieval } from '../support/memories.js';
import { makeOperator, makeTenant } from '../support/people.js';
import { type HotQuery, hotQueries, type HotWorld } from './hot-queries.js';

const isFull = process.env['TEMPERA_FULL'] === '1';
const RUNS = isFull ? 200 : 25;
const OWN = 2_000;
const TENANTS = 100;

let secured: TestDatabase;
/** The same rows without row-level security: what the policies cost is the difference. */
let open: TestDatabase;
let world: HotWorld;

/** 200,000 memories in a hundred tenants. Not all have vectors: many strangers' vectors are the business of 1.14. */
const crowd = async (database: TestDatabase, client: pg.Client): Promise<Identity> => {
  const operator = await makeOperator(database);
  const { owner } = await makeTenant(database.doors, operator, 'Asker');
  await makePools(client);
  await fill(client, { tenantId: owner.tenantId, ownerId: owner.userId, count: OWN });
  await fillVotes(client, { tenantId: owner.tenantId, userId: owner.userId, each: 5 });
  for (let n = 1; n < TENANTS; n++) {
    const other = (await makeTenant(database.doors, operator, `Other ${n}`)).owner;
    await fill(client, { tenantId: other.tenantId, ownerId: other.userId, count: OWN, withoutVectors: n > 9 });
  }
  await client.query('vacuum analyze');
  return owner;
};

beforeAll(async () => {
  secured = await openTestDatabase();
  const client = new pg.Client({ connectionString: secured.adminUrl });
  await client.connect();
  const asker = await crowd(secured, client);
  const { rows } = await client.query<{ id: string }>(
    'select id from memory where tenant_id = $1 order by id limit 20',
    [asker.tenantId],
  );
  const memoryIds = rows.map(({ id }) => id);
  const [question = new Float32Array()] = await drawQuestions(client, 1);
  await client.end();
  world = { asker, memoryIds, question, retrievalId: await makeRetrieval(secured.doors, asker, memoryIds) };
  await secured.doors.close();
  open = await openTestDatabase(secured.name);
  await asSuperuser(open.adminUrl, (superuser) =>
    superuser.query(`do $$ declare t text; begin
      for t in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') loop
        execute format('alter table %I no force row level security, disable row level security', t);
      end loop; end $$`),
  );
}, 600_000);
afterAll(async () => {
  await open.close();
  await secured.close();
});

const withDoors = async <T>(database: TestDatabase, work: (doors: Doors, statements: string[]) => Promise<T>) => {
  const statements: string[] = [];
  const doors = createDoors({
    appUrl: database.urls.app,
    poolSize: testPoolSize,
    onStatement: ({ sql }) => statements.push(sql),
  });
  try {
    return await work(doors, statements);
  } finally {
    await doors.close();
  }
};

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Subplan Name'?: string;
  readonly Plans?: readonly PlanNode[];
  readonly [field: string]: unknown;
}

const HELPERS = /\b(current_tenant|uid|is_member|is_tenant_admin|my_tenant_role|my_\w*projects|my_\w*groups)\(\)/;
const LARGE = new Set(['memory', 'memory_stat', 'embedding', 'embedding_default', 'retrieval_hit', 'vote_question']);

/** What is wrong with a plan: a whole large table read, or a policy's function where it would run once a row. */
const faultsOf = (node: PlanNode): string[] => {
  const { Plans: inner = [], ...own } = node;
  const isInitPlan = node['Subplan Name']?.startsWith('InitPlan') ?? false;
  const faults: string[] = [];
  if (node['Node Type'] === 'Seq Scan' && LARGE.has(node['Relation Name'] ?? '')) {
    faults.push(`reads all of ${node['Relation Name'] ?? ''}`);
  }
  const perRow = Object.entries(own).filter(
    ([field]) => /Filter|Cond|Output|Key/.test(field) && !(isInitPlan && field === 'Output'),
  );
  for (const [field, value] of perRow) {
    const helper = HELPERS.exec(JSON.stringify(value))?.[0];
    if (helper !== undefined) faults.push(`${helper} in ${field} of ${node['Node Type']}`);
  }
  return [...faults, ...inner.flatMap(faultsOf)];
};

const explain = async (statement: string): Promise<{ readonly faults: string[]; readonly initPlans: number }> => {
  const client = new pg.Client({ connectionString: secured.urls.app });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(`select set_config('app.tenant_id', $1, true), set_config('app.user_id', $2, true)`, [
      world.asker.tenantId,
      world.asker.userId,
    ]);
    const { rows } = await client.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
      `explain (generic_plan, verbose, format json) ${statement}`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    if (plan === undefined) throw new Error('no plan');
    return { faults: faultsOf(plan), initPlans: JSON.stringify(plan).split('InitPlan').length - 1 };
  } finally {
    await client.end();
  }
};

const isQuery = (sql: string): boolean =>
  /^\s*(?:\/\*[^*]*\*\/)?\s*(select|with)\b/i.test(sql) && !/set_config/.test(sql);

describe('attack 1.17: the hot queries among 200,000 memories', () => {
  it.each(hotQueries)('$name: reads by an index, and asks each policy’s function once', async ({ run }) => {
    const statements = await withDoors(secured, async (doors, heard) => {
      await doors.asTenant(world.asker, (tx) => run(tx, world));
      return [...new Set(heard.filter(isQuery))];
    });
    expect(statements.length).toBeGreaterThan(0);
    let initPlans = 0;
    for (const statement of statements) {
      const found = await explain(statement);
      expect(found.faults).toEqual([]);
      initPlans += found.initPlans;
    }
    // Else the statement was planned without any policy, and the test would prove nothing.
    expect(initPlans).toBeGreaterThan(0);
  });

  it('costs little more than without row-level security', async () => {
    const measured: string[] = [];
    const ratios: number[] = [];
    await withDoors(secured, (under) =>
      withDoors(open, async (without) => {
        for (const query of hotQueries) {
          const [secure, bare] = await measure(query, under, without);
          ratios.push(secure / bare);
          measured.push(
            `${query.name} ${secure.toFixed(1)} against ${bare.toFixed(1)} ms, ×${(secure / bare).toFixed(2)}`,
          );
        }
      }),
    );
    process.stdout.write(`medians under row-level security and without:\n  ${measured.join('\n  ')}\n`);
    const slower = ratios.filter((ratio) => ratio > 1.2).length;
    const worst = `overhead up to ×${Math.max(...ratios).toFixed(2)}, ${slower} above the target of ×1.20`;
    reportAttack(
      '1.17',
      2 * RUNS * hotQueries.length,
      { 'of another order': ratios.filter((r) => r >= 10).length },
      worst,
    );
    // The target is ×1.20, and is read off the lines above; asserted is that no query is another order.
    expect(Math.max(...ratios)).toBeLessThan(10);
  }, 300_000);
});

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

const timed = async (doors: Doors, query: HotQuery): Promise<number> =>
  doors.asTenant(world.asker, async (tx) => {
    const began = performance.now();
    await query.run(tx, world);
    return performance.now() - began;
  });

/** In turns, so that whatever else the machine does falls on both alike. */
const measure = async (query: HotQuery, under: Doors, without: Doors): Promise<[number, number]> => {
  const times: [number[], number[]] = [[], []];
  for (let run = 0; run < RUNS; run++) {
    times[0].push(await timed(under, query));
    times[1].push(await timed(without, query));
  }
  return [median(times[0]), median(times[1])];
};
