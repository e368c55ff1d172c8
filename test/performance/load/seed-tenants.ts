import type pg from 'pg';
import { SUBJECT_STEP, type PlannedTenant } from './plan.js';
import type { Pools } from './pools.js';
import { fillSteps } from './seed-steps.js';
import type { Progress } from '../capture-set.js';

/** Who asks, with a login of theirs. */
export interface Asker {
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
  /** Slugs of the projects that they belong to. */
  readonly projects: readonly string[];
}

/** So many people of a tenant are logged in. */
const ASKERS = 3;

const makePlan = (client: pg.Client, plan: readonly PlannedTenant[]): Promise<unknown> =>
  client.query(
    `create temporary table plan as select * from unnest($1::uuid[], $2::int[], $3::int[], $4::int[], $5::int[], $6::int[])
       with ordinality as given (tenant_id, memories, people, projects, subjects, first_subject, nth)`,
    [
      plan.map(({ tenantId }) => tenantId),
      plan.map(({ memories }) => memories),
      plan.map(({ people }) => people),
      plan.map(({ projects }) => projects),
      plan.map(({ subjects }) => subjects),
      plan.map(({ firstSubject }) => firstSubject),
    ],
  );

/**
 * Fills tenants past triggers and policies, as an instance in use has them: people, projects, sessions, memories with
 * standing, vectors, links, answers, votes. The connection has the pools; it keeps a row for each memory in `made`.
 * @returns those who are logged in, in the order of the plan
 */
export const seedTenants = async (
  client: pg.Client,
  pools: Pools,
  plan: readonly PlannedTenant[],
  progress: Progress,
): Promise<Asker[]> => {
  await makePlan(client, plan);
  const values = { subjects: pools.subjects, deviations: pools.deviations, step: SUBJECT_STEP, askers: ASKERS };
  const steps = fillSteps(pools.encoder);
  for (const [index, { name, sql, withTriggers = false }] of steps.entries()) {
    progress(index, steps.length, name);
    await client.query(`set session_replication_role = ${withTriggers ? 'origin' : 'replica'}`);
    await client.query(sql(values));
  }
  const { rows } = await client.query<Asker>(
    `select s.tenant_id as "tenantId", s.user_id as "userId", s.id as "sessionId",
       array(select x.slug from project x join membership y on y.tenant_id = x.tenant_id and y.project_id = x.id
         where y.tenant_id = s.tenant_id and y.user_id = s.user_id order by x.slug) as projects
     from login_session s join plan p using (tenant_id) order by p.nth, s.id`,
  );
  await client.query('drop table plan, person, place, batch');
  progress(steps.length, steps.length, 'filled');
  return rows;
};

/** What each asker sees of each subject: they are all alike, so an answer has them all, as far as its limit goes. */
export const seenOfSubjects = async (client: pg.Client, askers: readonly Asker[]): Promise<Map<string, number>> => {
  const { rows } = await client.query<{ key: string; seen: number }>(
    `select a.user_id || ' ' || m.subject as key, count(*)::int as seen
     from unnest($1::uuid[], $2::uuid[]) as a (tenant_id, user_id) join made m on m.tenant_id = a.tenant_id
     where m.scope = 'tenant' or m.scope = 'private' and m.owner_id = a.user_id
       or m.scope = 'project' and exists (select from membership x
         where x.tenant_id = m.tenant_id and x.project_id = m.project_id and x.user_id = a.user_id)
     group by 1`,
    [askers.map(({ tenantId }) => tenantId), askers.map(({ userId }) => userId)],
  );
  return new Map(rows.map(({ key, seen }) => [key, seen]));
};
