import { randomUUID } from 'node:crypto';
import { asId, type TenantId, type UserId } from '@tempera/core';
import { DISTIL_NOW_SIGNAL, DISTIL_WORKFLOW, keepTurn, TURN_KEPT_SIGNAL } from '@tempera/platform';
import { recordHistory } from './histories.js';
import { makeTeam, makeWorker, type NightWorld } from './night-world.js';

/** A conversation to which a turn comes while it is waited for, and whose owner then wants it now. */
export const recordDistil = async (world: NightWorld): Promise<void> => {
  const { tenantId, author } = await makeTeam(world);
  const turn = {
    ...{ tenantId: asId<TenantId>(tenantId), userId: asId<UserId>(author.userId) },
    projectId: null,
    sessionKey: 's',
    promptKey: 'p',
    tools: [],
    branch: null,
    client: 'test',
    isBackfill: false,
  };
  const { conversationId } = await world.database.doors.asTenant(author, (tx) =>
    keepTurn(tx, {
      ...turn,
      at: new Date(),
      now: new Date(),
      prompt: 'We decided to use Docker for the integration databases.',
      answer: '',
    }),
  );
  const taskQueue = randomUUID();
  const worker = await makeWorker(world, { taskQueue });
  await worker.runUntil(async () => {
    const options = { taskQueue, workflowId: randomUUID(), args: [{ tenantId, conversationId }], signalArgs: [] };
    const handle = await world.engine.client.workflow.signalWithStart(DISTIL_WORKFLOW, {
      ...options,
      signal: TURN_KEPT_SIGNAL,
    });
    const timers = async (): Promise<number> =>
      (await handle.fetchHistory()).events?.filter(({ timerStartedEventAttributes: timer }) => Boolean(timer)).length ??
      0;
    while ((await timers()) < 1);
    await handle.signal(TURN_KEPT_SIGNAL);
    while ((await timers()) < 2);
    await handle.signal(DISTIL_NOW_SIGNAL);
    await handle.result();
    await recordHistory('distil', handle);
  });
};
