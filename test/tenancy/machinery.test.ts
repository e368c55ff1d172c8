import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { makeMemory } from '../support/memories.js';
import { makeOperator, makeTenant, type Person } from '../support/people.js';

describe('outbox and audit', () => {
  let database: TestDatabase;
  let operatorId: string;
  let owner: Person;

  beforeAll(async () => {
    database = await openTestDatabase();
    operatorId = await makeOperator(database);
    ({ owner } = await makeTenant(database.doors, operatorId));
  });
  afterAll(() => database.close());

  const promise = async (author: Person = owner): Promise<string> => {
    const subjectId = await makeMemory(database.doors, author);
    await database.doors.asTenant(author, (tx) =>
      tx.outbox.createMany({ data: { tenantId: author.tenantId, kind: 'memory.embed', subjectId } }),
    );
    return subjectId;
  };

  it('a waiting piece of work is claimed once by any number of processes', async () => {
    const subjects = [await promise(), await promise(), await promise()];
    const claims = await Promise.all(
      Array.from({ length: 5 }, () => database.doors.asSystem.claimOutbox(['memory.embed'], 2, 60)),
    );
    const claimed = claims.flat().map((claim) => claim.subjectId);
    expect([...claimed].sort()).toEqual([...subjects].sort());
  });

  it('work that is not completed within its lease waits again, and completed work never does', async () => {
    const subjectId = await promise();
    const [first] = await database.doors.asSystem.claimOutbox(['memory.embed'], 10, 0);
    expect(first).toMatchObject({ tenantId: owner.tenantId, kind: 'memory.embed', subjectId, attempts: 1 });
    const [second] = await database.doors.asSystem.claimOutbox(['memory.embed'], 10, 0);
    expect(second).toMatchObject({ id: first?.id, attempts: 2 });
    await database.doors.asText(owner.tenantId, (tx) => tx.$executeRaw`select complete_outbox(${first?.id}::uuid)`);
    expect(await database.doors.asSystem.claimOutbox(['memory.embed'], 10, 0)).toEqual([]);
  });

  it('work of a kind nobody asked for, of a suspended tenant, or postponed stays where it is', async () => {
    const { tenantId, owner: boss } = await makeTenant(database.doors, operatorId, 'Paused');
    const kinds = ['schedule.changed'] as const;
    await database.doors.asOperator(operatorId, (tx) =>
      tx.tenant.updateMany({ where: { id: tenantId }, data: { status: 'suspended' } }),
    );
    const claims = await database.doors.asSystem.claimOutbox(kinds, 10, 60);
    expect(claims.map((claim) => claim.tenantId)).toEqual([owner.tenantId]);
    expect((await database.doors.asSystem.listActiveTenants()).map((tenant) => tenant.tenantId)).toEqual([
      owner.tenantId,
    ]);
    expect(boss.tenantId).toBe(tenantId);
    const subjectId = await promise();
    const [claim] = await database.doors.asSystem.claimOutbox(['memory.embed'], 10, 0);
    expect(claim?.subjectId).toBe(subjectId);
    await database.doors.asText(
      owner.tenantId,
      (tx) => tx.$executeRaw`select postpone_outbox(${claim?.id}::uuid, 'encoder-missing', interval '1 hour')`,
    );
    expect(await database.doors.asSystem.claimOutbox(['memory.embed'], 10, 0)).toEqual([]);
  });

  it('a promise about what the writer cannot see is refused', async () => {
    const blind = database.doors.asTenant(owner, (tx) =>
      tx.outbox.createMany({ data: { tenantId: owner.tenantId, kind: 'memory.embed', subjectId: randomUUID() } }),
    );
    await expect(blind).rejects.toThrow();
  });

  it('a claim goes round the tenants, within the share of each and without those left out', async () => {
    const { tenantId, owner: other } = await makeTenant(database.doors, operatorId, 'Other');
    for (let index = 0; index < 4; index += 1) await promise();
    await promise(other);
    const claim = async (limit: number, share?: object): Promise<string[]> =>
      (await database.doors.asSystem.claimOutbox(['memory.embed'], limit, 0, share)).map((row) => row.tenantId);
    expect((await claim(2)).sort()).toEqual([owner.tenantId, tenantId].sort());
    expect((await claim(10, { perTenant: 2 })).sort()).toEqual([owner.tenantId, owner.tenantId, tenantId].sort());
    expect(await claim(10, { except: [owner.tenantId] })).toEqual([tenantId]);
    expect(await claim(10)).toHaveLength(5);
    await asSuperuser(database.adminUrl, (client) =>
      client.query(`update outbox set done_at = now() where kind = 'memory.embed'`),
    );
  });

  interface AuditRow {
    seq: string;
    body: string;
    previous: Buffer;
    hash: Buffer;
  }

  /** The first row whose hash or predecessor is wrong, computed here and not by the database's own function. */
  const firstBadRow = async (tenantId: string): Promise<string | null> => {
    const { rows } = await asSuperuser(database.adminUrl, (client) =>
      client.query<AuditRow>(
        `select seq, previous_hash as previous, hash, jsonb_build_array(tenant_id, seq, (extract(epoch from at) * 1000000)::bigint,
           actor_kind, actor_id, action, subject_kind, subject_id, details)::text as body
         from audit where tenant_id = $1 order by seq`,
        [tenantId],
      ),
    );
    let previous = Buffer.alloc(32);
    for (const [index, row] of rows.entries()) {
      const hash = createHash('sha256').update(previous).update(row.body).digest();
      if (row.seq !== String(index + 1) || !row.previous.equals(previous) || !row.hash.equals(hash)) return row.seq;
      previous = Buffer.from(hash);
    }
    return null;
  };

  it('a hundred parallel writers make one unbroken chain', async () => {
    const append = (n: number): Promise<unknown> =>
      database.doors.asTenant(
        owner,
        (tx) => tx.$queryRaw`select audit_append(${`test.${n}`}, 'test', null, ${JSON.stringify({ n })}::jsonb)`,
      );
    // Five at a time are what the pool has; the rest queue.
    for (let n = 0; n < 100; n += 5) await Promise.all([0, 1, 2, 3, 4].map((k) => append(n + k)));
    const entries = await database.doors.asTenant(owner, (tx) => tx.audit.findMany({ orderBy: { seq: 'asc' } }));
    expect(entries.filter((entry) => entry.subjectKind === 'test')).toHaveLength(100);
    expect(entries.every((entry) => entry.subjectKind !== 'test' || entry.actorId === owner.userId)).toBe(true);
    expect(await firstBadRow(owner.tenantId)).toBeNull();
  });

  it('an edited, removed or inserted row breaks the chain at its place', async () => {
    const tamper = async (sql: string, undo: string): Promise<string | null> => {
      await asSuperuser(database.adminUrl, (client) => client.query(sql, [owner.tenantId]));
      const bad = await firstBadRow(owner.tenantId);
      await asSuperuser(database.adminUrl, (client) => client.query(undo, [owner.tenantId]));
      return bad;
    };
    const edited = await tamper(
      `update audit set action = action || 'x' where tenant_id = $1 and seq = 3`,
      `update audit set action = left(action, -1) where tenant_id = $1 and seq = 3`,
    );
    expect(edited).toBe('3');
    expect(await firstBadRow(owner.tenantId)).toBeNull();
    const removed = await tamper(
      `delete from audit where tenant_id = $1 and seq = 4`,
      `update audit set seq = seq where tenant_id = $1`,
    );
    expect(removed).toBe('5');
  });
});
