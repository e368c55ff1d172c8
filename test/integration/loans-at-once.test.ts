import {
  assess,
  borrowAtOnce,
  type Lender,
  type MemoryId,
  resolveSettings,
  SESSION_MATE_WEIGHT,
  type Validity,
} from '@tempera/core';
import { borrowLoans, holdLending, lendAtOnce } from '@tempera/platform';
import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { castVote, makeMemory, makeRetrieval } from '../support/memories.js';
import type { Person } from '../support/people.js';
import { ballot, join, type LoanTeam, loansOf, makeLoanTeam, nightOf, shared, show } from './loan-world.js';

const NOW = new Date(Date.UTC(2026, 10, 20, 12));
const { bellman, storage } = resolveSettings();
const SETTINGS = {
  gamma: bellman.gamma,
  maxDepth: bellman.maxPropagationDepth,
  sourceThreshold: bellman.propagationThreshold,
  minRetrievals: storage.minRetrievals,
  minEdge: 0,
};

/** How many wait for a lock in this database. */
const waitingFor = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.waiting ?? -1;
};

/** What the database may hold of a memory; `near` is its link to the first one, 0 for none. */
const standing = fc.record({
  helpful: fc.double({ min: 1, max: 6, noNaN: true }),
  unhelpful: fc.double({ min: 0, max: 2, noNaN: true }),
  credit: fc.double({ min: 0, max: 0.3, noNaN: true }),
  others: fc.constantFrom(1, 1, 1, 0),
  voters: fc.constantFrom(1, 1, 1, 0),
  asked: fc.constantFrom(3, 2, 2, 1),
  days: fc.nat({ max: 40 }),
  validity: fc.constantFrom<Validity>('none', 'forever', 'workaround', 'dependency'),
  pinned: fc.boolean(),
  state: fc.constantFrom('active', 'active', 'active', 'archived'),
  scope: fc.constantFrom('project', 'project', 'private'),
  isMate: fc.boolean(),
  near: fc.constantFrom(0, 0.7, 0.95),
  isInward: fc.boolean(),
  propagated: fc.constantFrom(0, 0.1, 0.6),
  reached: fc.constantFrom(0, 0.1, 0.6),
});
type Standing = typeof standing extends fc.Arbitrary<infer T> ? T : never;

