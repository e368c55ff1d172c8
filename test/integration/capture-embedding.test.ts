import { AppError } from '@tempera/client-kit';
import { asId, type MemoryId, type TenantId, type UserId } from '@tempera/core';
import {
  chooseEncoders,
  countStatus,
  type Encoder,
  EncoderDesk,
  EncoderPool,
  encoderIdOf,
  insertMemory,
  type LoadEncoder,
  promiseEmbedding,
  readMemories,
} from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddingJobs } from '../../apps/api/src/memories/embedding-jobs.js';
import { asSuperuser } from '../support/cluster.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { newMemory } from '../support/new-memory.js';
import { makeOperator, makeTenant, type Person } from '../support/people.js';

let database: TestDatabase;
let author: Person;

beforeAll(async () => {
  database = await openTestDatabase();
  author = (await makeTenant(database.doors, await makeOperator(database))).owner;
});
afterAll(() => database.close());

const clock = { now: (): Date => new Date() };
const tenantId = (): TenantId => asId<TenantId>(author.tenantId);

const now = (): number => performance.now();
const poolWith = (load: LoadEncoder): EncoderPool => new EncoderPool({ host: new EncoderDesk({ load, now }), now });

/** Encoders that read nothing the first `failures` times, and then answer at once. */
const encodersThatFail = (failures: number, code?: string): EncoderPool => {
  let left = failures;
  const failure =
    code === undefined ? new Error('the session is broken') : new AppError('unavailable', code, 'It failed.');
  const load = (card: Encoder['card']): Promise<Encoder> =>
    Promise.resolve({
      id: encoderIdOf(card),
      card,
      countTokens: (text: string) => text.length / 4,
      embed: () => {
        left -= 1;
        const vector = Float32Array.from({ length: card.dimensions }, (_, index) => (index === 0 ? 1 : 0));
        return left >= 0 ? Promise.reject(failure) : Promise.resolve(vector);
      },
      dispose: () => Promise.resolve(),
    });
  return poolWith(load);
};

const encodersThatNeverAnswer = (): EncoderPool =>
  poolWith(async (card) => ({
    id: encoderIdOf(card),
    card,
    countTokens: () => 1,
    embed: () => new Promise(() => undefined),
    dispose: async () => undefined,
  }));

const pendingMemory = (text: string): Promise<MemoryId> =>
  database.doors.asTenant(author, async (tx) => {
    const now = clock.now();
    const id = await insertMemory(tx, newMemory(author, text, now));
    await promiseEmbedding(tx, tenantId(), id, now);
    return id;
  });

const stateOf = async (id: MemoryId): Promise<string | undefined> =>
  (await database.doors.asTenant(author, (tx) => readMemories(tx, tenantId(), [id]))).get(id)?.embeddingState;

interface OutboxRow {
  readonly id: string;
  readonly isDone: boolean;
  readonly lastError: string | null;
  readonly waitSeconds: number;
}

const outboxOf = (id: MemoryId): Promise<OutboxRow> =>
  asSuperuser(database.adminUrl, async (client) => {
    const { rows } = await client.query<OutboxRow>(
      `select id, done_at is not null as "isDone", last_error as "lastError",
        extract(epoch from available_at - now())::float8 as "waitSeconds" from outbox where subject_id = $1`,
      [id],
    );
    if (rows[0] === undefined) throw new Error('no promise');
    return rows[0];
  });

const keep = async (jobs: EmbeddingJobs, memoryId: MemoryId, attempts: number): Promise<void> => {
  const { id } = await outboxOf(memoryId);
  await jobs.keep({ id, tenantId: tenantId(), memoryId, attempts });
};

