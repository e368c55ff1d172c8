import { withAttacker, type Attacker } from '../attacker.js';
import type { Citizen, Finding, World } from '../world.js';

/** `$1` is the mover's tenant, `$2` the mover. Every statement would widen or move what it touches. */
const moves: readonly { readonly name: string; readonly sql: string }[] = [
  {
    name: 'to another tenant',
    sql: `update memory set tenant_id = gen_random_uuid() where tenant_id = $1 and owner_id = $2`,
  },
  {
    name: 'to another owner',
    sql: `update memory set owner_id = gen_random_uuid() where tenant_id = $1 and owner_id = $2`,
  },
  {
    name: 'to a project that is not mine',
    sql: `update memory set project_id = gen_random_uuid() where tenant_id = $1 and owner_id = $2`,
  },
  {
    name: 'another’s shared memory made private',
    sql: `update memory set scope = 'private' where tenant_id = $1 and owner_id <> $2 and scope <> 'private'`,
  },
  {
    name: 'another’s project memory shown to the tenant',
    sql: `update memory set scope = 'tenant', project_id = null where tenant_id = $1 and owner_id <> $2 and scope = 'project'`,
  },
  {
    name: 'another’s memory moved between my projects',
    sql: `update memory set project_id = (select id from project where id <> memory.project_id order by id limit 1)
      where tenant_id = $1 and owner_id <> $2 and scope = 'project'`,
  },
  {
    name: 'myself made owner',
    sql: `update app_user set role = 'owner' where tenant_id = $1 and id = $2 and role <> 'owner'`,
  },
  {
    name: 'a revoked session revived',
    sql: `update login_session set revoked_at = null
      where tenant_id = $1 and revoked_at is not null and $2::uuid is not null`,
  },
  {
    name: 'a used invitation renewed',
    sql: `update invitation set expires_at = now()
      where tenant_id = $1 and used_at is not null and $2::uuid is not null`,
  },
];

/** What a reader or a member may not do to what he can see. */
const byOthers: readonly { readonly name: string; readonly who: readonly number[]; readonly sql: string }[] = [
  {
    name: 'a contributor edits another’s shared memory',
    who: [4],
    sql: `update memory set title = 'x' where tenant_id = $1 and owner_id <> $2`,
  },
  {
    name: 'a reader edits a shared memory',
    who: [5],
    sql: `update memory set pinned = true where tenant_id = $1 and owner_id <> $2`,
  },
  {
    name: 'a reader shares into his project',
    who: [5],
    sql: `insert into memory (tenant_id, owner_id, project_id, scope, kind, title, text, valid_from, started_at, ended_at)
      select $1, $2, m.project_id, 'project', 'decision', 't', 't', now(), now(), now() from membership m
      where m.user_id = $2 and m.role = 'reader' limit 1`,
  },
  {
    name: 'a member without a project of his own writes for the whole tenant',
    who: [4, 5],
    sql: `insert into memory (tenant_id, owner_id, scope, kind, title, text, valid_from, started_at, ended_at)
      values ($1, $2, 'tenant', 'decision', 't', 't', now(), now(), now())`,
  },
  {
    name: 'a member shows his private memory to the whole tenant',
    who: [4, 5],
    sql: `update memory set scope = 'tenant', project_id = null where tenant_id = $1 and owner_id = $2 and scope = 'private'`,
  },
  {
    name: 'a reader shows his private memory to the project',
    who: [5],
    sql: `update memory set scope = 'project'
      where tenant_id = $1 and owner_id = $2 and scope = 'private' and project_id is not null`,
  },
  {
    name: 'a member changes the tenant',
    who: [3, 4, 5],
    sql: `update tenant set name = 'x' where id = $1 and $2::uuid is not null`,
  },
  {
    name: 'a contributor admits someone',
    who: [4, 5],
    sql: `update membership set role = 'maintainer' where tenant_id = $1 and $2::uuid is not null`,
  },
  {
    name: 'an admin makes an owner',
    who: [2],
    sql: `update app_user set role = 'owner' where tenant_id = $1 and id <> $2 and role <> 'owner'`,
  },
  {
    name: 'an admin demotes the owner',
    who: [2],
    sql: `update app_user set role = 'member' where tenant_id = $1 and id <> $2 and role = 'owner'`,
  },
  {
    name: 'a member asks for a run',
    who: [3, 4, 5],
    sql: `insert into maintenance_run (tenant_id, kind, run_date, requested_by) values ($1, 'nightly', '2001-01-01', $2)`,
  },
];

const changes = async (attacker: Attacker, me: Citizen, name: string, sql: string): Promise<string[]> => {
  const answer = await attacker.attempt(sql, [me.tenantId, me.userId]);
  if (answer.kind === 'rows' && answer.count > 0) return [`user ${me.n}: ${name}: ${answer.count} rows`];
  if (answer.kind === 'error' && answer.code !== '42501') return [`user ${me.n}: ${name}: ${answer.message}`];
  return [];
};

/** Attack 1.9: move or widen what is one's own, another's, or the tenant's. */
export const forbiddenMoves = async (world: World): Promise<Finding> =>
  withAttacker(world, 'mem_app', async (attacker) => {
    const leaks: string[] = [];
    for (const me of world.citizens) {
      await attacker.claiming(me, async () => {
        for (const { name, sql } of moves) leaks.push(...(await changes(attacker, me, name, sql)));
        for (const { name, sql, who } of byOthers) {
          if (who.includes(me.n)) leaks.push(...(await changes(attacker, me, name, sql)));
        }
      });
    }
    return { attempts: attacker.attempts(), leaks };
  });
