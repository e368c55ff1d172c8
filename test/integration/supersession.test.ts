import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import type { GraphQLClient } from '../support/graphql-client.js';
import {
  ARCHIVE,
  change,
  EDIT,
  type EditWorld,
  FORGET,
  openEditWorld,
  refusal,
  refusedWith,
  RESTORE,
} from './edit-world.js';
import { feedback, retrieve } from './memory-world.js';

let world: EditWorld;
beforeAll(async () => {
  world = await openEditWorld();
});
afterAll(() => world.close());

type Arguments = Readonly<Record<string, unknown>>;
interface Decided {
  readonly id: string;
  readonly superseded: readonly string[];
  readonly conflicts: readonly string[];
}
const DECIDE = `mutation ($input: CaptureInput!) { capture(input: $input) {
  memory { id } superseded { memory { id } } conflicts { memory { id } } } }`;
interface Close {
  readonly memory: { readonly id: string };
}
const decide = async (person: GraphQLClient, text: string, more: Arguments = {}): Promise<Decided> => {
  const input = { text, kind: 'DECISION', project: 'shop', ...more };
  const { capture } = await person.send<{
    capture: { memory: { id: string }; superseded: Close[]; conflicts: Close[] };
  }>(DECIDE, { input });
  const ids = (list: readonly Close[]): string[] => list.map(({ memory }) => memory.id).sort();
  return { id: capture.memory.id, superseded: ids(capture.superseded), conflicts: ids(capture.conflicts) };
};

interface Standing {
  readonly supersededBy: string | null;
  readonly supersededAt: string | null;
  readonly validTo: string | null;
  readonly state: string;
  readonly related: readonly { readonly kind: string; readonly memory: { readonly id: string } }[];
}
const standingOf = async (person: GraphQLClient, id: string): Promise<Standing> =>
  (
    await person.send<{ memory: Standing }>(
      'query ($id: ID!) { memory(id: $id) { supersededBy supersededAt validTo state related { kind memory { id } } } }',
      { id },
    )
  ).memory;
const kindOf = async (person: GraphQLClient, id: string, other: string): Promise<string | undefined> =>
  (await standingOf(person, id)).related.find(({ memory }) => memory.id === other)?.kind;
const answerTo = async (person: GraphQLClient, query: string): Promise<string[]> =>
  (await retrieve(person, query)).hits.map(({ memory }) => memory.id);
const listed = async (person: GraphQLClient, filter: string): Promise<string[]> => {
  const list = `query { memories(first: 100, filter: { ${filter} }) { nodes { id } } }`;
  return (await person.send<{ memories: { nodes: { id: string }[] } }>(list)).memories.nodes.map(({ id }) => id);
};
const query = <Row extends object>(sql: string, values: unknown[]): Promise<Row[]> =>
  asSuperuser(world.api.database.adminUrl, async (client) => (await client.query<Row>(sql, values)).rows);
const update = (person: GraphQLClient, id: string, input: Arguments): Promise<unknown> =>
  person.send(EDIT, { id, revision: 1, input });

