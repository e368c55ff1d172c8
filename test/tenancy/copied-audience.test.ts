import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { castVote, makeMemory, makeRetrieval } from '../support/memories.js';
import { makeOperator, makePerson, makeProject, makeTenant, type Person } from '../support/people.js';
import { demoteMemory } from '../support/scopes.js';

describe('a copy of an audience that is made while its memory moves', () => {
  let database: TestDatabase;
  let superuser: pg.Client;
  let writer: pg.Client;
  let owner: Person;
  let bo: Person;
  let projectId: string;

  beforeAll(async () => {
    database = await openTestDatabase();
    ({ owner } = await makeTenant(database.doors, await makeOperator(database)));
    projectId = await makeProject(database.doors, owner, 'rocket');
    bo = await makePerson(database.doors, owner, 'Bo', { projectId });
    writer = new pg.Client({ connectionString: database.urls.app });
    superuser = new pg.Client({ connectionString: database.adminUrl });
    await Promise.all([writer.connect(), superuser.connect()]);
  });
  afterAll(async () => {
    await Promise.all([writer.end(), superuser.end()]);
    await database.close();
  });

  /** Until somebody waits for the writer's transaction, or the other work is done without waiting. */
  const settled = async (isDone: () => boolean): Promise<void> => {
    const { rows } = await writer.query<{ pid: number }>('select pg_backend_pid() as pid');
    for (;;) {
      if (isDone()) return;
      const waiting = await superuser.query(
        'select from pg_stat_activity where $1 = any (pg_blocking_pids(pid)) and datname = current_database()',
        [rows[0]?.pid],
      );
      if (waiting.rowCount !== 0) return;
    }
  };

  it('does not stay behind', async () => {
    const id = await makeMemory(database.doors, owner, { scope: 'project', projectId });
    await makeRetrieval(database.doors, bo, [id]);
    await castVote(database.doors, bo, id, true);
    await writer.query('begin');
    await writer.query(`select set_config('app.tenant_id', $1, true), set_config('app.user_id', $2, true)`, [
      bo.tenantId,
      bo.userId,
    ]);
    const remembered = await writer.query(
      `insert into vote_question (tenant_id, user_id, retrieval_id, memory_id, encoder, helpful, vector)
       select tenant_id, user_id, retrieval_id, memory_id, 'test@0', true, '[1,0,0]' from vote where memory_id = $1`,
      [id],
    );
    expect(remembered.rowCount).toBe(1);
    let isDone = false;
    const moving = demoteMemory(database.doors, owner, id, { scope: 'private', projectId }).then(() => {
      isDone = true;
    });
    await settled(() => isDone);
    await writer.query('commit');
    await moving;
    const { rows } = await superuser.query('select scope from vote_question where memory_id = $1', [id]);
    expect(rows).toEqual([{ scope: 'private' }]);
  });

  it('is seen by nobody who does not see the memory, and by the owner again when it is restored', async () => {
    const id = await makeMemory(database.doors, owner, { scope: 'project', projectId });
    const seen = async (who: Person): Promise<number> =>
      database.doors.asTenant(who, (tx) => tx.memoryStat.count({ where: { memoryId: id } }));
    const become = (state: string): Promise<unknown> =>
      database.doors.asTenant(owner, (tx) => tx.$executeRaw`update memory set state = ${state} where id = ${id}::uuid`);
    expect([await seen(owner), await seen(bo)]).toEqual([1, 1]);
    await become('archived');
    expect([await seen(owner), await seen(bo)]).toEqual([1, 1]);
    await become('forgotten');
    expect([await seen(owner), await seen(bo)]).toEqual([1, 0]);
    await become('active');
    expect([await seen(owner), await seen(bo)]).toEqual([1, 1]);
    await asSuperuser(database.adminUrl, (client) =>
      client.query(`update app_user set status = 'removed' where id = $1`, [bo.userId]),
    );
    expect(await seen(bo).catch(() => 0)).toBe(0);
    await asSuperuser(database.adminUrl, (client) => client.query(`update tenant set status = 'suspended'`));
    expect(await seen(owner).catch(() => 0)).toBe(0);
  });
});
