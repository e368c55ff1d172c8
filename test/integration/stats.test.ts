import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { learningPoint, type TrendBucket, trendBucket } from '@tempera/core';
import { asSuperuser } from '../support/cluster.js';
import type { GraphQLClient } from '../support/graphql-client.js';
import { drawing, type MadeAnswer, makeHistory } from './history.js';
import { capture, type MemoryWorld, openMemoryWorld } from './memory-world.js';
import { noteHealth } from './note-health.js';

const HEALTH = 'memories highValue stale neverRetrieved meanUtility';
const LEARNING = 'asked injected answered answerRate helpful unhelpful helpfulShare meanPlace';
const STATS = `query ($project: String) { stats(project: $project) { project memories kinds { kind count }
  scopes { scope count } states { state count } domains { kind name memories } ${LEARNING} } }`;
const TRENDS = `query ($project: String, $bucket: TrendBucketSize!, $from: DateTime, $to: DateTime) {
  trends(project: $project, bucket: $bucket, from: $from, to: $to) { bucket all { captured ${LEARNING} }
    points { bucket from captured againstAll ${LEARNING} health { ${HEALTH} } } domains { kind name memories } } }`;

interface Learned {
  asked: number;
  injected: number;
  answered: number;
  answerRate: number | null;
  helpful: number;
  unhelpful: number;
  helpfulShare: number | null;
  meanPlace: number | null;
}
interface Point extends Learned {
  bucket: string;
  from: string;
  captured: number;
  againstAll: number | null;
  health: { memories: number; neverRetrieved: number; meanUtility: number } | null;
}
interface TrendsView {
  points: Point[];
  all: Learned & { captured: number };
  domains: { kind: string; name: string; memories: number[] }[];
}

let world: MemoryWorld;
let made: MadeAnswer[];
/** Everything each person sees: of the project, and besides. */
const sees: Record<string, { shop: string[]; all: string[] }> = {};

const trends = async (person: GraphQLClient, variables: Record<string, unknown>): Promise<TrendsView> =>
  (await person.send<{ trends: TrendsView }>(TRENDS, variables)).trends;
const stats = async (person: GraphQLClient, project?: string): Promise<Learned & Record<string, unknown>> =>
  (await person.send<{ stats: Learned & Record<string, unknown> }>(STATS, { project })).stats;
const idOf = async (person: GraphQLClient): Promise<string> =>
  (await person.send<{ me: { user: { id: string } } }>('{ me { user { id } } }')).me.user.id;

/** The same worked out from what was made, one answer and vote after another. */
const learnedOf = (visible: readonly string[], isIn: (at: Date) => boolean): Learned => {
  const seen = new Set(visible);
  const leading = made.filter(({ at, shown }) => isIn(at) && seen.has(shown[0] ?? ''));
  const asked = leading.filter(({ kind }) => kind === 'asked');
  const votes = made.flatMap((answer) => answer.votes).filter(({ at, memoryId }) => isIn(at) && seen.has(memoryId));
  const helpful = votes.filter((vote) => vote.helpful);
  const counts = {
    asked: asked.length,
    injected: leading.length - asked.length,
    answered: asked.filter((answer) => answer.votes.some((vote) => vote.helpful)).length,
    helpful: helpful.length,
    unhelpful: votes.length - helpful.length,
  };
  const helpfulPlaces = helpful.reduce((sum, { place }) => sum + place, 0);
  return { ...counts, ...learningPoint({ ...counts, helpfulPlaces }) };
};

beforeAll(async () => {
  world = await openMemoryWorld();
  const { ada, ben, cleo, owner } = world;
  const keep = async (person: GraphQLClient, text: string, more: Record<string, unknown>): Promise<string> =>
    (await capture(person, { text, merge: 'NEVER', ...more })).memory.id;
  const shop = [
    await keep(ada, 'Orders are archived after a year.', { project: 'shop', tags: ['orders'], kind: 'DECISION' }),
    await keep(ada, 'Refunds are booked by hand.', { project: 'shop', tags: ['orders', 'money'], taskType: 'BUGFIX' }),
    await keep(ben, 'The cart forgets its coupons at midnight.', { project: 'shop', tags: ['cart'] }),
  ];
  const own = {
    ada: await keep(ada, 'Ada keeps her notes in the drawer.', { tags: ['secret'] }),
    ben: await keep(ben, 'Ben parks behind the house.', { tags: ['secret'] }),
    cleo: await keep(cleo, 'Cleo likes tea.', { kind: 'PREFERENCE' }),
  };
  const shared = await keep(owner, 'The office closes at six.', { scope: 'TENANT', tags: ['office'] });
  sees['ada'] = { shop, all: [...shop, own.ada, shared] };
  sees['ben'] = { shop, all: [...shop, own.ben, shared] };
  sees['cleo'] = { shop: [], all: [own.cleo, shared] };
  const people = { ada: await idOf(ada), ben: await idOf(ben), cleo: await idOf(cleo) };
  made = await asSuperuser(world.api.database.adminUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from tenant');
    const histories: MadeAnswer[] = [];
    const draw = drawing(7);
    const how = { until: new Date(), count: 60, draw, newId: randomUUID };
    for (const [name, userId] of Object.entries(people)) {
      const who = { tenantId: rows[0]?.id ?? '', userId, sees: sees[name]?.all ?? [] };
      histories.push(...(await makeHistory(client, who, how)));
    }
    return histories;
  });
});
afterAll(() => world.close());

