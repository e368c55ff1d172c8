import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tx } from '@tempera/platform';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { makeMemory } from '../support/memories.js';
import { makeOperator, makePerson, makeTenant, type Person } from '../support/people.js';

describe('hits that are recorded', () => {
  let database: TestDatabase;
  let superuser: pg.Client;
  let owner: Person;
  let memories: string[];

  beforeAll(async () => {
    database = await openTestDatabase();
    ({ owner } = await makeTenant(database.doors, await makeOperator(database)));
    superuser = new pg.Client({ connectionString: database.adminUrl });
    await superuser.connect();
    memories = [];
    for (let n = 0; n < 6; n += 1) memories.push(await makeMemory(database.doors, owner, { scope: 'tenant' }));
  });
  afterAll(async () => {
    await superuser.end();
    await database.close();
  });

  it('count each memory once for a person and day, many at once and one after another, as counting all of them does', async () => {
    const people = [owner.userId];
    for (const name of ['Bo', 'Cy']) people.push((await makePerson(database.doors, owner, name)).userId);
    await superuser.query('select setseed(0.3)');
    // Two days before and after midnight (UTC), in statements of 1 to 120 hits.
    for (const retrievals of [40, 1, 1, 5, 1, 40, 12]) {
      await superuser
        .query(
          `with asked as (
           insert into retrieval (tenant_id, user_id, kind, created_at)
           select $1, ($2::uuid[])[1 + (random() * 2.99)::int % 3], case when random() < 0.8 then 'asked' else 'injected' end,
             timestamptz '2026-03-02 00:00Z' + (random() - 0.5) * interval '4 days'
           from generate_series(1, $3::int) returning id
         ), told as materialized (
           select id, (random() * 5)::int as first from asked
         )
         select array_agg(id) as ids, array_agg(first) as firsts from told`,
          [owner.tenantId, people, retrievals],
        )
        .then(({ rows: [made] }) =>
          superuser.query(
            `insert into retrieval_hit (tenant_id, retrieval_id, memory_id, place, relevance, score)
           select $1, r.id, ($4::uuid[])[1 + (r.first + n) % 6], n, 1, 1
           from unnest($2::uuid[], $3::int[]) as r (id, first), generate_series(1, 3) n`,
            [owner.tenantId, made.ids, made.firsts, memories],
          ),
        );
    }
    const { rows } = await superuser.query(
      `select s.memory_id, s.shown, s.asked_retrievals, s.last_shown_at, count(*)::int as all_shown,
         max(r.created_at) as all_last,
         count(distinct (r.user_id, (r.created_at at time zone 'UTC')::date)) filter (where r.kind = 'asked')::int as all_asked
       from memory_stat s join retrieval_hit h on h.memory_id = s.memory_id join retrieval r on r.id = h.retrieval_id
       group by 1, 2, 3, 4`,
    );
    expect(rows).toHaveLength(memories.length);
    for (const row of rows) {
      expect([row.shown, row.asked_retrievals, row.last_shown_at]).toEqual([
        row.all_shown,
        row.all_asked,
        row.all_last,
      ]);
      expect(row.asked_retrievals).toBeLessThan(row.shown);
    }
  });

  it('cost in proportion to their number, however many come at once', async () => {
    const readBy = (count: number): Promise<number> =>
      database.doors.asTenant(owner, async (tx) => {
        const at = new Date(Date.UTC(2026, 5, 1) + count * 86_400_000);
        const { tenantId, userId } = owner;
        const rows = Array.from({ length: count }, () => ({
          tenantId,
          userId,
          id: randomUUID(),
          kind: 'asked',
          createdAt: at,
        }));
        await tx.retrieval.createMany({ data: rows });
        const before = await rowsRead(tx);
        await tx.retrievalHit.createMany({
          data: rows.map(({ id }) => ({
            tenantId,
            retrievalId: id,
            memoryId: memories[0] ?? '',
            place: 1,
            relevance: 1,
            score: 1,
          })),
        });
        return (await rowsRead(tx)) - before;
      });
    // Else the planner takes both tables for nearly empty ones, in which any way is as good.
    await readBy(600);
    await superuser.query('analyze retrieval, retrieval_hit');
    const [few, many] = [await readBy(100), await readBy(400)];
    process.stdout.write(`hits at once: ${few} rows read for 100, ${many} for 400\n`);
    expect(many).toBeLessThan(6 * few);
  });
});

const rowsRead = async (tx: Tx): Promise<number> => {
  const [row] = await tx.$queryRaw<{ read: number }[]>`
    select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as read from pg_stat_xact_user_tables
    where relname in ('retrieval', 'retrieval_hit')`;
  return row?.read ?? Number.NaN;
};
