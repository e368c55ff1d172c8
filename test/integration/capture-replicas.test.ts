import { asId, type TenantId, type UserId } from '@tempera/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../apps/api/src/auth/caller.js';
import type { CaptureInput } from '../../apps/api/src/memories/capture.input.js';
import { parseCapture } from '../../apps/api/src/memories/parse-capture.js';
import { type CaptureOutcome, storeCapture } from '../../apps/api/src/memories/store-capture.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { makeOperator, makeTenant, type Person } from '../support/people.js';

let database: TestDatabase;
let person: Person;

beforeAll(async () => {
  database = await openTestDatabase();
  person = (await makeTenant(database.doors, await makeOperator(database))).owner;
});
afterAll(() => database.close());

/** One replica's work on a capture: without the queue that orders the captures inside one process. */
const captureOnce = (
  text: string,
  idempotencyKey: string | null,
  more: Pick<CaptureInput, 'sessionKey' | 'occurredAt'> = {},
): Promise<CaptureOutcome> => {
  const caller: Caller = {
    tenantId: asId<TenantId>(person.tenantId),
    userId: asId<UserId>(person.userId),
    sessionId: person.sessionId,
    scopes: null,
  };
  const now = new Date();
  const defaults = {
    kind: 'episode',
    validity: 'none',
    verification: 'untested',
    source: 'api',
    merge: 'auto',
  } as const;
  const lists = { tags: [], filesModified: [], errorsResolved: [], alternatives: [] };
  const draft = parseCapture({ text, idempotencyKey, pinned: false, ...defaults, ...lists, ...more }, now);
  const embedded = { embeddings: [], beside: [], isComplete: true, encoders: null };
  const requestHash = new TextEncoder().encode(text);
  return database.doors.asTenant(caller, (tx) =>
    storeCapture(tx, { caller, draft, embedded, requestHash, redacted: [], now }),
  );
};

const statuses = (outcomes: readonly CaptureOutcome[]): string[] => outcomes.map(({ status }) => status).sort();

describe('replicas that store captures of one person at the same time', () => {
  it('make one memory of one key', async () => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => captureOnce('One key, five replicas.', 'same')));
    expect(statuses(outcomes)).toEqual(['created', 'repeated', 'repeated', 'repeated', 'repeated']);
    expect(new Set(outcomes.map(({ record }) => record.id)).size).toBe(1);
  });

  it('make one memory of one text, with one revision, in one session that counts once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => captureOnce('The same thing, twenty times.', null)),
    );
    expect(statuses(outcomes)).toEqual(['created', ...Array.from({ length: 19 }, () => 'repeated')]);
    expect(new Set(outcomes.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(new Set(outcomes.map(({ record }) => record.id)).size).toBe(1);
    expect(Math.max(...outcomes.map(({ record }) => record.revision))).toBe(1);
    expect(Math.max(...outcomes.map(({ record }) => record.proofCount))).toBe(1);
  });

  it('count each of their sessions once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        captureOnce('The same thing, in four sessions.', null, { sessionKey: `session ${index % 4}` }),
      ),
    );
    expect(new Set(outcomes.map(({ record }) => record.id)).size).toBe(1);
    expect(Math.max(...outcomes.map(({ record }) => record.proofCount))).toBe(4);
  });

  it('lose none of different ones', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, index) => captureOnce(`Fact number ${index}.`, null)),
    );
    expect(new Set(outcomes.map(({ record }) => record.id)).size).toBe(5);
  });
});

describe('a memory that is captured again', () => {
  it('was last useful then, and never earlier than before', async () => {
    const at = (day: string): Date => new Date(`2026-03-${day}T09:00:00Z`);
    const days: (Date | undefined)[] = [];
    for (const [text, day] of [
      ['The pump runs dry.', '02'],
      ['The pump runs dry.', '09'],
      ['The pump runs dry.', '04'],
    ] as const) {
      days.push((await captureOnce(text, null, { occurredAt: at(day) })).record.lastUsefulAt);
    }
    expect(days).toEqual([at('02'), at('09'), at('09')]);
  });
});