describe('a newer decision on the same subject', () => {
  it('by who may edit the older one retires it: out of answers and lists, linked, dated, audited, with its votes', async () => {
    const older = await decide(world.ada, 'The timeout of the checkout page in the shop is 30 s.', {
      occurredAt: '2026-01-01T00:00:00.000Z',
    });
    const { retrievalId } = await retrieve(world.ben, 'checkout timeout');
    await feedback(world.ben, { memoryIds: [older.id], helpful: true, retrievalId });
    const at = '2026-02-01T00:00:00.000Z';
    const newer = await decide(world.mia, 'The timeout of the checkout page in the shop is 60 s.', { occurredAt: at });
    expect(newer).toMatchObject({ superseded: [older.id], conflicts: [] });
    expect(await answerTo(world.ben, 'checkout timeout')).toEqual([newer.id]);
    expect(await standingOf(world.ben, older.id)).toMatchObject({
      supersededBy: newer.id,
      validTo: at,
      state: 'ACTIVE',
    });
    expect(await kindOf(world.ben, older.id, newer.id)).toBe('SUPERSEDED_BY');
    expect(await kindOf(world.ben, newer.id, older.id)).toBe('SUPERSEDES');
    expect(await listed(world.ben, '')).not.toContain(older.id);
    expect(await listed(world.ben, 'superseded: true')).toContain(older.id);
    expect(await query('select helpful_voters from memory_stat where memory_id = $1', [older.id])).toEqual([
      { helpful_voters: 1 },
    ]);
    const audit = await query('select action, details from audit where subject_id = $1', [older.id]);
    expect(audit).toEqual([{ action: 'memory.superseded', details: { supersededBy: newer.id } }]);
  });

  it('is a conflict instead where its writer may not edit the older, took no pin off, or came before it', async () => {
    const older = await decide(world.ada, 'The search index keeps 3 replicas.');
    const others = await decide(world.ben, 'The search index keeps 5 replicas.');
    expect(others).toMatchObject({ superseded: [], conflicts: [older.id] });
    const backThen = await decide(world.ada, 'The search index keeps 7 replicas.', {
      occurredAt: '2020-01-01T00:00:00.000Z',
    });
    expect(backThen).toMatchObject({ superseded: [], conflicts: [older.id, others.id].sort() });
    const pinned = await decide(world.mia, 'The log volume is kept for 14 days.', { pinned: true });
    await query('update memory set owner_id = (select owner_id from memory where id = $2) where id = $1', [
      pinned.id,
      older.id,
    ]);
    const notHers = await decide(world.ada, 'The log volume is kept for 30 days.');
    expect(notHers).toMatchObject({ superseded: [], conflicts: [pinned.id] });
    expect((await standingOf(world.ben, older.id)).supersededAt).toBeNull();
  });

  it('leaves what others see alone, and what is in another project', async () => {
    const shared = await decide(world.ada, 'The mail queue retries 4 times.');
    const own = await decide(world.ada, 'The mail queue retries 6 times.', { scope: 'PRIVATE' });
    expect(own).toMatchObject({ superseded: [], conflicts: [] });
    const elsewhere = await decide(world.ada, 'The mail queue retries 8 times.', { scope: 'PRIVATE', project: null });
    expect(elsewhere).toMatchObject({ superseded: [], conflicts: [own.id] });
    expect((await standingOf(world.ada, shared.id)).supersededAt).toBeNull();
  });

  it('captured at once with another leaves one decision standing, and never none', async () => {
    const older = await decide(world.mia, 'The session cookie of the shop expires after 1 day, for every customer.');
    const racers = [world.mia, world.owner, world.mia, world.owner];
    await Promise.all(
      racers.map((person, n) =>
        decide(person, `The session cookie of the shop expires after ${n + 2} days, for every customer.`),
      ),
    );
    const rows = await query<{ id: string; superseded_by: string | null }>(
      `select id, superseded_by from memory where text like 'The session cookie%'`,
      [],
    );
    const standing = rows.filter((row) => row.superseded_by === null);
    // Each is judged against those before it: retired by what tells of something later, else in conflict with it.
    const linked = await query<{ from_id: string; to_id: string }>(
      `select from_id, to_id from link where kind = 'conflict' and from_id = any ($1) and to_id = any ($1)`,
      [standing.map(({ id }) => id)],
    );
    expect(standing.map(({ id }) => id)).not.toContain(older.id);
    expect(standing.length).toBeGreaterThan(0);
    expect(linked.length).toBe((standing.length * (standing.length - 1)) / 2);
  });
});

