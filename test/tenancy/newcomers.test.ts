import type { Identity } from '@tempera/platform';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fill, makePools } from '../support/crowd.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { makeRetrieval } from '../support/memories.js';
import { makeOperator, makeTenant } from '../support/people.js';

const MEMORIES = 1_000;
/** The planner believes that the tenant has one row, and may read all of them to find one; what must not be is all of them for each of them. */
const ROWS_OF_A_VOTE = 3 * MEMORIES;

describe('a tenant that came after the latest statistics', () => {
  let database: TestDatabase;
  let newcomer: Identity;
  let memoryIds: string[];

  beforeAll(async () => {
    database = await openTestDatabase();
    const operator = await makeOperator(database);
    const client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    await makePools(client);
    const { owner: old } = await makeTenant(database.doors, operator, 'Old');
    await fill(client, { tenantId: old.tenantId, ownerId: old.userId, count: MEMORIES });
    await client.query('analyze');
    newcomer = (await makeTenant(database.doors, operator, 'New')).owner;
    await fill(client, { tenantId: newcomer.tenantId, ownerId: newcomer.userId, count: MEMORIES });
    const { rows } = await client.query<{ id: string }>('select id from memory where tenant_id = $1 limit 3', [
      newcomer.tenantId,
    ]);
    memoryIds = rows.map(({ id }) => id);
    await client.end();
  }, 120_000);
  afterAll(() => database.close());

  it('a vote there does not work out anew for each memory of the tenant what it changes', async () => {
    const retrievalId = await makeRetrieval(database.doors, newcomer, memoryIds);
    const [reads] = await database.doors.asTenant(newcomer, async (tx) => {
      await tx.$queryRaw`select record_vote(${memoryIds[1]}::uuid, true, ${retrievalId}::uuid, null, now())`;
      return tx.$queryRaw<{ rows: number; votes: number }[]>`
        select sum(seq_tup_read + idx_tup_fetch)::int as rows,
          sum(n_tup_ins) filter (where relname = 'vote')::int as votes from pg_stat_xact_user_tables`;
    });
    expect(reads?.votes).toBe(1);
    expect(reads?.rows).toBeLessThan(ROWS_OF_A_VOTE);
  });
});
