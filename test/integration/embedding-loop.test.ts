import { createLogger, type Encoder, EncoderDesk, encoderIdOf, EncoderPool } from '@tempera/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { EmbeddingJobs } from '../../apps/api/src/memories/embedding-jobs.js';
import { ReembedJobs } from '../../apps/api/src/memories/reembed-jobs.js';
import { EmbeddingLoop } from '../../apps/api/src/memories/embedding-loop.js';
import { asSuperuser } from '../support/cluster.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { makeMemory } from '../support/memories.js';
import { makeOperator, makeTenant, type Person } from '../support/people.js';

let database: TestDatabase;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  database = await openTestDatabase();
  const operator = await makeOperator(database);
  ada = (await makeTenant(database.doors, operator, 'Ada')).owner;
  ben = (await makeTenant(database.doors, operator, 'Ben')).owner;
});
afterAll(() => database.close());
beforeEach(() => asSuperuser(database.adminUrl, (client) => client.query('update outbox set done_at = now()')));

const logger = createLogger({ name: 'test', level: 'error' });
const now = (): number => performance.now();

/** A process's loop whose encoder reads each text when `read` lets it. */
const loopOf = (read: (text: string) => Promise<void>): EmbeddingLoop => {
  const load = async (card: Encoder['card']): Promise<Encoder> => ({
    id: encoderIdOf(card),
    card,
    countTokens: () => 1,
    embed: async (text) => {
      await read(text);
      return Float32Array.from({ length: card.dimensions }, (_, index) => (index === 0 ? 1 : 0));
    },
    dispose: async () => undefined,
  });
  const encoders = new EncoderPool({ host: new EncoderDesk({ load, now }), now });
  const jobs = new EmbeddingJobs(database.doors, encoders, { now: () => new Date() });
  return new EmbeddingLoop(database.doors, encoders, logger, jobs, new ReembedJobs(database.doors, encoders));
};

const promised = async (author: Person, text: string): Promise<string> => {
  const subjectId = await makeMemory(database.doors, author, { text });
  await database.doors.asTenant(author, (tx) =>
    tx.outbox.createMany({ data: { tenantId: author.tenantId, kind: 'memory.embed', subjectId } }),
  );
  return subjectId;
};

const stateOf = async (id: string): Promise<string | undefined> => {
  const rows = await asSuperuser(database.adminUrl, (client) =>
    client.query<{ state: string }>('select embedding_state as state from memory where id = $1', [id]),
  );
  return rows.rows[0]?.state;
};

/** Seconds until the row may be claimed again. */
const leaseOf = async (id: string): Promise<number> => {
  const { rows } = await asSuperuser(database.adminUrl, (client) =>
    client.query<{ left: number }>(
      'select extract(epoch from available_at - now())::float8 as left from outbox where subject_id = $1',
      [id],
    ),
  );
  return rows[0]?.left ?? Number.NaN;
};

const attemptsOf = async (id: string): Promise<number | undefined> => {
  const { rows } = await asSuperuser(database.adminUrl, (client) =>
    client.query<{ attempts: number }>('select attempts from outbox where subject_id = $1', [id]),
  );
  return rows[0]?.attempts;
};

const leaseRunsOut = (id: string): Promise<unknown> =>
  asSuperuser(database.adminUrl, (client) =>
    client.query('update outbox set available_at = now() where subject_id = $1', [id]),
  );

describe('the embedding loop', () => {
  it('of a process that was killed loses its rows to another within a minute, and holds few of them', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, (_, index) => promised(ada, `Fact ${index}.`)));
    const begun: string[] = [];
    const killed = loopOf((text) => {
      begun.push(text);
      return new Promise(() => undefined);
    });
    killed.wake();
    await expect.poll(() => begun.length, { timeout: 10_000 }).toBe(1);
    const leases = await Promise.all(ids.map(leaseOf));
    const held = leases.filter((left) => left > 0);
    expect(held.length).toBeLessThanOrEqual(4);
    expect(Math.max(...held)).toBeLessThan(60);

    const other = loopOf(async () => undefined);
    other.wake();
    const free = ids.filter((_, index) => (leases[index] ?? 0) <= 0);
    await expect
      .poll(async () => new Set(await Promise.all(free.map(stateOf))), { timeout: 30_000 })
      .toEqual(new Set(['ready']));
    for (const id of ids) await leaseRunsOut(id);
    other.wake();
    await expect
      .poll(async () => new Set(await Promise.all(ids.map(stateOf))), { timeout: 30_000 })
      .toEqual(new Set(['ready']));
    await other.onApplicationShutdown();
  });

  it('renews what it works on, so that nobody begins a long text again', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const id = await promised(ada, 'A text that takes long.');
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      const loop = loopOf(() => held);
      loop.wake();
      await expect.poll(() => leaseOf(id), { timeout: 10_000 }).toBeGreaterThan(0);
      await leaseRunsOut(id);
      await vi.advanceTimersByTimeAsync(15_000);
      await expect.poll(() => leaseOf(id), { timeout: 10_000 }).toBeGreaterThan(30);
      release();
      await expect.poll(() => stateOf(id), { timeout: 10_000 }).toBe('ready');
      expect(await attemptsOf(id)).toBe(1);
      await loop.onApplicationShutdown();
    } finally {
      vi.useRealTimers();
    }
  });

  it("lets another tenant's promise in before most of a tenant's hundred", async () => {
    for (let index = 0; index < 30; index += 1) await promised(ada, `One of many, ${index}.`);
    await promised(ben, 'The only one of Ben.');
    const read: string[] = [];
    const loop = loopOf(async (text) => void read.push(text));
    loop.wake();
    await expect.poll(() => read.length, { timeout: 30_000 }).toBe(31);
    expect(read.indexOf('The only one of Ben.')).toBeLessThan(4);
    await loop.onApplicationShutdown();
  });

  it('that is stopped leaves what it was reading promised', async () => {
    const id = await promised(ada, 'A text in the middle of a shutdown.');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const begun = vi.fn();
    const loop = loopOf((text) => {
      begun(text);
      return held;
    });
    loop.wake();
    await expect.poll(() => begun.mock.calls.length, { timeout: 10_000 }).toBe(1);
    await loop.onApplicationShutdown();
    release();
    expect(await stateOf(id)).toBe('pending');
    expect(await leaseOf(id)).toBeLessThan(15);
  });
});
