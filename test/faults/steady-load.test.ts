import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../prisma/migrate.js';
import { migrationsDirectory } from '../../prisma/migration-files.js';
import { reportFault } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant } from '../support/graphql-client.js';
import { type Instance, startInstance } from '../support/instance.js';
import { makeLearnedTenant } from './support/learned-tenant.js';
import { MixedRequests } from './support/mixed-requests.js';
import { Readers } from './support/readers.js';
import { SteadyRequests } from './support/steady-requests.js';
import { lookForWrong } from './support/whole-writes.js';
import { Writers } from './support/writers.js';

const IS_FULL = process.env['TEMPERA_FULL'] === '1';
const PER_SECOND = IS_FULL ? 50 : 5;
const MEMORIES = IS_FULL ? 50_000 : 2_000;
/** Looks at what the service holds, and the time from one to the next. */
const LOOKS = IS_FULL ? 240 : 12;
const EVERY_MS = IS_FULL ? 5_000 : 1_000;
/** Of the looks, the first ones are of a service that is still warming up. */
const WARM = LOOKS / 3;
/** What may be more at the end than after warming up: memory is let go when somebody needs it, handles never. */
const MORE_HANDLES = 8;
const MORE_BYTES = (IS_FULL ? 64 : 128) * 1024 * 1024;
const LONGEST_LOCK_MS = 3_000;
const CROWD = 50;
/** How long they go on after as many writes as there are writers. */
const CROWD_MS = IS_FULL ? 30_000 : 0;

interface Look {
  readonly connections: number;
  readonly idleInTransaction: number;
  readonly handles: number;
  readonly bytes: number;
}

describe('a service under steady load', () => {
  let instance: Instance;
  let mixed: MixedRequests;

  beforeAll(async () => {
    instance = await startInstance({ worker: false });
    await makeLearnedTenant(instance.database, MEMORIES);
    mixed = new MixedRequests(await createTenant(instance.operator, 'Steady'));
  });

  afterAll(async () => {
    await instance.close();
  });

  const look = async (): Promise<Look> => {
    const pid = String(instance.api.child.pid);
    const counted = await asSuperuser(instance.database.adminUrl, (client) =>
      client.query<{ connections: number; idle: number }>(
        `select count(*)::int as connections, count(*) filter (where state like 'idle in transaction%'
           and state_change < now() - interval '1 second')::int as idle
         from pg_stat_activity where datname = current_database() and usename like 'mem_%'`,
      ),
    );
    return {
      connections: counted.rows[0]?.connections ?? Number.NaN,
      idleInTransaction: counted.rows[0]?.idle ?? Number.NaN,
      handles: await countHandles(pid),
      bytes: Number(execFileSync('ps', ['-o', 'rss=', '-p', pid], { encoding: 'utf8' })) * 1_024,
    };
  };

  it('fault 6.11: holds no more connections, handles, open transactions or memory the longer it lasts', async () => {
    const requests = new SteadyRequests(mixed.send, PER_SECOND);
    const looks: Look[] = [];
    while (looks.length < LOOKS) {
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
      looks.push(await look());
    }
    await requests.finish();
    const warm = looks.slice(WARM, WARM * 2);
    const late = looks.slice(WARM * 2);
    const more = (of: keyof Look): number =>
      Math.max(...late.map((one) => one[of])) - Math.max(...warm.map((one) => one[of]));
    const left = Math.max(...late.map(({ idleInTransaction }) => idleInTransaction));
    const mebibytes = (more('bytes') / 1024 / 1024).toFixed(0);
    reportFault(
      '6.11',
      requests.total,
      { failed: requests.failures.length, 'left in transactions': left },
      `${(LOOKS * EVERY_MS) / 1_000} s at ${PER_SECOND} a second: ${more('connections')} connections, ${more('handles')} handles, ${mebibytes} MiB more`,
    );
    expect([...new Set(requests.failures)]).toEqual([]);
    expect(left).toBe(0);
    // A pool is as large as it may be, at most.
    expect(Math.max(...late.map(({ connections }) => connections))).toBeLessThan(20);
    expect(more('handles')).toBeLessThan(MORE_HANDLES);
    expect(more('bytes')).toBeLessThan(MORE_BYTES);
  });

  it('I1: meets fifty who write and fifty who read at once with no error, and each write is there once', async () => {
    const owner = await createTenant(instance.operator, 'Crowd');
    // The memories of the other tenant were made without a service, and were never whole.
    const before = await lookForWrong(instance.database.adminUrl, []);
    const writers = new Writers([owner], CROWD);
    const readers = new Readers(owner, CROWD);
    await writers.more(CROWD);
    await new Promise((resolve) => setTimeout(resolve, CROWD_MS));
    await Promise.all([writers.finish(), readers.finish()]);

    const { acknowledged, disturbed } = writers;
    const wrong = await lookForWrong(instance.database.adminUrl, acknowledged);
    process.stdout.write(
      `case I1: ${acknowledged.length} writes and ${readers.answered} lists; ${disturbed} and ${readers.sentAway} were told to come again\n`,
    );
    expect([...new Set([...writers.faults, ...readers.faults])]).toEqual([]);
    expect(wrong).toEqual(before);
    expect(acknowledged.length).toBeGreaterThanOrEqual(CROWD);
    expect(readers.answered).toBeGreaterThanOrEqual(CROWD);
  });

  it('fault 6.9: is migrated meanwhile, by the rules of migrations, and nobody notices', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tempera-later-'));
    cpSync(migrationsDirectory(), folder, { recursive: true });
    for (const [name, sql] of Object.entries(LATER)) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'migration.sql'), sql);
    }
    const requests = new SteadyRequests(mixed.send, PER_SECOND);
    const watch = watchLocks(instance.database.adminUrl);
    const { applied } = await migrate({ migratorUrl: instance.database.urls.migrator, directory: folder });
    await expect.poll(() => requests.total, { timeout: 60_000 }).toBeGreaterThan(PER_SECOND * 3);
    const longestMs = await watch();
    await requests.finish();
    rmSync(folder, { recursive: true });

    const ready = await fetch(`${instance.url}/readyz`);
    const wrong = await lookForWrong(instance.database.adminUrl, mixed.acknowledged);
    const note = `${applied.length} migrations over ${MEMORIES.toLocaleString('en')} memories, the longest wait for a lock ${longestMs.toFixed(0)} ms`;
    reportFault('6.9', requests.total, { failed: requests.failures.length, lost: wrong.lost }, note);
    expect(applied).toEqual(Object.keys(LATER));
    expect([...new Set(requests.failures)]).toEqual([]);
    expect(wrong.lost).toBe(0);
    expect(longestMs).toBeLessThan(LONGEST_LOCK_MS);
    expect(ready.status).toBe(200);
  });
});

