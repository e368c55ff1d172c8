import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import type { GraphQLClient } from '../support/graphql-client.js';
import { capture, feedback, type MemoryWorld, openMemoryWorld, retrieve } from './memory-world.js';

let world: MemoryWorld;

beforeAll(async () => {
  world = await openMemoryWorld();
});
afterAll(() => world.close());

interface StatusView {
  memories: number;
  ownMemories: number;
  sharedMemories: number;
  awaitingEmbedding: number;
  retrievals: number;
  helpfulVotes: number;
  unhelpfulVotes: number;
  feedbackRate: number;
  highValue: number;
  neverRetrieved: number;
  neverRetrievedShare: number;
  stale: number;
  conflicts: number;
  proposals: number;
  lastRun: { status: string; runDate: string } | null;
  meanUtility: number;
  advice: string[];
}

const STATUS = `query ($project: String) { status(project: $project) { memories ownMemories sharedMemories
  awaitingEmbedding retrievals helpfulVotes unhelpfulVotes feedbackRate highValue neverRetrieved neverRetrievedShare
  stale conflicts proposals meanUtility advice lastRun { status runDate } } }`;

const status = async (person: GraphQLClient, project?: string): Promise<StatusView> =>
  (await person.send<{ status: StatusView }>(STATUS, { project })).status;

const reviewed = async (person: GraphQLClient, project: string | null): Promise<number> =>
  (
    await person.send<{ review: { conflicts: number } }>(
      'query ($project: String) { review(project: $project) { conflicts } }',
      { project },
    )
  ).review.conflicts;

