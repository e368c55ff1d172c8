import { randomUUID } from 'node:crypto';
import { connect } from '../../../libs/platform/src/database/connect.js';
import { inContext } from '../../../libs/platform/src/database/context.js';
import type { Finding, World } from '../world.js';

/** How a door enters the database; the mutants bring their own. */
export type Enter = typeof inContext;

const limits = {
  statementTimeoutMs: 3_000,
  lockTimeoutMs: 3_000,
  idleInTransactionTimeoutMs: 10_000,
  transactionTimeoutMs: 15_000,
  maxWaitMs: 2_000,
};

/** A door lets in whom it names, and what it set is gone with the transaction: the next one on that connection is nobody. */
export const leftovers = async (world: World, enter: Enter = inContext): Promise<Finding> => {
  const leaks: string[] = [];
  let attempts = 0;
  const connection = connect({
    door: 'mem_app',
    url: world.urls.app,
    poolSize: 1,
    answerTimeoutMs: 5_000,
    maxWaitMs: 2_000,
    onIdleError: () => undefined,
  });
  try {
    for (const me of world.citizens.slice(0, 10)) {
      const context = { role: 'mem_app' as const, tenantId: me.tenantId, userId: me.userId };
      const own = await enter(connection, limits, context, (tx) => tx.memory.count({ where: { ownerId: me.userId } }));
      if (own === 0) leaks.push('a door shows its user nothing of his own');
      const after = await connection.pool.query<{ user: string; setting: string | null }>(
        `select current_user as user, current_setting('app.user_id', true) as setting`,
      );
      if (after.rows[0]?.setting) leaks.push('the user stays on the connection');
      if (!world.embedded) {
        const rows = await connection.pool.query('select id from memory');
        if (rows.rowCount !== 0) leaks.push('a statement outside a door sees rows');
      }
      attempts += 3;
    }
  } finally {
    await connection.close();
  }
  return { attempts, leaks };
};

/** Attack 1.6: work that throws after two writes leaves neither. */
export const rollbacks = async (world: World): Promise<Finding> => {
  const leaks: string[] = [];
  for (const me of world.citizens.slice(0, 5)) {
    const ids = [randomUUID(), randomUUID()];
    const failing = world.doors.asTenant(me, async (tx) => {
      for (const id of ids) {
        await tx.memory.createMany({
          data: {
            tenantId: me.tenantId,
            id,
            ownerId: me.userId,
            scope: 'private',
            kind: 'decision',
            title: 't',
            text: 't',
            validFrom: new Date(),
            startedAt: new Date(),
            endedAt: new Date(),
          },
        });
      }
      throw new Error('changed my mind');
    });
    const thrown = await failing.then(
      () => 'nothing',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (thrown !== 'changed my mind') leaks.push(`the door threw ${thrown}`);
    const left = await world.doors.asTenant(me, (tx) => tx.memory.count({ where: { id: { in: ids } } }));
    if (left > 0) leaks.push(`${left} rows of a failed transaction remain`);
  }
  return { attempts: 10, leaks };
};
