import { randomUUID } from 'node:crypto';
import { AppError } from '@tempera/client-kit';
import { eraseBatch, findErasure, requestErasure } from '@tempera/platform';
import { expect, it, onTestFinished } from 'vitest';
import { createErasureStarter, erasureRound } from '../../apps/worker/src/index.js';
import { asSuperuser } from '../support/cluster.js';
import { makeMemory } from '../support/memories.js';
import { makeTeam, makeWorker, openNightWorld } from './support/night-world.js';

it('an erasure whose worker breaks off before commits, and is handed over twice, erases each row once, and has one receipt', async () => {
  const world = await openNightWorld();
  onTestFinished(() => world.close());
  const { doors, adminUrl } = world.database;
  const { client } = world.engine;
  const { tenantId, projectId, owner, author } = await makeTeam(world);
  for (let n = 0; n < 120; n += 1) await makeMemory(doors, author, { text: `private ${n}` });
  await makeMemory(doors, author, { scope: 'project', projectId, text: 'shared' });
  const sums = await asSuperuser(adminUrl, (db) =>
    db.query<{ sum: string }>(
      `select bit_xor(hashtextextended(id::text, 0))::text as sum from memory where owner_id = $1 and scope = 'private'`,
      [author.userId],
    ),
  );
  const ask = (): Promise<string | null> =>
    doors.asTenant(owner, (tx) => requestErasure(tx, { userId: author.userId, choice: 'keep', toUserId: null }));
  const id = (await ask()) ?? '';
  expect(await ask()).toBe(id);
  // What a worker did that died after its first commit, and was not heard of since.
  await doors.asWorker(tenantId, (tx) => eraseBatch(tx, tenantId, id, 7));
  await asSuperuser(adminUrl, (db) => db.query(`update erasure set touched_at = now() - interval '10 minutes'`));

  let batches = 0;
  const breaking: typeof doors.asWorker = (tenant, inside) =>
    doors.asWorker(tenant, async (tx) => {
      const result = await inside(tx);
      batches += 1;
      if (batches === 1 || batches === 3) throw new Error('the batch broke off');
      return result;
    });
  const taskQueue = randomUUID();
  const start = createErasureStarter(client, taskQueue);
  // Each call one batch, so that the workflow goes through all of them one by one.
  const worker = await makeWorker(world, { taskQueue, callMs: 0, doors: { asWorker: breaking } });
  await worker.runUntil(async () => {
    await erasureRound(doors, start);
    await start.user({ tenantId, erasureId: id });
    await client.workflow.getHandle(`erasure:${id}`).result();
  });
  expect(batches).toBeGreaterThan(3);
  expect(await doors.asSystem.listWantedErasures(10)).toEqual([]);
  const receipt = await doors.asTenant(owner, (tx) => findErasure(tx, tenantId, id));
  expect(receipt).toMatchObject({ status: 'completed', traces: {}, memorySum: sums.rows[0]?.sum });
  expect(receipt?.counts).toMatchObject({ memory: 120, 'memory given on': 1 });
  expect(await ask()).toBe(id);
  expect(await doors.asTenant(owner, (tx) => findErasure(tx, tenantId, id))).toEqual(receipt);
  const left = await asSuperuser(adminUrl, (db) =>
    db.query('select display_name from app_user where id = $1', [author.userId]),
  );
  expect(left.rowCount).toBe(0);
  const { rows: audit } = await asSuperuser(adminUrl, (db) =>
    db.query(`select action from audit where subject_id = $1 and action like 'user.eras%'`, [author.userId]),
  );
  expect(audit).toEqual([{ action: 'user.erasure_requested' }, { action: 'user.erased' }]);
});

it('an erasure whose batches are too large for a slow database goes on with smaller ones', async () => {
  const world = await openNightWorld();
  onTestFinished(() => world.close());
  const { doors } = world.database;
  const { tenantId, author } = await makeTeam(world);
  for (let n = 0; n < 5; n += 1) await makeMemory(doors, author, { text: `private ${n}` });
  await doors.asOperator(
    world.operatorId,
    (tx) => tx.$queryRaw`select change_tenant_status(t.id, 'deleted', t.name)
      from list_tenants(${tenantId}::uuid, null, null, '', null, 1) t`,
  );
  const tried: number[] = [];
  const deleteTenant: typeof doors.asSystem.deleteTenant = async (id, limit) => {
    tried.push(limit);
    if (limit > 300)
      throw new AppError('unavailable', 'database-unavailable', 'The database does not answer right now.');
    return doors.asSystem.deleteTenant(id, limit);
  };
  const taskQueue = randomUUID();
  const worker = await makeWorker(world, { taskQueue, doors: { asSystem: { ...doors.asSystem, deleteTenant } } });
  await worker.runUntil(
    createErasureStarter(world.engine.client, taskQueue)
      .tenant({ tenantId })
      .then(() => world.engine.client.workflow.getHandle(`deletion:${tenantId}`).result()),
  );
  expect(tried).toEqual([1_000, 250]);
  expect(await doors.asSystem.listWantedDeletions(10)).toEqual([]);
});
