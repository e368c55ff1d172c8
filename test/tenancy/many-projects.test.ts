import { asId, type ProjectId, type TenantId } from '@tempera/core';
import { type EncoderId, findCandidates, type Tx } from '@tempera/platform';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CROWD_ENCODER, drawQuestions, fill, makePools } from '../support/crowd.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { makeOperator, makeTenant, type Person } from '../support/people.js';

const PROJECTS = 3_000;
/** Memories of the first projects; each of the others has one. */
const SIZES = [3_000, 90, 30];

let database: TestDatabase;
let superuser: pg.Client;
let owner: Person;
let member: Person;
let question: Float32Array;

/** By number, from 1. */
const projectOf = (n: number): ProjectId => asId<ProjectId>(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);

/** A tenant whose memories lie in three thousand projects, of all of which its owner is a member. */
const divide = async (tenantId: string, ownerId: string): Promise<void> => {
  await superuser.query(
    `insert into project (tenant_id, id, slug, name, created_by)
      select $1, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'p' || n, 'p' || n, $2
      from generate_series(1, $3::int) n`,
    [tenantId, ownerId, PROJECTS],
  );
  await superuser.query(
    `insert into membership (tenant_id, project_id, user_id, role)
      select tenant_id, id, $2, 'maintainer' from project where tenant_id = $1 on conflict do nothing`,
    [tenantId, ownerId],
  );
  const [large = 0, middle = 0, small = 0] = SIZES;
  await superuser.query(
    `with numbered as (select id, row_number() over (order by id) as n from memory where tenant_id = $1), placed as (
       select id, case when n <= $2 then 1 when n <= $3 then 2 when n <= $4 then 3 else 3 + n - $4 end as project from numbered
     ), moved as (
       update memory m set scope = 'project', project_id = ('00000000-0000-4000-8000-' || lpad(project::text, 12, '0'))::uuid
       from placed p where m.tenant_id = $1 and m.id = p.id returning m.id, m.project_id
     ), stats as (
       update memory_stat s set scope = 'project', project_id = m.project_id from moved m
       where s.tenant_id = $1 and s.memory_id = m.id
     )
     update embedding e set scope = 'project', project_id = m.project_id from moved m
     where e.tenant_id = $1 and e.memory_id = m.id`,
    [tenantId, large, large + middle, large + middle + small],
  );
};

beforeAll(async () => {
  database = await openTestDatabase();
  ({ owner } = await makeTenant(database.doors, await makeOperator(database)));
  ({ owner: member } = await makeTenant(database.doors, await makeOperator(database), 'Small'));
  superuser = new pg.Client({ connectionString: database.adminUrl });
  await superuser.connect();
  await makePools(superuser);
  const count = SIZES.reduce((sum, size) => sum + size, 0) + PROJECTS - SIZES.length;
  await fill(superuser, { tenantId: owner.tenantId, ownerId: owner.userId, count });
  await divide(owner.tenantId, owner.userId);
  await fill(superuser, { tenantId: member.tenantId, ownerId: member.userId, count: 50 });
  await superuser.query('analyze');
  [question = new Float32Array()] = await drawQuestions(superuser, 1);
}, 300_000);
afterAll(async () => {
  await superuser.end();
  await database.close();
});

const search = (tx: Tx, asker: Person, project: ProjectId | null): Promise<{ readonly id: string }[]> =>
  findCandidates(tx, {
    tenantId: asId<TenantId>(asker.tenantId),
    question: [{ encoder: CROWD_ENCODER as EncoderId, vector: question, tau: 1, likeQuestion: 1 }],
    terms: [],
    filter: project === null ? {} : { projectId: project },
    now: new Date(),
    perLeg: 50,
  });

/** What this transaction holds of the table of locks, which all share. */
const locksAfter = (asker: Person): Promise<number> =>
  database.doors.asTenant(asker, async (tx) => {
    await search(tx, asker, null);
    const [row] = await tx.$queryRaw<{ count: number }[]>`
      select count(*)::int as count from pg_locks where pid = pg_backend_pid()`;
    return row?.count ?? Number.NaN;
  });

describe('a tenant of three thousand projects', () => {
  it.each(SIZES.map((size, index) => [size, index + 1] as const))(
    'B3: a project of %i memories answers beside large ones, with as many as there are room and rows for',
    async (size, n) => {
      const found = await database.doors.asTenant(owner, (tx) => search(tx, owner, projectOf(n)));
      expect(found).toHaveLength(Math.min(50, size));
    },
  );

  it('B2: a search takes a few dozen locks, as without projects, and finds what lies in the last of them', async () => {
    const [own, without] = [await locksAfter(owner), await locksAfter(member)];
    expect(own).toBeLessThan(without + 10);
    expect(own).toBeLessThan(100);
    expect(await database.doors.asTenant(owner, (tx) => search(tx, owner, projectOf(PROJECTS)))).toHaveLength(1);
  });

  it('B2: no project has a table or an index of its own, and one of them can be taken out', async () => {
    const relations = async (): Promise<number> => {
      const { rows } = await superuser.query<{ count: number }>('select count(*)::int as count from pg_class');
      return rows[0]?.count ?? Number.NaN;
    };
    const before = await relations();
    expect(before).toBeLessThan(PROJECTS);
    // The crowd was written past the triggers; what goes with a project goes by them.
    await superuser.query('set session_replication_role = origin');
    await superuser.query('delete from project where tenant_id = $1 and id = $2', [owner.tenantId, projectOf(3)]);
    expect(await relations()).toBe(before);
    expect(await database.doors.asTenant(owner, (tx) => search(tx, owner, projectOf(3)))).toEqual([]);
    expect(await database.doors.asTenant(owner, (tx) => search(tx, owner, projectOf(2)))).toHaveLength(50);
  });
});