describe('supersedes, said by the writer', () => {
  it('retires whatever it names, at capture or by an edit, and refuses what cannot be', async () => {
    const older = await decide(world.ada, 'Invoices are numbered by the shop.', { kind: 'BACKGROUND' });
    const newer = await decide(world.ada, 'A numbering service hands out invoice ids.', {
      supersedes: older.id.slice(0, 8),
    });
    expect(newer.superseded).toEqual([older.id]);
    const third = await decide(world.ada, 'The ledger hands out all ids.');
    await update(world.ada, third.id, { supersedes: newer.id });
    expect((await standingOf(world.ada, newer.id)).supersededBy).toBe(third.id);
    const refusedFor = (person: GraphQLClient, id: string, supersedes: string): Promise<string> =>
      refusedWith(update(person, id, { supersedes }));
    expect(await refusedFor(world.ada, older.id, third.id)).toBe('CONFLICT not-newer');
    const sameDay = '2026-01-01T00:00:00.000Z';
    await query('update memory set ended_at = $2 where id = any ($1)', [[older.id, newer.id, third.id], sameDay]);
    expect(await refusedFor(world.ada, older.id, third.id)).toBe('CONFLICT supersession-circle');
    expect(await refusedFor(world.ada, third.id, third.id)).toBe('BAD_USER_INPUT supersedes-itself');
    expect(await refusedFor(world.ada, third.id, older.id)).toBe('CONFLICT already-superseded');
    const bens = await decide(world.ben, 'The kitchen radio is off.');
    expect(await refusedFor(world.ada, third.id, bens.id)).toBe('FORBIDDEN not-yours');
    const own = await decide(world.ada, 'My own rule on lamps.', { scope: 'PRIVATE' });
    expect(await refusedFor(world.ada, own.id, third.id)).toBe('CONFLICT other-audience');
    const early = await decide(world.ada, 'Lamps were gas.', { occurredAt: '2020-01-01T00:00:00.000Z' });
    expect(await refusedFor(world.ada, early.id, third.id)).toBe('CONFLICT not-newer');
    const variables = { id: third.id, revision: 1, input: { supersedes: own.id } };
    const missing = { ...variables, input: { supersedes: '00000000-0000-4000-8000-000000000009' } };
    expect(await refusal(world.mia, EDIT, variables)).toBe(await refusal(world.mia, EDIT, missing));
  });

  it('of two for each other at once lets one through', async () => {
    const one = await decide(world.ada, 'Bicycles stand in the yard.');
    const other = await decide(world.ada, 'Scooters lean on the fence.');
    await query(`update memory set ended_at = '2026-01-01' where id = any ($1)`, [[one.id, other.id]]);
    const outcomes = await Promise.all([
      refusedWith(update(world.ada, one.id, { supersedes: other.id })),
      refusedWith(update(world.mia, other.id, { supersedes: one.id })),
    ]);
    expect(outcomes.sort()).toEqual(['CONFLICT supersession-circle', 'let through']);
  });
});

