import { vectorIndexName, partitionName } from '@tempera/platform';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildBeside } from '../../prisma/partition-build.js';
import { switchOver } from '../../prisma/partition-switch.js';
import { partitionDue } from '../../prisma/tenant-partition.js';
import { CROWD_DIMENSIONS, CROWD_ENCODER, fill, makePools } from '../support/crowd.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { makeOperator, makeTenant, type TestTenant } from '../support/people.js';

const LARGE = 300;

let database: TestDatabase;
let superuser: pg.Client;
let owner: pg.Client;
let large: TestTenant;
let small: TestTenant;

const open = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
};

beforeAll(async () => {
  database = await openTestDatabase();
  const operator = await makeOperator(database);
  superuser = await open(database.adminUrl);
  owner = await open(database.urls.migrator);
  await owner.query('set role mem_owner');
  await makePools(superuser);
  [large, small] = [await makeTenant(database.doors, operator, 'L'), await makeTenant(database.doors, operator, 'S')];
  await fill(superuser, { tenantId: large.tenantId, ownerId: large.owner.userId, count: LARGE });
  await fill(superuser, { tenantId: small.tenantId, ownerId: small.owner.userId, count: 20 });
}, 120_000);
afterAll(async () => {
  await superuser.end();
  await owner.end();
  await database.close();
});

/** All vectors of the tenant as one digest, wherever they lie. */
const digest = async (): Promise<unknown> => {
  const { rows } = await superuser.query(
    `select count(*)::int as count, md5(string_agg(e::text, '|' order by memory_id, encoder, part)) as sum
     from embedding e where tenant_id = $1`,
    [large.tenantId],
  );
  return rows[0];
};

const leftIn = async (table: string): Promise<number> => {
  const { rows } = await superuser.query<{ count: number }>(
    `select count(*)::int as count from ${table} where tenant_id = $1`,
    [large.tenantId],
  );
  return rows[0]?.count ?? -1;
};

const vectors = () => [
  { tenantId: large.tenantId, encoder: CROWD_ENCODER, dimensions: CROWD_DIMENSIONS, vectors: LARGE },
];

const asksForTheLock = async (): Promise<boolean> => {
  const { rowCount } = await superuser.query(
    `select from pg_stat_activity where datname = current_database() and application_name = 'tempera tenant:partition'
       and wait_event_type = 'Lock'`,
  );
  return (rowCount ?? 0) > 0;
};

