import { findTenantDeletion } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { makeOperator } from '../support/people.js';
import { tablesOf } from './sight.js';
import { inhabit, populate, type World } from './world.js';

describe('a deleted tenant', () => {
  let database: TestDatabase;
  let world: World;
  let operatorId: string;
  let tenantId: string;
  let name: string;

  beforeAll(async () => {
    database = await openTestDatabase();
    await populate(database.adminUrl, 3);
    world = await inhabit(database);
    operatorId = await makeOperator(database);
    ({ id: tenantId, name } = await asSuperuser(database.adminUrl, async (client) => {
      const { rows } = await client.query<{ id: string; name: string }>('select id, name from tenant limit 1');
      if (rows[0] === undefined) throw new Error('no tenant');
      return rows[0];
    }));
    // A memory that was merged into another and one that was superseded: rows that point at rows of their own table.
    await asSuperuser(database.adminUrl, (client) =>
      client.query(`update memory m set merged_into = (select x.id from memory x
        where x.tenant_id = m.tenant_id and x.owner_id = m.owner_id and x.id <> m.id limit 1)`),
    );
  });
  afterAll(() => database.close());

  /** Rows of each table, of the tenant and of all others. */
  const countRows = async (): Promise<Map<string, { own: number; others: number }>> => {
    const counts = new Map<string, { own: number; others: number }>();
    for (const { name: table, tenantColumn } of await tablesOf(world)) {
      if (tenantColumn === null) continue;
      const [row] = await asSuperuser(database.adminUrl, async (client) => {
        const { rows } = await client.query<{ own: number; others: number }>(
          `select count(*) filter (where ${tenantColumn} = $1)::int as own,
             count(*) filter (where ${tenantColumn} <> $1)::int as others from ${table}`,
          [tenantId],
        );
        return rows;
      });
      if (row !== undefined) counts.set(table, row);
    }
    return counts;
  };

  const change = (status: string, name: string | null, grace = '0 days'): Promise<string | undefined> =>
    database.doors.asOperator(operatorId, async (tx) => {
      const rows = await tx.$queryRaw<{ change: string }[]>`
        select change_tenant_status(${tenantId}::uuid, ${status}, ${name}, ${grace}::interval) as change`;
      return rows[0]?.change;
    });

  it('loses nothing while it is active or suspended, whoever calls for its erasure', async () => {
    const before = await countRows();
    // Nearly every table: what the world leaves empty proves nothing here, and takes nothing away.
    expect([...before.values()].filter(({ own }) => own > 0).length).toBeGreaterThan(25);
    expect(await database.doors.asSystem.deleteTenant(tenantId, 1_000)).toEqual({ removed: 0, finished: true });
    await change('suspended', null);
    expect(await database.doors.asSystem.deleteTenant(tenantId, 1_000)).toEqual({ removed: 0, finished: true });
    const after = await countRows();
    expect(after.get('memory')).toEqual(before.get('memory'));
    expect(await change('deleted', 'another name')).toBe('name');
  });

  it('is erased from every table in batches that may be interrupted, and nobody else loses a row', async () => {
    const before = await countRows();
    // Within its grace it loses nothing and comes back; deleted again without one it does not.
    expect(await change('deleted', name, '30 days')).toBe('changed');
    expect(await database.doors.asSystem.listWantedDeletions(10)).toEqual([]);
    expect(await database.doors.asSystem.deleteTenant(tenantId, 1_000)).toEqual({ removed: 0, finished: true });
    expect(await change('suspended', null)).toBe('changed');
    expect((await countRows()).get('memory')).toEqual(before.get('memory'));
    expect(await change('deleted', name)).toBe('changed');
    expect(await database.doors.asSystem.listWantedDeletions(10)).toEqual([{ tenantId }]);
    expect(await change('active', null)).toBe('deleted');
    let removed = 0;
    let calls = 0;
    for (let finished = false; !finished; calls += 1) {
      // Two at once do not meet: one of them finds the tenant held.
      const batches = await Promise.all([0, 1].map(() => database.doors.asSystem.deleteTenant(tenantId, 7)));
      removed += batches.reduce((sum, batch) => sum + batch.removed, 0);
      finished = batches.some((batch) => batch.finished);
    }
    expect(calls).toBeGreaterThan(20);
    const after = await countRows();
    for (const [table, { own, others }] of after) {
      expect({ table, own }).toEqual({ table, own: 0 });
      expect({ table, others }).toEqual({ table, others: before.get(table)?.others });
    }
    const log = await database.doors.asOperator(
      operatorId,
      (tx) => tx.$queryRaw<{ action: string; details: Record<string, unknown> }[]>`
        select action, details from list_operator_log(null, 100) where subject_id = ${tenantId}::uuid`,
    );
    expect(log.map(({ action }) => action)).toEqual([
      'tenant.purged',
      'tenant.emptied',
      'tenant.deleted',
      'tenant.suspended',
      'tenant.deleted',
      'tenant.suspended',
    ]);
    expect(log[0]?.details).toEqual({ rows: removed });
    const receipt = await database.doors.asOperator(operatorId, (tx) => findTenantDeletion(tx, tenantId));
    expect(receipt).toMatchObject({ status: 'completed', traces: {} });
    expect(receipt?.searched).toBeGreaterThan(45);
    expect(Object.values(receipt?.counts ?? {}).reduce((sum, rows) => sum + rows, 0)).toBe(removed);
    expect(log[1]?.details).toMatchObject({ auditHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });
});