/** Expand, fill in, build beside the work of others, check without keeping anybody waiting. */
const LATER: Readonly<Record<string, string>> = {
  '29990101000001_mood': `alter table memory add column mood text;
grant select (mood), insert (mood), update (mood) on memory to mem_app;`,
  '29990101000002_mood_is_short': `alter table memory add constraint memory_mood_is_short check (length(mood) < 20) not valid;`,
  '29990101000003_mood_is_checked': `alter table memory validate constraint memory_mood_is_short;`,
  '29990101000004_mood_index': `create index concurrently memory_mood on memory (tenant_id, mood);`,
};

const countHandles = (pid: string): Promise<number> =>
  process.platform === 'linux'
    ? readdir(`/proc/${pid}/fd`).then(({ length }) => length)
    : Promise.resolve(execFileSync('lsof', ['-p', pid], { encoding: 'utf8' }).split('\n').length);

/** Looks for requests that wait for a lock until it is called. @returns how long the longest waited, in milliseconds */
const watchLocks = (adminUrl: string): (() => Promise<number>) => {
  let isOver = false;
  const watching = asSuperuser(adminUrl, async (client) => {
    let longest = 0;
    while (!isOver) {
      const { rows } = await client.query<{ ms: number }>(
        `select coalesce(max(extract(epoch from clock_timestamp() - waitstart) * 1000), 0)::float8 as ms
         from pg_locks l join pg_stat_activity a using (pid)
         where not l.granted and a.datname = current_database() and a.usename in ('mem_app', 'mem_text', 'mem_operator')`,
      );
      longest = Math.max(longest, rows[0]?.ms ?? 0);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return longest;
  });
  return () => {
    isOver = true;
    return watching;
  };
};