describe('a partition that is due', () => {
  it('carries over what was captured, changed and erased while it was built beside', async () => {
    await buildBeside(owner, large.tenantId, vectors());
    const [gone, changed] = (
      await superuser.query<{ id: string }>('select id from memory where tenant_id = $1 order by id limit 2', [
        large.tenantId,
      ])
    ).rows.map(({ id }) => id);
    await superuser.query('delete from embedding where tenant_id = $1 and memory_id = $2', [large.tenantId, gone]);
    await superuser.query(`update embedding set scope = 'private' where tenant_id = $1 and memory_id = $2`, [
      large.tenantId,
      changed,
    ]);
    await fill(superuser, { tenantId: large.tenantId, ownerId: large.owner.userId, count: 5 });
    const before = await digest();
    const { moved, changed: differing, lockedMs } = await switchOver(owner, large.tenantId, vectors());
    expect(moved).toBe(LARGE + 4);
    // One row gone, one in two forms, five new.
    expect(differing).toBe(8);
    process.stderr.write(`partition of ${moved}: everybody locked out for ${lockedMs} ms\n`);
    expect(await digest()).toEqual(before);
    expect([await leftIn(partitionName(large.tenantId)), await leftIn('embedding_default')]).toEqual([moved, 0]);
    await superuser.query('set session_replication_role = origin');
    await expect(
      superuser.query(
        `insert into ${partitionName(large.tenantId)} select $1, gen_random_uuid(), encoder, part, revision,
        content_hash, vector, scope, owner_id from embedding where tenant_id = $1 limit 1`,
        [large.tenantId],
      ),
    ).rejects.toThrow(/foreign key/);
  });

  it('is searched through an index by the name that searches look for', async () => {
    const { rows } = await superuser.query(
      `select i.indisvalid as valid, i.indrelid::regclass::text as on from pg_index i where indexrelid = to_regclass($1)`,
      [vectorIndexName(large.tenantId, CROWD_ENCODER)],
    );
    expect(rows).toEqual([{ valid: true, on: partitionName(large.tenantId) }]);
  });

  it('gets an index for a second encoder, of its dimensions, once many vectors are of it', async () => {
    const second = 'second@0';
    await superuser.query('set session_replication_role = replica');
    await superuser.query(
      `insert into embedding (tenant_id, memory_id, encoder, content_hash, vector, scope, owner_id)
       select tenant_id, memory_id, $2, content_hash, (vector::vector || subvector(vector::vector, 1, 128))::halfvec, scope, owner_id
       from embedding where tenant_id = $1 and encoder = $3`,
      [large.tenantId, second, CROWD_ENCODER],
    );
    const { done, failed } = await partitionDue(database.urls.migrator, undefined, LARGE);
    expect(failed).toEqual([]);
    const index = vectorIndexName(large.tenantId, second);
    expect(done.map(({ tenantId, moved, indexes }) => ({ tenantId, moved, indexes }))).toEqual([
      { tenantId: large.tenantId, moved: 0, indexes: [index] },
    ]);
    const { rows } = await superuser.query(`select indexdef as sql from pg_indexes where indexname = $1`, [index]);
    expect(rows).toEqual([{ sql: expect.stringContaining('halfvec(512)') as string }]);
  });

  it('is made for nobody twice, nor for who is small, nor by two runs at once', async () => {
    expect(await partitionDue(database.urls.migrator, undefined, LARGE)).toEqual({
      isBusy: false,
      done: [],
      failed: [],
    });
    await owner.query('select pg_advisory_lock(5117220313)');
    expect(await partitionDue(database.urls.migrator, undefined, 10)).toMatchObject({ isBusy: true, done: [] });
    await owner.query('select pg_advisory_unlock_all()');
  });

  it('begins anew after a run that was killed, and waits for nobody for long', async () => {
    const one = [
      { ...vectors()[0], tenantId: small.tenantId, encoder: CROWD_ENCODER, dimensions: CROWD_DIMENSIONS, vectors: 20 },
    ];
    await buildBeside(owner, small.tenantId, one);
    const reader = await open(database.adminUrl);
    await reader.query('begin');
    await reader.query('select from embedding limit 1');
    const run = partitionDue(database.urls.migrator, undefined, 20);
    await expect.poll(() => asksForTheLock()).toBe(true);
    // While the run asks in vain, whoever writes goes on after a moment.
    await superuser.query(`update embedding set revision = 2 where tenant_id = $1`, [small.tenantId]);
    await reader.query('commit');
    await reader.end();
    const { done, failed } = await run;
    expect(failed).toEqual([]);
    expect(done.map(({ tenantId, moved }) => [tenantId, moved])).toEqual([[small.tenantId, 20]]);
    const { rows } = await superuser.query(
      `select c.relname from pg_class c where c.relkind in ('r', 'p')
         and (c.relname like 'new\\_%' or c.relname like 'embedding%' and not c.relforcerowsecurity)`,
    );
    expect(rows).toEqual([]);
  });

  it('goes once its tenant was erased, and no other', async () => {
    const partitions = async (): Promise<string[]> =>
      (
        await superuser.query<{ name: string }>(
          `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'embedding'::regclass order by 1`,
        )
      ).rows.map(({ name }) => name);
    const [ofLarge, ofSmall] = [partitionName(large.tenantId), partitionName(small.tenantId)];
    expect(await partitions()).toEqual([ofLarge, ofSmall, 'embedding_default'].sort());
    await superuser.query(`update tenant set status = 'deleted' where id = $1`, [small.tenantId]);
    await partitionDue(database.urls.migrator, undefined, LARGE);
    expect(await partitions()).toContain(ofSmall);
    while (!(await database.doors.asSystem.deleteTenant(small.tenantId, 1_000)).finished);
    await partitionDue(database.urls.migrator, undefined, LARGE);
    expect(await partitions()).toEqual([ofLarge, 'embedding_default'].sort());
    expect(await leftIn(ofLarge)).toBeGreaterThan(LARGE);
  });
});
