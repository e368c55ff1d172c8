import { eraseMemories, pageOfErasable, PURGED_KINDS, purgeRows } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GraphQLClient } from '../support/graphql-client.js';
import { change, type EditWorld, FORGET, openEditWorld } from './edit-world.js';
import { capture } from './memory-world.js';
import { merge, query, tracesIn, undo, vote } from './upkeep-world.js';

/** A word that is in every field of the memory and nowhere else. */
const CANARY = 'zanzibarquokka';

let world: EditWorld;
let mia: GraphQLClient;
let ada: GraphQLClient;

beforeAll(async () => {
  world = await openEditWorld();
  ({ mia, ada } = world);
});
afterAll(() => world.close());

const tenantOf = async (): Promise<string> =>
  (await query<{ id: string }>(world, 'select id from tenant'))[0]?.id ?? '';

const tracesOf = (words: readonly string[]): Promise<string[]> => tracesIn(world, words);

const longAgo = async (id: string, days: number): Promise<void> => {
  await query(world, 'alter table memory disable trigger user');
  await query(world, 'update memory set state_since = now() - make_interval(days => $2) where id = $1', [id, days]);
  await query(world, 'alter table memory enable trigger user');
};

const purge = async (): Promise<number> => {
  const tenantId = await tenantOf();
  return world.api.database.doors.asWorker(tenantId, async (tx) => {
    const due = await pageOfErasable(tx, { after: null, limit: 50, without: [] });
    return eraseMemories(
      tx,
      due.map(({ id }) => id),
    );
  });
};

describe('what a person forgot', () => {
  it('A10: erasing it for good leaves no trace in any table but the id in the audit: not in vectors, words, links, votes, merges, promises or answers', async () => {
    const share = async (text: string, more: object = {}): Promise<string> =>
      (await capture(mia, { project: 'shop', merge: 'NEVER', text, ...more })).memory.id;
    const canary = await share(`The storefront images are resized by the ${CANARY} worker.`, {
      idempotencyKey: 'canary-key',
      tags: [CANARY, 'images'],
      filesModified: [`src/${CANARY}.ts`],
      errorsResolved: [{ error: `${CANARY} is full`, resolution: `empty the ${CANARY}` }],
      alternatives: [{ approach: `no ${CANARY}`, whyNot: `${CANARY} is faster` }],
    });
    const survivor = await share('The storefront images are resized by the worker.', { tags: ['storefront'] });
    const third = await share('The storefront images are resized by a worker.', { tags: ['resizing'] });
    await vote(ada, 'How are the storefront images resized?', canary);
    // Into another and out again, then into it for good, and that one into a third.
    await undo(mia, (await merge(mia, [canary, survivor])).runId);
    await merge(mia, [canary, survivor]);
    await merge(mia, [survivor, third]);
    expect(
      await query(world, `select from memory where id = any ($1) and merged_into is not null`, [[canary, survivor]]),
    ).toHaveLength(2);
    expect(await query(world, `select from memory where id = $1 and tags @> $2`, [third, [CANARY]])).toHaveLength(1);
    expect(await tracesOf([CANARY])).toEqual(expect.arrayContaining(['memory', 'upkeep_effect']));
    expect(await tracesOf([canary])).toEqual(
      expect.arrayContaining(['embedding', 'idempotency_key', 'proof', 'vote', 'vote_question']),
    );

    await change(mia, FORGET, { id: canary });
    await longAgo(canary, 29);
    expect(await purge()).toBe(0);
    await longAgo(canary, 31);
    expect(await purge()).toBe(1);

    expect(await tracesOf([CANARY])).toEqual([]);
    expect(await tracesOf([canary])).toEqual(['audit']);
    expect(await purge()).toBe(0);
  });

  it('rows that were kept long enough go, and no others', async () => {
    const tenantId = await tenantOf();
    const inKind = (kind: (typeof PURGED_KINDS)[number], isDry: boolean): Promise<number> =>
      world.api.database.doors.asWorker(tenantId, (tx) => purgeRows(tx, kind, { limit: 500, isDry }));
    const counts = async (isDry: boolean): Promise<Record<string, number>> => {
      const found: Record<string, number> = {};
      for (const kind of PURGED_KINDS) found[kind] = await inKind(kind, isDry);
      return Object.fromEntries(Object.entries(found).filter(([, count]) => count > 0));
    };
    await capture(mia, { text: 'Parcels leave on Mondays.', idempotencyKey: 'another' });
    expect(await counts(true)).toEqual({});
    const old = (table: string, column: string, days: number): Promise<object[]> =>
      query(world, `update ${table} set ${column} = now() - make_interval(days => $1)`, [days]);
    await old('retrieval', 'created_at', 181);
    await old('idempotency_key', 'created_at', 89);
    await query(
      world,
      `insert into rate_bucket (tenant_id, subject_id, empty_at)
      values ($1, gen_random_uuid(), now() - interval '2 days')`,
      [tenantId],
    );
    const [{ asked = 0 } = {}] = await query<{ asked: number }>(
      world,
      'select count(*)::int as asked from retrieval where question is not null',
    );
    expect(asked).toBeGreaterThan(0);
    // A week of nightly notes, a year ago and lately: the last of the older week stays.
    for (const days of [400, 30]) {
      await query(
        world,
        `insert into health_day (tenant_id, id, day, scope, memories, never_retrieved, high_value, stale, utility)
        select $1, gen_random_uuid(), date_trunc('week', now() - make_interval(days => $2))::date + n, 'tenant', 1, 0, 0, 0, 0
        from generate_series(0, 6) n`,
        [tenantId, days],
      );
    }
    const due = { questions: asked, buckets: 1, health: 6 };
    expect(await counts(true)).toEqual(due);
    expect(await counts(false)).toEqual(due);
    expect(await counts(false)).toEqual({});
    const [{ sundays = 0 } = {}] = await query<{ sundays: number }>(
      world,
      'select count(*)::int as sundays from health_day where extract(isodow from day) = 7 and day < current_date - 366',
    );
    expect(sundays).toBe(1);
    // The answers and the votes on them stay: they count.
    expect(await query(world, 'select from retrieval where question is null')).toHaveLength(asked);
    await old('idempotency_key', 'created_at', 91);
    expect(Object.keys(await counts(false))).toEqual(['keys']);
  });
});
