import { asSuperuser } from '../../support/cluster.js';
import { withAttacker, type Attacker } from '../attacker.js';
import type { Citizen, Finding, World } from '../world.js';

interface Sighted {
  readonly shared: number;
  readonly sharedOwn: number;
  readonly own: number;
}

const see = async (attacker: Attacker, me: Citizen, projectId: string): Promise<Sighted> => {
  const answer = await attacker.attempt(
    `select count(*) filter (where scope = 'project' and project_id = $2)::int as shared,
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
  projectId: string,
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

/** Two statements of a superuser: what happens, and how it is put right again. */
const turn = (world: World, sql: string, values: readonly unknown[]): (() => Promise<void>) => {
  return async () => {
    await asSuperuser(world.adminUrl, (client) => client.query(sql, [...values]));
  };
};

/**
 * Attack 1.10: someone is put out of a project in the middle of his session, removed from the tenant, or the tenant is
 * suspended. The removal itself is done by the tenant's admin through the door.
 */
export const departures = async (world: World): Promise<Finding> =>
  withAttacker(world, 'mem_app', async (attacker) => {
    const leaks: string[] = [];
    const me = world.citizens.find((citizen) => citizen.n === 4);
    const admin = world.citizens.find((citizen) => citizen.n === 2 && citizen.tenantId === me?.tenantId);
    if (!me || !admin) throw new Error('nobody lives here');
    const [project] = await world.doors.asTenant(me, (tx) =>
      tx.membership.findMany({ where: { tenantId: me.tenantId, userId: me.userId }, orderBy: { projectId: 'asc' } }),
    );
    const projectId = project?.projectId ?? '';
    const values = [me.tenantId, projectId, me.userId];

    const [before, after] = await around(world, attacker, me, projectId, async () => {
      await world.doors.asTenant(admin, (tx) =>
        tx.membership.deleteMany({ where: { tenantId: me.tenantId, projectId, userId: me.userId } }),
      );
    });
    if (before.shared === 0 || before.sharedOwn === 0 || before.own === 0) leaks.push('there was nothing to lose');
    if (after.shared > 0) leaks.push('keeps shared memories of a project he left');
    if (after.own !== before.own) leaks.push('loses private memories of his own with the project');
    await turn(world, `insert into membership values ($1, $2, $3, 'contributor')`, values)();

    const remove = turn(world, `update app_user set status = 'removed' where tenant_id = $1 and id = $2`, [
      me.tenantId,
      me.userId,
    ]);
    const [, removed] = await around(world, attacker, me, projectId, remove);
    if (removed.own + removed.shared > 0) leaks.push('sees memories after he was removed from the tenant');
    await turn(world, `update app_user set status = 'active' where tenant_id = $1 and id = $2`, [
      me.tenantId,
      me.userId,
    ])();

    const suspend = turn(world, `update tenant set status = 'suspended' where id = $1`, [me.tenantId]);
    const [, suspended] = await around(world, attacker, me, projectId, suspend);
    if (suspended.own + suspended.shared > 0) leaks.push('sees memories of a suspended tenant');
    const worked = await world.doors.asWorker(me.tenantId, (tx) => tx.memory.count());
    if (worked > 0) leaks.push('the worker works in a suspended tenant');
    await turn(world, `update tenant set status = 'active' where id = $1`, [me.tenantId])();
    return { attempts: attacker.attempts() + 1, leaks };
  });