describe('the status', () => {
  it('of nothing says what to do', async () => {
    const empty = await status(world.cleo);
    expect(empty).toMatchObject({ memories: 0, meanUtility: 0, feedbackRate: 0 });
    expect(empty.advice).toEqual(['Nothing is remembered yet: capture what you learn as you work.']);
  });

  it('counts what the caller may see, not what others keep to themselves', async () => {
    await capture(world.ada, 'Ada alone knows the wifi password policy.');
    const { memory } = await capture(world.ada, { text: 'Orders are archived after a year.', project: 'shop' });
    await retrieve(world.ben, 'When are orders archived?');
    await feedback(world.ben, { memoryIds: [memory.id], helpful: true });
    expect(await status(world.ada)).toMatchObject({
      memories: 2,
      ownMemories: 2,
      sharedMemories: 1,
      neverRetrieved: 1,
    });
    const seen = await status(world.ben, 'shop');
    expect(seen).toMatchObject({
      memories: 1,
      ownMemories: 0,
      retrievals: 1,
      helpfulVotes: 1,
      feedbackRate: 1,
      highValue: 1,
    });
    // Memories are taken together by the day of their last use, so this one has faded by up to a day since midnight.
    expect(seen.meanUtility).toBeGreaterThanOrEqual(0.66);
    expect(seen.meanUtility).toBeLessThanOrEqual(2 / 3);
    expect(await status(world.cleo)).toMatchObject({ memories: 0 });
  });

  it('counts who found a memory unhelpful, whatever their votes weigh', async () => {
    const { memory } = await capture(world.ada, { text: 'Refunds are booked by hand every Friday.', project: 'shop' });
    const [before, people] = [await status(world.ada, 'shop'), [world.ada, world.ben]];
    for (const person of people) {
      // Three times: several votes of one person are one voice here, and the author's own weighs half.
      for (const question of ['When are refunds booked?', 'Who books refunds?', 'Are refunds booked by hand?']) {
        await retrieve(person, question);
        await feedback(person, { memoryIds: [memory.id], helpful: false });
      }
    }
    expect((await status(world.ada, 'shop')).unhelpfulVotes - before.unhelpfulVotes).toBe(2);
    await feedback(world.ben, { memoryIds: [memory.id], helpful: true });
    await feedback(world.ada, { memoryIds: [memory.id], helpful: true });
    const after = await status(world.ada, 'shop');
    // Of what a person said in a day the last word counts, so the memory stands as one that two people praised.
    expect([after.unhelpfulVotes - before.unhelpfulVotes, after.highValue - before.highValue]).toEqual([0, 1]);
  });

  it('a memory that only borrows has not proved useful, however high its utility', async () => {
    const { memory } = await capture(world.ada, { text: 'Invoices are numbered without gaps.', project: 'shop' });
    const before = await status(world.ada, 'shop');
    await asSuperuser(world.api.database.adminUrl, (client) =>
      client.query('update memory_stat set propagated = .9, reached = .9 where memory_id = $1', [memory.id]),
    );
    const after = await status(world.ada, 'shop');
    expect(after.meanUtility).toBeGreaterThan(before.meanUtility);
    expect(after.highValue).toBe(before.highValue);
  });

  it('tells what waits for people, what is stale by the settings, and how the last run ended; each only to who sees it', async () => {
    const { memory } = await capture(world.ada, {
      text: 'The deploy timeout is 30 s.',
      project: 'shop',
      kind: 'DECISION',
    });
    const other = await capture(world.ben, { text: 'The deploy timeout is 60 s.', project: 'shop', kind: 'DECISION' });
    const lone = await capture(world.ada, 'The deploy timeout is 90 s for Ada alone.');
    await asSuperuser(world.api.database.adminUrl, async (client) => {
      await client.query(
        `insert into link (tenant_id, from_id, to_id, kind, weight)
         select tenant_id, $1::uuid, id, 'conflict', .9 from memory where id = any ($2::uuid[]) on conflict do nothing`,
        [memory.id, [other.memory.id, lone.memory.id]],
      );
      await client.query(
        `update memory_stat set last_useful_at = now() - interval '29 days', unhelpful = 6, evidence = .1 where memory_id = $1`,
        [other.memory.id],
      );
      await client.query(`update memory set state_since = now() - interval '29 days' where id = $1`, [other.memory.id]);
    });
    const fresh = await status(world.ben, 'shop');
    expect(fresh).toMatchObject({ conflicts: 1, stale: 0, proposals: 0, lastRun: null });
    expect((await status(world.ada)).conflicts).toBe(2);
    for (const [person, project] of [
      [world.ada, undefined],
      [world.ben, 'shop'],
    ] as const) {
      const listed = await person.send<{ conflicts: { nodes: unknown[] } }>(
        'query ($project: String) { conflicts(first: 50, project: $project) { nodes { similarity } } }',
        { project },
      );
      expect(listed.conflicts.nodes).toHaveLength((await status(person, project)).conflicts);
      if (project !== undefined) expect(await reviewed(person, project)).toBe(listed.conflicts.nodes.length);
    }
    expect(fresh.advice.join(' ')).toMatch(/1 pair of memories contradicts itself: `tempera conflicts --project shop`/);
    expect(fresh.neverRetrievedShare).toBeCloseTo(fresh.neverRetrieved / fresh.memories, 10);
    await world.owner.send(
      'mutation { setSetting(input: { key: "storage.stale_age_days", value: "20", project: "shop" }) { key } }',
    );
    expect((await status(world.ben, 'shop')).stale).toBe(1);
    expect((await status(world.ben)).stale).toBe(0);
    await world.owner.send('mutation { runMaintenance(input: {}) { id } }');
    await asSuperuser(world.api.database.adminUrl, (client) =>
      client.query(
        `update maintenance_run set status = 'failed', failure = 'x', started_at = now(), finished_at = now()`,
      ),
    );
    const told = await status(world.owner);
    expect(told.lastRun).toMatchObject({ status: 'FAILED' });
    expect(told.advice.join(' ')).toContain('`tempera admin runs start`');
    expect((await status(world.ben)).lastRun).toBeNull();
  });

  it('of a hidden project answers like one of none', async () => {
    const hidden = await world.cleo.refused(STATUS, { project: 'shop' });
    const missing = await world.cleo.refused(STATUS, { project: 'nowhere' });
    expect([hidden.code, hidden.message]).toEqual(['NOT_FOUND', missing.message]);
  });

  it('and a review count what waits for a person: not what was decided, nor what nobody finds any more', async () => {
    const keep = async (hours: number): Promise<string> =>
      (await capture(world.owner, { text: `The night watch of Eve lasts ${hours} hours.`, merge: 'NEVER' })).memory.id;
    const [first, second, third] = [await keep(6), await keep(7), await keep(8)];
    await asSuperuser(world.api.database.adminUrl, async (client) => {
      await client.query(
        `insert into link (tenant_id, from_id, to_id, kind, weight)
         select tenant_id, $1::uuid, id, 'conflict', .9 from memory where id = any ($2::uuid[]) on conflict do nothing`,
        [first, [second, third]],
      );
    });
    const before = await reviewed(world.owner, null);
    expect(before).toBeGreaterThanOrEqual(2);
    expect((await status(world.owner)).conflicts).toBeGreaterThanOrEqual(before);
    await world.owner.send(
      'mutation ($input: ResolveConflictInput!) { resolveConflict(input: $input) { resolution } }',
      {
        input: { first, second, resolution: 'KEEP_BOTH' },
      },
    );
    expect(await reviewed(world.owner, null)).toBe(before - 1);
    await world.owner.send(
      'mutation ($id: ID!, $at: DateTime!) { editMemory(id: $id, expectedRevision: 1, input: { expiresAt: $at }) { changed } }',
      { id: third, at: '2020-01-01T00:00:00Z' },
    );
    expect(await reviewed(world.owner, null)).toBe(0);
  });
});
