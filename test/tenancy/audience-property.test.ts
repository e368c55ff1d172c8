import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { makeOperator, makePerson, makeProject, makeTenant } from '../support/people.js';
import { makeGroup } from '../support/scopes.js';
import { AudienceModel, type ModelPerson } from './audience-model.js';
import { type Bench, type Outcome, randomStep } from './audience-steps.js';

const STEPS = process.env['TEMPERA_FULL'] === '1' ? 20_000 : 2_000;
const SEED = Number(process.env['AUDIENCE_SEED'] ?? 20_261_130);

/** A small generator of our own (mulberry32): the same seed gives the same steps, but for the ids. */
const randomOf = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** Refusals that a caller can meet; a broken key is one where two things that are there do not belong together. */
const REFUSED = /^(42501|TM07.|23505|23503)$/;

describe('random acts of random people', () => {
  let database: TestDatabase;
  let people: pg.Client;
  let superuser: pg.Client;
  let bench: Bench;
  const model = new AudienceModel();
  const count = { done: 0, refused: 0, sights: 0, leaks: 0 };

  const as = async (who: string, sql: string, values: readonly unknown[]): Promise<Outcome> => {
    await people.query('begin');
    try {
      await people.query(`select set_config('app.tenant_id', $1, true), set_config('app.user_id', $2, true)`, [
        bench.tenantId,
        who,
      ]);
      const { rowCount, rows } = await people.query<Record<string, unknown>>(sql, [...values]);
      await people.query('commit');
      return { isDone: (rowCount ?? 0) > 0, value: rows[0]?.['value'] };
    } catch (error) {
      await people.query('rollback');
      if (!(error instanceof pg.DatabaseError) || !REFUSED.test(error.code ?? '')) throw error;
      return { isDone: false, value: error.code };
    }
  };

  /** What everyone sees of memories, statistics, vectors and waiting proposals, in one round trip. */
  const look = async (): Promise<Map<string, string[][]>> => {
    const looks = [...model.people.keys()].map(
      (who) => `select set_config('app.user_id', '${who}', true);
        select array(select id::text from memory order by id) as memories,
          array(select memory_id::text from memory_stat order by memory_id) as statistics,
          array(select memory_id::text from embedding order by memory_id) as vectors,
          array(select id::text from proposal where state = 'pending' order by id) as proposals;`,
    );
    const sql = `begin; select set_config('app.tenant_id', '${bench.tenantId}', true); ${looks.join('\n')} commit`;
    const results = (await people.query(sql)) as unknown as pg.QueryResult<{
      memories?: string[];
      statistics: string[];
      vectors: string[];
      proposals: string[];
    }>[];
    const seen = results.flatMap(({ rows: [row] }) =>
      row?.memories === undefined ? [] : [[row.memories, row.statistics, row.vectors, row.proposals]],
    );
    return new Map([...model.people.keys()].map((who, n) => [who, seen[n] ?? []]));
  };

  const expectedOf = (who: string): string[][] => {
    const memories = [...model.memories.values()].filter((one) => model.sees(who, one)).map(({ id }) => id);
    const isActive = model.people.get(who)?.active === true;
    const proposals = [...model.proposals.values()].filter(
      (one) => isActive && (one.proposer === who || model.decides(who, one)),
    );
    return [memories.sort(), memories, memories, proposals.map(({ id }) => id).sort()];
  };

  beforeAll(async () => {
    database = await openTestDatabase();
    const { doors } = database;
    const { owner, tenantId } = await makeTenant(doors, await makeOperator(database));
    const join = (id: string, tenantRole: ModelPerson['tenantRole']): void => {
      model.people.set(id, { id, tenantRole, active: true });
    };
    join(owner.userId, 'owner');
    const others = ['admin', 'member', 'member', 'member', 'member', 'viewer'] as const;
    const ids: string[] = [];
    for (const [n, tenantRole] of others.entries()) {
      const { userId } = await makePerson(doors, owner, `Person ${n}`, { tenantRole });
      join(userId, tenantRole);
      ids.push(userId);
    }
    const projects: string[] = [];
    for (const slug of ['one', 'two', 'three']) {
      const id = await makeProject(doors, owner, slug);
      model.roles.set(`${id}/${owner.userId}`, 'maintainer');
      projects.push(id);
    }
    for (const slug of ['red', 'green']) {
      const id = await makeGroup(doors, owner, slug);
      model.groups.set(id, new Set());
      model.makers.set(id, owner.userId);
    }
    people = new pg.Client({ connectionString: database.urls.app });
    superuser = new pg.Client({ connectionString: database.adminUrl });
    await people.connect();
    await superuser.connect();
    const random = randomOf(SEED);
    const pick = <T>(from: readonly T[]): T => {
      const found = from[Math.floor(random() * from.length)];
      if (found === undefined) throw new Error('nothing to pick from');
      return found;
    };
    const latestChange = async (memory: string): Promise<string> => {
      const { rows } = await superuser.query<{ id: string }>(
        'select id from audience_change where memory_id = $1 order by number desc limit 1',
        [memory],
      );
      return rows[0]?.id ?? '';
    };
    bench = { model, tenantId, owner: owner.userId, as, latestChange, pick };
    // Everyone is somewhere to begin with: two maintain, two contribute, the viewer is called a maintainer.
    for (const [n, who] of [...ids].entries()) {
      const role = (['contributor', 'maintainer', 'contributor', 'contributor', 'reader', 'maintainer'] as const)[n];
      const project = projects[n % 3];
      if (role === undefined || project === undefined) continue;
      const sql = 'insert into membership (tenant_id, project_id, user_id, role) values ($1, $2, $3, $4)';
      await as(owner.userId, sql, [tenantId, project, who, role]);
      model.roles.set(`${project}/${who}`, role);
    }
  });
  afterAll(async () => {
    await people.end();
    await superuser.end();
    await database.close();
  });

  it(`never show anyone what the table of permissions denies, and do what it grants (seed ${SEED})`, async () => {
    for (let n = 0; n < STEPS; n += 1) {
      const { what, expected, actual } = await randomStep(bench);
      expect(`${n} ${what}: ${String(actual)}`).toBe(`${n} ${what}: ${String(expected)}`);
      count[actual ? 'done' : 'refused'] += 1;
      for (const [who, seen] of await look()) {
        const wanted = expectedOf(who);
        count.sights += model.memories.size;
        const [memories = []] = seen;
        count.leaks += memories.filter((id) => !wanted[0]?.includes(id)).length;
        expect({ n, what, who, seen }).toEqual({ n, what, who, seen: wanted });
      }
    }
    process.stdout.write(
      `audiences: ${STEPS.toLocaleString('en')} steps (${count.done} done, ${count.refused} refused), ` +
        `${model.changes.length} changes of audience, ${count.sights.toLocaleString('en')} sights compared, ${count.leaks} leaks\n`,
    );
    expect(count.done).toBeGreaterThan(STEPS / 10);
    expect(count.refused).toBeGreaterThan(STEPS / 10);
  }, 580_000);

  it('leave vectors with the audience of their memories', async () => {
    const { rows } = await asSuperuser(database.adminUrl, (client) =>
      client.query(`select e.memory_id from embedding e join memory m on m.id = e.memory_id where
        (e.scope, e.owner_id, e.project_id, e.group_id) is distinct from (m.scope, m.owner_id, m.project_id, m.group_id)`),
    );
    expect(rows).toEqual([]);
  });
});