describe('a promised embedding', () => {
  it('A12: is tried again after failures, later each time, and kept in the end', async () => {
    expect(chooseEncoders('A text whose encoder fails.')).toEqual(['bge-small-en-v1.5']);
    const id = await pendingMemory('A text whose encoder fails.');
    const jobs = new EmbeddingJobs(database.doors, encodersThatFail(3), clock);
    const waits: number[] = [];
    for (const attempt of [1, 2, 3]) {
      await keep(jobs, id, attempt);
      const { isDone, lastError, waitSeconds } = await outboxOf(id);
      expect({ isDone, lastError }).toEqual({ isDone: false, lastError: 'encoder-failed' });
      expect(await stateOf(id)).toBe('pending');
      waits.push(waitSeconds);
    }
    expect(waits[1]).toBeGreaterThan(waits[0] ?? 0);
    expect(waits[2]).toBeGreaterThan(waits[1] ?? 0);
    await keep(jobs, id, 4);
    expect(await stateOf(id)).toBe('ready');
    expect(await outboxOf(id)).toMatchObject({ isDone: true, lastError: null });
  });

  it('that fails too often is shown as failed, and still kept when the encoder recovers', async () => {
    const id = await pendingMemory('A text that breaks the encoder.');
    const jobs = new EmbeddingJobs(database.doors, encodersThatFail(1), clock);
    await keep(jobs, id, 8);
    expect(await stateOf(id)).toBe('failed');
    expect(await outboxOf(id)).toMatchObject({ isDone: false, lastError: 'encoder-failed' });
    await keep(jobs, id, 9);
    expect(await stateOf(id)).toBe('ready');
  });

  it('A12: that fails once more after that is set aside for good: no promise is left, and its words find it', async () => {
    const id = await pendingMemory('A text that always breaks the encoder.');
    const jobs = new EmbeddingJobs(database.doors, encodersThatFail(100), clock);
    await keep(jobs, id, 8);
    expect(await outboxOf(id)).toMatchObject({ isDone: false });
    await keep(jobs, id, 9);
    expect(await stateOf(id)).toBe('failed');
    expect(await outboxOf(id)).toMatchObject({ isDone: true });
    const { awaitingEmbedding, failedEmbedding } = await database.doors.asTenant(author, (tx) =>
      countStatus(tx, tenantId(), asId<UserId>(author.userId), null),
    );
    expect({ awaitingEmbedding, failedEmbedding }).toEqual({ awaitingEmbedding: 0, failedEmbedding: 1 });
  });

  it.each(['encoder-crashed', 'encoder-too-slow'])('that is %s has three attempts and a last one', async (code) => {
    const id = await pendingMemory(`A text with ${code}.`);
    const jobs = new EmbeddingJobs(database.doors, encodersThatFail(100, code), clock);
    const states: string[] = [];
    for (const attempt of [1, 2, 3, 4]) {
      await keep(jobs, id, attempt);
      states.push(`${await stateOf(id)} ${(await outboxOf(id)).isDone ? 'aside' : 'promised'}`);
    }
    expect(states).toEqual(['pending promised', 'pending promised', 'failed promised', 'failed aside']);
  });

  it('that ends the process each time is left alone in the end', async () => {
    const id = await pendingMemory('A text that ends the process.');
    const jobs = new EmbeddingJobs(database.doors, encodersThatNeverAnswer(), clock);
    void keep(jobs, id, 8);
    await expect.poll(() => stateOf(id)).toBe('failed');
    await keep(jobs, id, 25);
    expect(await outboxOf(id)).toMatchObject({ isDone: true });
    expect(await stateOf(id)).toBe('failed');
  });

  it('while the encoder is away is no fault of the memory, however often it is tried', async () => {
    const id = await pendingMemory('A text without an encoder.');
    const away = poolWith(() => Promise.reject(new Error('no file')));
    await keep(new EmbeddingJobs(database.doors, away, clock), id, 100);
    expect(await stateOf(id)).toBe('pending');
    const { lastError, waitSeconds } = await outboxOf(id);
    expect(lastError).not.toBe('encoder-failed');
    expect(waitSeconds).toBeLessThan(30);
  });

  it('twice kept, by a process that was thought dead, harms nothing', async () => {
    const id = await pendingMemory('A text that two processes embed.');
    const jobs = new EmbeddingJobs(database.doors, encodersThatFail(0), clock);
    await Promise.all([keep(jobs, id, 1), keep(jobs, id, 2)]);
    expect(await stateOf(id)).toBe('ready');
    const rows = await database.doors.asTenant(
      author,
      (tx) =>
        tx.$queryRaw<{ count: number }[]>`select count(*)::int as count from embedding where memory_id = ${id}::uuid`,
    );
    expect(rows[0]?.count).toBe(1);
  });
});