describe('loans at once', () => {
  let database: TestDatabase;
  let team: LoanTeam;

  beforeAll(async () => {
    database = await openTestDatabase();
    team = await makeLoanTeam(database);
  });
  afterAll(() => database.close());

  /** The memories of a world, the first in the middle, with rows as given. */
  const build = async (rows: readonly Standing[]): Promise<string[]> => {
    const { author, projectId, tenantId } = team;
    const session = await database.doors.asTenant(author, (tx) =>
      tx.workSession.create({
        data: { tenantId, userId: author.userId, projectId, startedAt: NOW, lastAt: NOW },
      }),
    );
    const ids: string[] = [];
    for (const [index, { scope, isMate }] of rows.entries()) {
      const audience = scope === 'private' ? { scope } : { scope, projectId };
      const together = index === 0 || isMate ? { sessionId: session.id } : {};
      ids.push(await makeMemory(database.doors, author, { ...(audience as object), ...together }));
    }
    const [first = ''] = ids;
    if (rows[0]?.scope === 'project') {
      await show(database, [team.bo], [first]);
      await castVote(database.doors, team.bo, first, true);
    }
    await join(
      database,
      team,
      rows.flatMap(({ near, isInward }, index) => {
        const other = ids[index] ?? '';
        if (index === 0 || near === 0) return [];
        return [isInward ? ([other, first, near] as const) : ([first, other, near] as const)];
      }),
    );
    await asSuperuser(database.adminUrl, async (client) => {
      for (const [index, row] of rows.entries()) {
        await client.query('update memory set validity = $2, pinned = $3, state = $4 where id = $1', [
          ids[index],
          row.validity,
          row.pinned,
          row.state,
        ]);
        await client.query(
          `update memory_stat set helpful = $2, unhelpful = $3, evidence = ($2::float8 + 1) / ($2::float8 + $3::float8 + 2), credit = $4,
             helpful_others = $5, helpful_voters = $6, asked_retrievals = $7, last_useful_at = $8,
             propagated = $9, reached = $10, lent = least($9::float8, $10::float8) where memory_id = $1`,
          [
            ids[index],
            row.helpful,
            row.unhelpful,
            row.credit,
            row.others,
            row.voters,
            row.asked,
            new Date(NOW.getTime() - row.days * 86_400_000),
            row.propagated,
            row.reached,
          ],
        );
      }
    });
    return ids;
  };

  const nodeOf = (row: Standing): Lender['node'] => {
    const { evidence, earned } = assess({
      votes: { helpful: row.helpful, unhelpful: row.unhelpful },
      credit: row.credit,
      validity: row.validity,
      pinned: row.pinned,
      daysSinceUseful: row.days,
      propagated: 0,
      reached: 0,
    });
    const helpfulVotes = row.scope === 'private' ? row.voters : row.others;
    return { id: '', evidence, earned, helpfulVotes, askedRetrievals: row.asked };
  };

  /** How strongly the first and another one are joined; 0 across audiences and for what is archived. */
  const weightOf = (first: Standing, other: Standing): number =>
    first.scope !== other.scope || first.state !== 'active' || other.state !== 'active'
      ? 0
      : Math.max(other.near, other.isMate ? SESSION_MATE_WEIGHT : 0);

  const around = (lender: Standing, weight: number): Lender[] =>
    weight === 0 ? [] : [{ weight, node: nodeOf(lender) }];

  it('are what the rules say, in both directions, of whatever lies around', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(standing, { minLength: 6, maxLength: 6 }), async (rows) => {
        const ids = await build(rows);
        const [first, ...others] = rows as [Standing, ...Standing[]];
        const lenders = others.flatMap((other) => around(other, weightOf(first, other)));
        const wanted = [
          borrowAtOnce(first, lenders, SETTINGS),
          ...others.map((other) =>
            // Nobody but its owner votes on what is private, and here the owner has not.
            borrowAtOnce(other, first.scope === 'private' ? [] : around(first, weightOf(first, other)), SETTINGS),
          ),
        ];
        await database.doors.asTenant(team.bo, (tx) => lendAtOnce(tx, [ids[0] as MemoryId], NOW));
        await database.doors.asTenant(team.author, (tx) => borrowLoans(tx, ids[0] as MemoryId, NOW));
        for (const [index, got] of (await loansOf(database, ids)).entries()) {
          expect(got.propagated).toBeCloseTo(wanted[index]?.propagated ?? -1, 12);
          expect(got.reached).toBeCloseTo(wanted[index]?.reached ?? -1, 12);
          expect(got.lent).toBe(Math.min(got.propagated, got.reached));
        }
      }),
      { numRuns: 6 },
    );
  });

  it('of a vote leave the night as it would have been without them', async () => {
    const nightAfter = async (isLending: boolean): Promise<{ at: number[]; lent: number[] }> => {
      const mine = await makeLoanTeam(database);
      const day = (date: number): Date => new Date(Date.UTC(2026, 10, date, 12));
      const ids = [];
      for (let index = 0; index < 4; index += 1) ids.push(await shared(database, mine, { endedAt: day(1) }));
      const [source = '', near = '', far = '', beyond = ''] = ids;
      await join(database, mine, [
        [source, near, 0.9],
        [near, far, 0.8],
        [far, beyond, 0.8],
      ]);
      await show(database, [mine.bo, mine.cy], [source, far], day(2));
      await ballot(database, mine.bo, [source], { isLending, at: day(2) });
      // Blame of the next day: what was lent at once is more than the night finds.
      await castVote(database.doors, mine.cy, source, false, { at: day(3) });
      await ballot(database, mine.cy, [source, far], { isLending, at: day(4) });
      const at = (await loansOf(database, ids)).map(({ lent }) => lent);
      await nightOf(database, mine.tenantId, '2026-11-05');
      return { at, lent: (await loansOf(database, ids)).flatMap(({ propagated, reached }) => [propagated, reached]) };
    };
    const [alone, after] = [await nightAfter(false), await nightAfter(true)];
    expect(alone.at).toEqual([0, 0, 0, 0]);
    expect(after.at.map((amount) => amount > 0)).toEqual([false, true, false, true]);
    expect(after.lent).toEqual(alone.lent);
  });

  it('do not come from an author, from too few questions, from blame, or to another audience', async () => {
    const [source, near] = [await shared(database, team), await shared(database, team)];
    const hidden = await makeMemory(database.doors, team.author, {});
    await join(database, team, [
      [source, near, 0.9],
      [source, hidden, 0.9],
    ]);
    const lents = async (): Promise<boolean[]> =>
      (await loansOf(database, [near, hidden])).map(({ lentFrom, lent }) => lentFrom === source && lent > 0);
    await show(database, [team.author, team.bo], [source]);
    await castVote(database.doors, team.bo, source, true);
    await ballot(database, team.author, [source]);
    expect(await lents()).toEqual([false, false]);
    await castVote(database.doors, team.bo, source, false);
    await database.doors.asTenant(team.bo, (tx) => lendAtOnce(tx, [source as MemoryId], new Date()));
    expect(await lents()).toEqual([false, false]);
    await ballot(database, team.bo, [source]);
    expect(await lents()).toEqual([true, false]);
    // Neither the amount nor the lender goes along to another audience.
    await database.doors.asTenant(team.author, (tx) =>
      tx.memory.updateMany({ where: { id: near }, data: { scope: 'private' } }),
    );
    expect(await loansOf(database, [near])).toMatchObject([{ propagated: 0, reached: 0, lent: 0, lentFrom: null }]);
    const once = await shared(database, team);
    await join(database, team, [[once, source, 0.9]]);
    await makeRetrieval(database.doors, team.bo, [once]);
    await ballot(database, team.bo, [once]);
    expect((await loansOf(database, [source]))[0]?.lentFrom).toBeNull();
  });

  it('of a vote hold the memory before any score, as a memory that moves does', async () => {
    const id = await shared(database, team);
    await show(database, [team.bo, team.cy], [id], NOW);
    await asSuperuser(database.adminUrl, async (mover) => {
      await mover.query('begin');
      await mover.query('select from memory where id = $1 for no key update', [id]);
      const voted = ballot(database, team.bo, [id]);
      await expect.poll(() => waitingFor(mover), { timeout: 30_000 }).toBe(1);
      // Were the score held by who waits for the memory, the two would wait for each other for ever.
      await mover.query('select from memory_stat where memory_id = $1 for update nowait', [id]);
      await mover.query('commit');
      await voted;
    });
    expect((await loansOf(database, [id]))[0]?.evidence).toBeGreaterThan(0.5);
  });

  it('of votes on neighbours at the same moment wait for one another in one order', async () => {
    const [one, other] = [await shared(database, team), await shared(database, team)].sort() as [MemoryId, MemoryId];
    await join(database, team, [[one, other, 0.9]]);
    await show(database, [team.bo, team.cy], [one, other]);
    let hasVoted = false;
    const vote = (voter: Person, id: MemoryId, meanwhile: () => Promise<void>): Promise<void> =>
      database.doors.asTenant(voter, async (tx) => {
        await holdLending(tx, [id]);
        await tx.$queryRaw`select record_vote(${id}::uuid, true, null, null, ${NOW}) as vote`;
        await meanwhile();
        await lendAtOnce(tx, [id], NOW);
      });
    const isHeldUp = (): Promise<boolean> =>
      asSuperuser(database.adminUrl, async (client) => {
        const { rowCount } = await client.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return hasVoted || rowCount === 1;
      });
    let second: Promise<void> = Promise.resolve();
    await vote(team.bo, other, async () => {
      second = vote(team.cy, one, async () => void (hasVoted = true));
      while (!(await isHeldUp()));
    });
    await second;
    expect((await loansOf(database, [one, other])).every(({ lent }) => lent > 0.2)).toBe(true);
  });
});
