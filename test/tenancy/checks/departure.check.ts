import { asSuperuser } from '../../support/cluster.js';
import { withAttacker, type Attacker } from '../attacker.js';
import type { Citizen, Finding, World } from '../world.js';

interface Sighted {
  readonly shared: number;
  readonly sharedOwn: number;
  readonly own: number;
}

const see = async (attacker: Attacker, me: Citizen, projectId: string | null): Promise<Sighted> => {
  const answer = await attacker.attempt(
    `select count(*) filter (where scope <> 'private' and ($2::uuid is null or scope = 'project' and project_id = $2))::int as shared,
       count(*) filter (where scope = 'project' and project_id = $2 and owner_id = $1)::int as "sharedOwn",
       count(*) filter (where scope = 'private')::int as own from memory`,
    [me.userId, projectId],
  );
  if (answer.kind === 'error') throw new Error(answer.message);
  const [row = {}] = answer.rows;
  return { shared: Number(row['shared']), sharedOwn: Number(row['sharedOwn']), own: Number(row['own']) };
};

/** Looks, lets something happen elsewhere, and looks again: in the same transaction where the database can. */
const around = async (
  world: World,
  attacker: Attacker,
  me: Citizen,
  projectId: string | null,
  event: () => Promise<void>,
): Promise<[Sighted, Sighted]> => {
  if (world.embedded) {
    const before = await attacker.claiming(me, () => see(attacker, me, projectId));
    await event();
    return [before, await attacker.claiming(me, () => see(attacker, me, projectId))];
  }
  return attacker.claiming(me, async () => {
    const before = await see(attacker, me, projectId);
    await event();
    return [before, await see(attacker, me, projectId)];
  });
};

/** A statement of the superuser's, as an event. */
const bySuperuser = (world: World, sql: string, values: readonly unknown[]): (() => Promise<void>) => {
  return async () => {
    await asSuperuser(world.adminUrl, (client) => client.query(sql, [...values]));
  };
};

/** Put out of a project by the tenant's admin: what is shared there goes, what is private stays. */
const leaveProject = async (world: World, attacker: Attacker, me: Citizen, admin: Citizen): Promise<string[]> => {
  const leaks: string[] = [];
  const [first] = await world.doors.asTenant(me, (tx) =>
    tx.membership.findMany({ where: { tenantId: me.tenantId, userId: me.userId }, orderBy: { projectId: 'asc' } }),
  );
  const projectId = first?.projectId ?? '';
  const [before, after] = await around(world, attacker, me, projectId, async () => {
    await world.doors.asTenant(admin, (tx) =>
      tx.membership.deleteMany({ where: { tenantId: me.tenantId, projectId, userId: me.userId } }),
    );
  });
  if (before.shared === 0 || before.sharedOwn === 0 || before.own === 0) leaks.push('there was nothing to lose');
  if (after.shared > 0) leaks.push('keeps shared memories of a project he left');
  if (after.own !== before.own) leaks.push('loses private memories of his own with the project');
  await bySuperuser(world, `insert into membership values ($1, $2, $3, 'contributor')`, [
    me.tenantId,
    projectId,
    me.userId,
  ])();
  return leaks;
};

/** A project is put out of a group: what the group shares goes from its members, what the project has stays. */
const leaveGroup = async (world: World, attacker: Attacker, me: Citizen, admin: Citizen): Promise<string[]> => {
  const [two] = await world.doors.asTenant(admin, (tx) => tx.project.findMany({ where: { slug: 'two' } }));
  const ids = { tenantId: me.tenantId, projectId: two?.id ?? '' };
  const groups = await world.doors.asTenant(admin, (tx) => tx.groupProject.findMany({ where: ids }));
  const ofGroups = async (): Promise<number> => {
    const answer = await attacker.attempt(`select id from memory where scope = 'group'
      union all select memory_id from embedding where scope = 'group'`);
    if (answer.kind === 'error') throw new Error(answer.message);
    return answer.count;
  };
  const remove = (): Promise<unknown> =>
    world.doors.asTenant(admin, (tx) => tx.groupProject.deleteMany({ where: ids }));
  const look = <T>(work: () => Promise<T>): Promise<T> => attacker.claiming(me, work);
  const [before, after] = world.embedded
    ? [await look(ofGroups), await remove().then(() => look(ofGroups))]
    : await look(async () => [await ofGroups(), await remove().then(ofGroups)]);
  await world.doors.asTenant(admin, (tx) => tx.groupProject.createMany({ data: groups }));
  if (before === 0) return ['there was nothing of a group to lose'];
  return after === 0 ? [] : ['keeps what a group shares after the project left it'];
};

/** Removed from the tenant, or with the whole tenant suspended: nothing is left, for the machines neither. */
const leaveTenant = async (world: World, attacker: Attacker, me: Citizen): Promise<string[]> => {
  const leaks: string[] = [];
  const status = `update app_user set status = $3 where tenant_id = $1 and id = $2`;
  const ids = [me.tenantId, me.userId];
  const [, removed] = await around(world, attacker, me, null, bySuperuser(world, status, [...ids, 'removed']));
  if (removed.own + removed.shared > 0) leaks.push('sees memories after he was removed from the tenant');
  await bySuperuser(world, status, [...ids, 'active'])();

  const tenant = 'update tenant set status = $2 where id = $1';
  const [, suspended] = await around(world, attacker, me, null, bySuperuser(world, tenant, [me.tenantId, 'suspended']));
  if (suspended.own + suspended.shared > 0) leaks.push('sees memories of a suspended tenant');
  const worked = await world.doors.asWorker(me.tenantId, (tx) => tx.memory.count());
  if (worked > 0) leaks.push('the worker works in a suspended tenant');
  await bySuperuser(world, tenant, [me.tenantId, 'active'])();
  return leaks;
};

/** Attack 1.10: someone is put out in the middle of his session. */
export const departures = async (world: World): Promise<Finding> =>
  withAttacker(world, 'mem_app', async (attacker) => {
    const me = world.citizens.find((citizen) => citizen.n === 4);
    const admin = world.citizens.find((citizen) => citizen.n === 2 && citizen.tenantId === me?.tenantId);
    if (!me || !admin) throw new Error('nobody lives here');
    const reader = world.citizens.find((citizen) => citizen.n === 5 && citizen.tenantId === me.tenantId) ?? me;
    const leaks = [
      ...(await leaveProject(world, attacker, me, admin)),
      ...(await leaveGroup(world, attacker, reader, admin)),
      ...(await leaveTenant(world, attacker, me)),
    ];
    return { attempts: attacker.attempts() + 1, leaks };
  });
