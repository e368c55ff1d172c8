import { randomUUID } from 'node:crypto';
import { type LoanRow, writeLoans } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { makeMemory } from '../support/memories.js';
import { makeOperator, makeTenant, type TestTenant } from '../support/people.js';

describe('the loans a night writes', () => {
  let database: TestDatabase;
  let tenant: TestTenant;

  beforeAll(async () => {
    database = await openTestDatabase();
    tenant = await makeTenant(database.doors, await makeOperator(database));
  });

  afterAll(() => database.close());

  /** A memory whose p is `now`, of which the night's snapshot knew `before`, after the night wrote `propagated`. */
  const afterNight = async (now: number, before: number, propagated: number): Promise<number> => {
    const { tenantId, owner } = tenant;
    const id = await makeMemory(database.doors, owner);
    const loan: LoanRow = { id, before, propagated, reached: propagated, lent: propagated, lentFrom: null };
    return database.doors.asWorker(tenantId, async (tx) => {
      await tx.$executeRaw`update memory_stat set propagated = ${now}::float8, propagated_on = '2026-11-10'
        where tenant_id = ${tenantId}::uuid and memory_id = ${id}::uuid`;
      await writeLoans(tx, { tenantId, runId: randomUUID(), runDate: '2026-11-11' }, [loan]);
      const [row] = await tx.$queryRaw<{ propagated: number }[]>`
        select propagated from memory_stat where tenant_id = ${tenantId}::uuid and memory_id = ${id}::uuid`;
      return row?.propagated ?? Number.NaN;
    });
  };

  it('rise and fall where nothing has changed since the snapshot', async () => {
    expect(await afterNight(0.3, 0.3, 0.4)).toBe(0.4);
    expect(await afterNight(0.3, 0.3, 0.2)).toBe(0.2);
    expect(await afterNight(0.3, 0.3, 0)).toBe(0);
  });

  it('never take back what was lent since the snapshot: a fall waits for the next night', async () => {
    expect(await afterNight(0.5, 0.3, 0.2)).toBe(0.5);
    expect(await afterNight(0.5, 0.3, 0.4)).toBe(0.5);
    expect(await afterNight(0.5, 0.3, 0.6)).toBe(0.6);
  });
});
