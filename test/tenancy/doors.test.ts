import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDoors, isUniqueViolation, type Doors, type DoorsOptions } from '@tempera/platform';
import { asSuperuser } from '../support/cluster.js';
import { openTestDatabase, withDatabase, type TestDatabase } from '../support/database.js';
import { makeMemory } from '../support/memories.js';
import { makeOperator, makeProject, makeTenant, type Person } from '../support/people.js';

const withDoors = async <T>(options: DoorsOptions, work: (doors: Doors) => Promise<T>): Promise<T> => {
  const doors = createDoors(options);
  try {
    return await work(doors);
  } finally {
    await doors.close();
  }
};

const unavailable = { kind: 'unavailable', code: 'database-unavailable' };

describe('the doors', () => {
  let database: TestDatabase;
  let owner: Person;

  beforeAll(async () => {
    database = await openTestDatabase();
    ({ owner } = await makeTenant(database.doors, await makeOperator(database)));
  });
  afterAll(() => database.close());

  it('refuse what is no id before anything is asked', async () => {
    const { doors } = database;
    for (const bad of ['', 'x', undefined, null, `${owner.userId}'`]) {
      const identity = { tenantId: owner.tenantId, userId: bad } as Person;
      await expect(doors.asTenant(identity, (tx) => tx.memory.findMany())).rejects.toMatchObject({
        code: 'bad-door-identity',
      });
      await expect(doors.asWorker(bad as string, (tx) => tx.memory.count())).rejects.toMatchObject({
        code: 'bad-door-identity',
      });
    }
  });

  it('refuse an undefined filter instead of reading it as none', async () => {
    const careless = { tenantId: undefined } as unknown as { tenantId: string };
    await expect(database.doors.asTenant(owner, (tx) => tx.memory.findMany({ where: careless }))).rejects.toThrow(
      /undefined/,
    );
  });

  it('do not open without a login for them', async () => {
    await withDoors({ appUrl: database.urls.app }, async (doors) => {
      await expect(doors.asText(owner.tenantId, (tx) => tx.memory.count())).rejects.toMatchObject({
        code: 'no-such-door',
      });
    });
  });

  it('pass on a broken rule as it is, recognisable and without becoming ours', async () => {
    await makeProject(database.doors, owner, 'twice');
    const error = await makeProject(database.doors, owner, 'twice').catch((thrown: unknown) => thrown);
    expect(isUniqueViolation(error)).toBe(true);
    expect(error).not.toMatchObject({ name: 'AppError' });
  });

  it('end a statement that takes longer than its limit', async () => {
    await withDoors({ appUrl: database.urls.app, statementTimeoutMs: 100 }, async (doors) => {
      const slow = doors.asTenant(owner, (tx) => tx.$queryRaw`select pg_sleep(5)::text`);
      await expect(slow).rejects.toMatchObject(unavailable);
      expect(await doors.asTenant(owner, (tx) => tx.memory.count())).toBe(0);
    });
  });

  it('say that the database is unavailable when nothing listens, and when it does not answer', async () => {
    await withDoors({ appUrl: 'postgresql://mem_app:x@127.0.0.1:1/none' }, async (doors) => {
      await expect(doors.ping()).rejects.toMatchObject(unavailable);
    });
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await withDoors({ appUrl: `postgresql://mem_app:x@127.0.0.1:${port}/none` }, async (doors) => {
      await expect(doors.ping()).rejects.toMatchObject(unavailable);
    });
    silent.close();
  });

  it('tell those who wait for a connection after two seconds that it is busy, and serve the next', async () => {
    await withDoors({ appUrl: database.urls.app, poolSize: 1 }, async (doors) => {
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      const holder = doors.asTenant(owner, async (tx) => {
        await tx.memory.count();
        await held;
      });
      await expect(doors.asTenant(owner, (tx) => tx.memory.count())).rejects.toMatchObject(unavailable);
      release();
      await holder;
      expect(await doors.asTenant(owner, (tx) => tx.memory.count())).toBe(0);
    });
  });

  it('survive that their connections are cut', async () => {
    await withDoors({ appUrl: database.urls.app, poolSize: 2 }, async (doors) => {
      await doors.ping();
      await asSuperuser(database.adminUrl, (client) =>
        client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'mem_app' and datname = current_database()`,
        ),
      );
      const first = await doors.ping().catch((error: unknown) => error);
      if (first !== undefined) expect(first).toMatchObject(unavailable);
      await doors.ping();
    });
  });

  it('say that the database is unavailable when a connection breaks in the middle, and leave nothing of it', async () => {
    await withDoors({ appUrl: database.urls.app, poolSize: 1 }, async (doors) => {
      const broken = doors.asTenant(owner, async (tx) => {
        const [row] = await tx.$queryRaw<{ pid: number }[]>`select pg_backend_pid() as pid`;
        await tx.project.createMany({
          data: { tenantId: owner.tenantId, slug: 'lost', name: 'lost', createdBy: owner.userId },
        });
        await asSuperuser(database.adminUrl, (client) => client.query('select pg_terminate_backend($1)', [row?.pid]));
        return tx.memory.count();
      });
      await expect(broken).rejects.toMatchObject(unavailable);
      expect(await doors.asTenant(owner, (tx) => tx.project.count({ where: { slug: 'lost' } }))).toBe(0);
    });
  });

  it('B8: keep two tenants apart on one connection, in turns, with errors in between', async () => {
    const { owner: other } = await makeTenant(database.doors, await makeOperator(database), 'Beside');
    const own = new Map<Person, string>();
    for (const person of [owner, other]) own.set(person, await makeMemory(database.doors, person, { scope: 'tenant' }));
    const allIds = [...own.values()];
    await withDoors({ appUrl: database.urls.app, poolSize: 1 }, async (doors) => {
      for (let turn = 0; turn < 60; turn += 1) {
        const person = turn % 2 === 0 ? owner : other;
        const seen = doors.asTenant(person, async (tx) => {
          const rows = await tx.memory.findMany({ where: { id: { in: allIds } }, select: { id: true } });
          if (turn % 5 === 1) throw new Error('given up');
          if (turn % 5 === 2) await tx.$queryRaw`select 1 / (${turn}::int - ${turn}::int)`;
          return rows.map(({ id }) => id);
        });
        if (turn % 5 === 1 || turn % 5 === 2) await expect(seen).rejects.toThrow();
        else expect(await seen).toEqual([own.get(person)]);
        const removed = await doors.asTenant(person, (tx) =>
          tx.memory.updateMany({
            where: { id: own.get(person === owner ? other : owner) ?? '' },
            data: { title: 'x' },
          }),
        );
        expect(removed.count).toBe(0);
      }
    });
  });

  it('keep a hundred parallel people apart on five connections', async () => {
    const other = (await makeTenant(database.doors, await makeOperator(database), 'Other')).owner;
    await makeMemory(database.doors, owner);
    await makeMemory(database.doors, other);
    const people = Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? owner : other));
    const seen = await Promise.allSettled(
      people.map((person) =>
        database.doors.asTenant(person, (tx) => tx.memory.findMany({ select: { ownerId: true } })),
      ),
    );
    for (const [n, result] of seen.entries()) {
      // Who waited too long is told so; nobody is given another's rows.
      if (result.status === 'rejected') expect(result.reason).toMatchObject(unavailable);
      else expect(new Set(result.value.map(({ ownerId }) => ownerId))).toEqual(new Set([people[n]?.userId]));
    }
  });
});

describe('the start check', () => {
  const refusal = async (
    database: TestDatabase,
    options: Partial<DoorsOptions>,
    sql?: string,
  ): Promise<{ code: unknown; message: unknown }> => {
    if (sql !== undefined) await asSuperuser(database.adminUrl, (client) => client.query(sql));
    return withDoors({ appUrl: database.urls.app, ...options }, async (doors) => {
      const error = await doors.selfCheck().catch((thrown: unknown) => thrown);
      return { code: Reflect.get(Object(error), 'code'), message: Reflect.get(Object(error), 'message') };
    });
  };

  it('passes on a database as the migrations leave it', () =>
    withDatabase((database) => expect(database.doors.selfCheck()).resolves.toBeUndefined()));

  it('refuses a superuser’s login, unless it is the embedded database', () =>
    withDatabase(async (database) => {
      expect(await refusal(database, { appUrl: database.adminUrl })).toMatchObject({ code: 'database-role' });
      const embedded = { appUrl: database.adminUrl, allowSuperuserLogin: true };
      expect((await refusal(database, embedded)).code).toBeUndefined();
    }));

  it('refuses a login that may not be the role, a wrong password and a database that is not there', () =>
    withDatabase(async (database) => {
      const { app, operator } = database.urls;
      for (const appUrl of [operator, app.replace(/:[^:@]*@/, ':wrong@'), `${app}_not_there`]) {
        expect(await refusal(database, { appUrl })).toMatchObject({ code: 'database-login' });
      }
    }));

  it('refuses a table, and a partition, without forced row-level security, and names it', () =>
    withDatabase(async (database) => {
      const table = await refusal(database, {}, 'alter table vote no force row level security');
      expect(table).toMatchObject({ code: 'table-unforced', message: expect.stringContaining('vote') });
      await asSuperuser(database.adminUrl, (client) => client.query('alter table vote force row level security'));
      const partition = await refusal(database, {}, 'alter table embedding_default disable row level security');
      expect(partition).toMatchObject({
        code: 'table-unforced',
        message: expect.stringContaining('embedding_default'),
      });
    }));

  it('refuses a door whose role owns a table', () =>
    withDatabase(async (database) => {
      const owned = await refusal(database, {}, 'alter table vote owner to mem_app');
      expect(owned).toMatchObject({ code: 'database-role', message: expect.stringContaining('owns') });
    }));

  it('refuses a database that is behind the code, or empty', () =>
    withDatabase(async (database) => {
      const last = `delete from _prisma_migrations where migration_name = '20261130000005_upkeep'`;
      const behind = await refusal(database, {}, last);
      expect(behind).toMatchObject({
        code: 'migrations-behind',
        message: expect.stringContaining('20261130000005_upkeep'),
      });
      expect(await refusal(database, {}, 'drop table _prisma_migrations')).toMatchObject({ code: 'migrations-behind' });
    }));

  it('refuses a database that may lose what it acknowledged, where durability is asked for', () =>
    withDatabase(async (database) => {
      const { rows } = await asSuperuser(database.adminUrl, (client) =>
        client.query<{ fsync: string; server: number }>(
          `select current_setting('fsync') as fsync, current_setting('server_version_num')::int as server`,
        ),
      );
      const code = (await refusal(database, { requireDurability: true })).code;
      // The embedded server of the tests (18.1) is below the floor of production even where its fsync is on.
      const [row] = rows;
      const version = (row?.server ?? 0) < 180_006 ? 'server-too-old' : undefined;
      expect(code).toBe(row?.fsync === 'on' ? version : 'fsync-off');
    }));
});
