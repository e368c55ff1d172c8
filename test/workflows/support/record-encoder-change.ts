import { randomUUID } from 'node:crypto';
import { REEMBED_WORKFLOW } from '@tempera/platform';
import type { WorkflowHandle } from '@temporalio/client';
import { asSuperuser } from '../../support/cluster.js';
import { makeMemory } from '../../support/memories.js';
import { recordHistory } from './histories.js';
import { makeTeam, makeWorker, type NightWorld } from './night-world.js';

/** A change of encoder whose readers have enough to do, until it is cancelled. */
export const recordEncoderChange = async (world: NightWorld): Promise<void> => {
  const { tenantId, author } = await makeTeam(world);
  const memoryId = await makeMemory(world.database.doors, author, {});
  const run = (sql: string, values: unknown[]): Promise<unknown> =>
    asSuperuser(world.database.adminUrl, (client) => client.query(sql, values));
  await run(
    `insert into embedding (tenant_id, memory_id, encoder, content_hash, vector, scope, owner_id)
     values ($1, $2, 'test@0', '\\x00', '[1,0]', 'private', $3)`,
    [tenantId, memoryId, author.userId],
  );
  await run(
    `insert into encoder_change (tenant_id, name, from_encoder, to_encoder, edge, cluster)
     values ($1, 'test', 'test@0', 'test@1', 0.5, 0.9)`,
    [tenantId],
  );
  const taskQueue = randomUUID();
  const worker = await makeWorker(world, { taskQueue });
  await worker.runUntil(async () => {
    const workflowId = randomUUID();
    const options = { taskQueue, workflowId, args: [{ tenantId }] };
    const handle = await world.engine.client.workflow.start(REEMBED_WORKFLOW, options);
    while (!(await isWaiting(handle)));
    await run(`update encoder_change set status = 'cancelling' where tenant_id = $1`, [tenantId]);
    await handle.result();
    await recordHistory('encoder-change', handle);
  });
};

const isWaiting = async (handle: WorkflowHandle): Promise<boolean> =>
  (await handle.fetchHistory()).events?.some(({ timerStartedEventAttributes: timer }) => Boolean(timer)) === true;