describe('a retired memory', () => {
  it('stands again when it is restored, by a maintainer or who wrote the newer, in open conflict with it', async () => {
    const older = await decide(world.ben, 'The image cache on each node of the shop keeps at most 20 GB.');
    const newer = await decide(world.mia, 'The image cache on each node of the shop keeps at most 40 GB.');
    expect(newer.superseded).toEqual([older.id]);
    expect(await refusedWith(change(world.ben, RESTORE, { id: older.id }))).toBe('FORBIDDEN maintainers-restore');
    await change(world.mia, RESTORE, { id: older.id });
    expect(await standingOf(world.ben, older.id)).toMatchObject({
      supersededBy: null,
      supersededAt: null,
      validTo: null,
    });
    expect(await kindOf(world.ben, older.id, newer.id)).toBe('CONFLICT');
    expect((await answerTo(world.ben, 'image cache')).sort()).toEqual([older.id, newer.id].sort());
  });

  it('passes to the successor of a newer one that is forgotten or erased, else stands again', async () => {
    const [first, second, third] = [
      await decide(world.mia, 'The nightly sales report is cancelled after 10 minutes.'),
      await decide(world.mia, 'The nightly sales report is cancelled after 20 minutes.'),
      await decide(world.mia, 'The nightly sales report is cancelled after 30 minutes.'),
    ];
    expect([second.superseded, third.superseded]).toEqual([[first.id], [second.id]]);
    await change(world.mia, FORGET, { id: second.id });
    expect((await standingOf(world.mia, first.id)).supersededBy).toBe(third.id);
    await query('delete from memory where id = $1', [third.id]);
    expect(await standingOf(world.mia, first.id)).toMatchObject({ supersededBy: null, validTo: null });
    const fourth = await decide(world.mia, 'The nightly sales report is cancelled after 40 minutes.');
    const fifth = await decide(world.mia, 'The nightly sales report is cancelled after 50 minutes.');
    await query('delete from memory where id = $1', [fourth.id]);
    expect((await standingOf(world.mia, first.id)).supersededBy).toBe(fifth.id);
    await change(world.mia, FORGET, { id: fifth.id });
    expect((await answerTo(world.ben, 'nightly sales report')).includes(first.id)).toBe(true);
  });

  it('stands again for those who lose sight of the newer one', async () => {
    const older = await decide(world.ada, 'The lift in the old warehouse is serviced every 6 months.');
    const newer = await decide(world.ada, 'The lift in the old warehouse is serviced every 9 months.');
    expect(newer.superseded).toEqual([older.id]);
    await world.ada.send('mutation ($input: AudienceInput!) { demoteMemory(input: $input) { id } }', {
      input: { memoryId: newer.id, scope: 'PRIVATE' },
    });
    expect((await standingOf(world.ben, older.id)).supersededAt).toBeNull();
    expect(await answerTo(world.ben, 'lift serviced months')).toEqual([older.id]);
  });

  it('stands again when the newer one is archived, or expires without a statement, and passes to a successor', async () => {
    const says = (minutes: number): string => `The nightly export of the ledger is stopped after ${minutes} minutes.`;
    const older = await decide(world.mia, says(10));
    const newer = await decide(world.mia, says(20));
    expect(newer.superseded).toEqual([older.id]);
    await change(world.mia, ARCHIVE, { id: newer.id });
    expect(await standingOf(world.ben, older.id)).toMatchObject({ supersededBy: null, validTo: null });
    expect(await answerTo(world.ben, 'nightly export ledger')).toEqual([older.id]);
    await change(world.mia, RESTORE, { id: newer.id });
    expect(await kindOf(world.ben, older.id, newer.id)).toBe('CONFLICT');
    await update(world.mia, newer.id, { supersedes: older.id });
    const third = await decide(world.mia, says(30), { expiresAt: '2099-01-01T00:00:00.000Z' });
    expect(third.superseded).toEqual([newer.id]);
    await change(world.mia, ARCHIVE, { id: newer.id });
    expect((await standingOf(world.ben, older.id)).supersededBy).toBe(third.id);
    // Time passes: nobody touches either of the two.
    const gone = new Date(Date.now() - 60_000);
    await query('alter table memory disable trigger user', []);
    await query('update memory set expires_at = $2 where id = $1', [third.id, gone]);
    await query('update memory set superseded_until = $2, superseded_at = $3 where id = $1', [
      older.id,
      gone,
      new Date(gone.getTime() - 60_000),
    ]);
    await query('alter table memory enable trigger user', []);
    await query('select release_expired(10)', []);
    expect(await standingOf(world.ben, older.id)).toMatchObject({ supersededBy: null, validTo: null });
    // Away until the expiry, not until somebody looked.
    const away = `select absent @> $2::timestamptz - interval '1 s' as before, absent @> $2::timestamptz as after
      from memory where id = $1`;
    expect(await query(away, [older.id, gone])).toEqual([{ before: true, after: false }]);
  });

  it('stands again at once when an edit lets the newer one expire, and is retired by nothing that has expired', async () => {
    const older = await decide(world.ada, 'The yard lamp of the shop burns for 3 hours.');
    const past = '2026-01-01T00:00:00.000Z';
    const refused = (more: Arguments): Promise<string> =>
      refusedWith(decide(world.ada, 'The yard lamp of the shop burns for 4 hours.', { expiresAt: past, ...more }));
    expect(await refused({ supersedes: older.id })).toBe('BAD_USER_INPUT supersedes-expired');
    const expired = await decide(world.ada, 'The yard lamp of the shop burns for 5 hours.', { expiresAt: past });
    expect(expired.superseded).toEqual([]);
    expect(await refusedWith(update(world.ada, expired.id, { supersedes: older.id }))).toBe(
      'BAD_USER_INPUT supersedes-expired',
    );
    const newer = await decide(world.ada, 'The yard lamp of the shop burns for 6 hours.');
    expect(newer.superseded).toEqual([older.id]);
    await update(world.ada, newer.id, { expiresAt: past });
    expect((await standingOf(world.ben, older.id)).supersededAt).toBeNull();
  });

  it('stays retired while what took its place is part of another, and stands again when that one goes', async () => {
    const older = await decide(world.mia, 'The loading dock of the shop closes at 17.');
    const newer = await decide(world.mia, 'The loading dock of the shop closes at 19.');
    expect(newer.superseded).toEqual([older.id]);
    const twin = await decide(world.mia, 'The loading dock of the shop closes at 19!', { merge: 'NEVER' });
    const { merge } = await world.mia.send<{ merge: { runId: string; survivor: { id: string } } }>(
      'mutation ($ids: [ID!]!) { merge(ids: $ids) { runId survivor { id } } }',
      { ids: [newer.id, twin.id] },
    );
    expect(merge.survivor.id).toBe(twin.id);
    expect((await standingOf(world.ben, older.id)).supersededBy).toBe(newer.id);
    await change(world.mia, ARCHIVE, { id: twin.id });
    expect((await standingOf(world.ben, older.id)).supersededAt).toBeNull();
  });
});