const yearAgo = (): string => new Date(Date.now() - 330 * 86_400_000).toISOString();

describe('trends', () => {
  it.each(['WEEKLY', 'MONTHLY'] as const)(
    '%s are the sums of every answer and vote about what the caller sees, and of nothing else',
    async (bucket) => {
      for (const [name, person] of [
        ['ada', world.ada],
        ['ben', world.ben],
        ['cleo', world.cleo],
      ] as const) {
        for (const project of name === 'cleo' ? [undefined] : [undefined, 'shop']) {
          const visible = project === undefined ? sees[name]?.all : sees[name]?.shop;
          const told = await trends(person, { project, bucket, from: yearAgo() });
          const size = bucket.toLowerCase() as TrendBucket;
          for (const {
            bucket: label,
            from,
            captured: _captured,
            againstAll,
            health: _health,
            ...learned
          } of told.points) {
            expect(label).toBe(trendBucket(new Date(from), size));
            const expected = learnedOf(visible ?? [], (at) => trendBucket(at, size) === label);
            expect({ label, ...learned }).toEqual({ label, ...expected });
            const share = told.all.helpfulShare ?? 0;
            if (learned.helpfulShare === null) expect(againstAll).toBeNull();
            else expect(againstAll).toBeCloseTo(learned.helpfulShare - share, 10);
          }
          const labels = told.points.map((point) => point.bucket);
          expect(new Set(labels).size).toBe(labels.length);
          expect([...labels].sort()).toEqual(labels);
          const { captured: _all, ...all } = told.all;
          expect(all).toEqual(learnedOf(visible ?? [], () => true));
        }
      }
    },
  );

  it('show empty buckets as gaps, and domains as they grew', async () => {
    const told = await trends(world.ada, {
      bucket: 'WEEKLY',
      from: '2020-01-01T00:00:00Z',
      to: '2020-03-01T00:00:00Z',
    });
    expect(told.points.map(({ bucket }) => bucket)).toEqual([
      '2020-W01',
      '2020-W02',
      '2020-W03',
      '2020-W04',
      '2020-W05',
      '2020-W06',
      '2020-W07',
      '2020-W08',
      '2020-W09',
    ]);
    for (const point of [...told.points, told.all])
      expect(point).toMatchObject({ asked: 0, answerRate: null, helpfulShare: null, meanPlace: null });
    const now = await trends(world.ada, { bucket: 'MONTHLY', project: 'shop' });
    expect(now.points).toHaveLength(12);
    expect(now.points.at(-1)?.captured).toBe(3);
    expect(now.domains[0]).toEqual({ kind: 'TAG', name: 'orders', memories: [...Array<number>(11).fill(0), 2] });
    expect(now.domains.map(({ name }) => name).sort()).toEqual(['bugfix', 'cart', 'money', 'orders']);
  });

  it('are labelled in the database as in core, on every day of a century', async () => {
    const rows = await asSuperuser(
      world.api.database.adminUrl,
      async (client) =>
        (
          await client.query<{ day: string; weekly: string; monthly: string }>(
            `select d::date::text as day, to_char(d, 'IYYY-"W"IW') as weekly, to_char(d, 'YYYY-MM') as monthly
         from generate_series(date '1990-01-01', date '2090-12-31', interval '1 day') d`,
          )
        ).rows,
    );
    const differing = rows.filter(({ day, weekly, monthly }) => {
      const at = new Date(`${day}T12:00:00Z`);
      return trendBucket(at, 'weekly') !== weekly || trendBucket(at, 'monthly') !== monthly;
    });
    expect([rows.length, differing]).toEqual([36_890, []]);
  });

  it.each([
    ['backwards', { from: '2026-03-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }, '`to` is before `from`'],
    [
      'longer than a century of weeks',
      { from: '1900-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' },
      'At most 120 buckets',
    ],
    ['of the year zero', { from: '0001-01-01T00:00:00Z' }, ''],
  ])('refuse a span that is %s, by name', async (_what, variables, told) => {
    const refused = await world.ada.refused(TRENDS, { bucket: 'WEEKLY', ...variables });
    expect(refused.code).toBe('BAD_USER_INPUT');
    expect(refused.message).toContain(told);
  });
});

describe('health over time', () => {
  const healthOf = async (person: GraphQLClient, project?: string): Promise<Point['health'][]> =>
    (
      await trends(person, { bucket: 'WEEKLY', project, from: '2026-01-05T00:00:00Z', to: '2026-01-18T00:00:00Z' })
    ).points.map(({ health }) => health);

  it('is what each may see, each place as it was noted last, and stays when memories are erased', async () => {
    const own = (await capture(world.cleo, { text: 'Cleo swims on Fridays.', merge: 'NEVER' })).memory.id;
    expect(await healthOf(world.ada)).toEqual([null, null]);
    const places = await noteHealth(world.api.database, '2026-01-06');
    expect(await noteHealth(world.api.database, '2026-01-06')).toBe(places);
    const [first, none] = await healthOf(world.ada);
    expect(first).toMatchObject({ memories: 5 });
    expect(first?.meanUtility).toBeGreaterThan(0);
    expect(none).toBeNull();
    for (const [person, project, memories] of [
      [world.ada, 'shop', 3],
      [world.ben, undefined, 5],
      [world.cleo, undefined, 3],
      [world.owner, undefined, 4],
    ] as const) {
      expect((await healthOf(person, project))[0]).toMatchObject({ memories });
    }
    await asSuperuser(world.api.database.adminUrl, (client) => client.query('delete from memory where id = $1', [own]));
    await noteHealth(world.api.database, '2026-01-13');
    expect((await healthOf(world.cleo)).map((health) => health?.memories)).toEqual([3, 2]);
    expect((await healthOf(world.ada)).map((health) => health?.memories)).toEqual([5, 5]);
  });
});

describe('health of today', () => {
  it('is noted as the status tells it, of a project and of everything that each sees', async () => {
    const today = new Date().toISOString().slice(0, 10);
    await noteHealth(world.api.database, today);
    for (const [person, project] of [
      [world.ada, 'shop'],
      [world.ada, undefined],
      [world.cleo, undefined],
    ] as const) {
      const { status } = await person.send<{ status: { meanUtility: number } }>(
        `query ($project: String) { status(project: $project) { ${HEALTH} } }`,
        { project },
      );
      const noted = (await trends(person, { bucket: 'WEEKLY', project })).points.at(-1)?.health;
      const { meanUtility, ...counts } = status;
      expect(noted).toMatchObject(counts);
      // By whole days, where the status goes by moments.
      expect(noted?.meanUtility).toBeCloseTo(meanUtility, 1);
    }
  });
});

describe('statistics', () => {
  it('count what the caller sees by kind, scope, state and domain, with the same learning as the trends', async () => {
    const ofShop = await stats(world.ada, 'shop');
    expect(ofShop).toMatchObject({
      project: 'shop',
      memories: 3,
      scopes: [{ scope: 'PROJECT', count: 3 }],
      states: [{ state: 'ACTIVE', count: 3 }],
    });
    expect(ofShop['kinds']).toEqual([
      { kind: 'EPISODE', count: 2 },
      { kind: 'DECISION', count: 1 },
    ]);
    expect(ofShop['domains']).toContainEqual({ kind: 'TAG', name: 'orders', memories: 2 });
    expect(ofShop['domains']).toContainEqual({ kind: 'TASK_TYPE', name: 'bugfix', memories: 1 });
    const { captured: _captured, ...all } = (await trends(world.ada, { bucket: 'MONTHLY', from: yearAgo() })).all;
    expect(await stats(world.ada)).toMatchObject({ ...all, memories: 5 });
    const names = (of: Record<string, unknown>): string => JSON.stringify(of['domains']);
    expect(names(await stats(world.cleo))).not.toContain('orders');
    expect((await stats(world.owner))['memories']).toBe(4);
  });

  it('of a hidden project answer like those of none', async () => {
    for (const [document, more] of [
      [STATS, {}],
      [TRENDS, { bucket: 'WEEKLY' }],
    ] as const) {
      const hidden = await world.cleo.refused(document, { project: 'shop', ...more });
      const missing = await world.cleo.refused(document, { project: 'nowhere', ...more });
      expect([hidden.code, hidden.message]).toEqual(['NOT_FOUND', missing.message]);
    }
  });

  it('lose the votes of what is taken back, and the days of what is erased', async () => {
    const count = (): Promise<{ votes: number; days: number }> =>
      asSuperuser(world.api.database.adminUrl, async (client) => {
        const { rows } = await client.query<{ votes: number; days: number }>(
          'select coalesce(sum(helpful + unhelpful), 0)::int as votes, count(*)::int as days from memory_day',
        );
        return rows[0] ?? { votes: -1, days: -1 };
      });
    expect((await count()).votes).toBe(made.reduce((sum, { votes }) => sum + votes.length, 0));
    await asSuperuser(world.api.database.adminUrl, async (client) => {
      await client.query('delete from vote');
      expect(await count()).toMatchObject({ votes: 0 });
      const { rows } = await client.query('select from memory_day where answered > 0');
      expect(rows).toEqual([]);
      await client.query('delete from memory');
    });
    expect(await count()).toEqual({ votes: 0, days: 0 });
  });
});
