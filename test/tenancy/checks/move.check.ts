import { withAttacker, type Attacker } from '../attacker.js';
import { mergedByContributor, takenBackAgain } from '../upkeep-moves.js';
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
    name: 'another’s project memory shown to a group',
    sql: `update memory set scope = 'group', group_id = g.group_id from group_project g
      where memory.tenant_id = $1 and owner_id <> $2 and scope = 'project' and g.project_id = memory.project_id`,
  },
  {
    name: 'another’s group memory taken back to its project',
    sql: `update memory set scope = 'project', group_id = null where tenant_id = $1 and owner_id <> $2 and scope = 'group'`,
  },
  {
    name: 'another’s shared memory made mine',
    sql: `select transfer_memory(id, $2) from memory where tenant_id = $1 and owner_id <> $2 and scope <> 'private'`,
  },
  {
    name: 'a private memory given away',
    sql: `select transfer_memory(m.id, u.user_id) from memory m, membership u
      where m.tenant_id = $1 and m.owner_id = $2 and m.scope = 'private' and u.user_id <> $2`,
  },
  {
    name: 'another’s change of audience taken back',
    sql: `select undo_audience_change(c.id) from audience_change c join memory m on m.id = c.memory_id
      where c.tenant_id = $1 and m.owner_id <> $2`,
  },
  {
    name: 'a change of audience forged',
    sql: `insert into audience_change (tenant_id, memory_id, number, from_scope, from_owner_id, to_scope, to_owner_id, action)
      select $1, id, 9, 'tenant', $2, 'private', $2, 'share' from memory where owner_id = $2 limit 1`,
  },
  {
    name: 'a proposal for what is another’s',
    sql: `insert into proposal (tenant_id, memory_id, proposer_id, to_scope)
      select $1, id, $2, 'tenant' from memory where tenant_id = $1 and owner_id <> $2 limit 1`,
  },
  {
    name: 'a proposal reworded',
    sql: `update proposal set text = 'x' where tenant_id = $1 and proposer_id = $2`,
  },
  {
    name: 'my own proposal approved where I decide nothing',
    sql: `select approve_proposal(p.id) from proposal p where p.tenant_id = $1 and p.proposer_id = $2
      and p.state = 'pending' and p.to_scope <> 'group'`,
  },
  takenBackAgain,
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
    name: 'a revoked invitation revived',
    sql: `update invitation set revoked_at = null
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
  mergedByContributor,
  {
    name: 'a reader edits a shared memory',
    who: [5],
    sql: `update memory set pinned = true where tenant_id = $1 and owner_id <> $2`,
  },
  {
    name: 'a contributor pins what he shared',
    who: [4],
    sql: `update memory set pinned = true where tenant_id = $1 and owner_id = $2 and scope <> 'private' and not pinned`,
  },
  {
    name: 'an author makes up what his memory said before',
    who: [3, 4],
    sql: `insert into revision (tenant_id, memory_id, revision, title, text, author_id, reason)
      select $1, id, 99, 'never', 'never', $2, 'edited' from memory where tenant_id = $1 and owner_id = $2 limit 1`,
  },
  {
    name: 'an author signs a text with another’s name',
    who: [3, 4],
    sql: `update memory set written_by = (select id from app_user limit 1) where tenant_id = $1 and owner_id = $2`,
  },
  {
    name: 'an author forgets as if it were long ago',
    who: [3, 4],
    sql: `update memory set state_since = '2001-01-01' where tenant_id = $1 and owner_id = $2`,
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
    name: 'a contributor puts a memory straight into a project that reviews',
    who: [4],
    sql: `insert into memory (tenant_id, owner_id, project_id, scope, kind, title, text, valid_from, started_at, ended_at)
      select $1, $2, id, 'project', 'decision', 't', 't', now(), now(), now() from project where review_required`,
  },
  {
    name: 'a contributor shares straight into a project that reviews',
    who: [4],
    sql: `update memory set scope = 'project' where tenant_id = $1 and owner_id = $2 and scope = 'private'
      and project_id in (select id from project where review_required)`,
  },
  {
    name: 'a contributor changes the words of what was reviewed',
    who: [4],
    sql: `update memory set text = 'x' where tenant_id = $1 and owner_id = $2 and scope = 'project'
      and project_id in (select id from project where review_required)`,
  },
  {
    name: 'a contributor has what was reviewed count for more, or longer',
    who: [4],
    sql: `update memory set verification = 'stable', validity = 'forever', kind = 'correction', expires_at = now()
      where tenant_id = $1 and owner_id = $2 and scope = 'project'
        and project_id in (select id from project where review_required)`,
  },
  {
    name: 'who maintains nothing captures into a group',
    who: [1, 4, 5],
    sql: `insert into memory (tenant_id, owner_id, project_id, group_id, scope, kind, title, text, valid_from, started_at, ended_at)
      select $1, $2, g.project_id, g.group_id, 'group', 'decision', 't', 't', now(), now(), now()
      from group_project g join membership m on m.project_id = g.project_id and m.user_id = $2`,
  },
  {
    name: 'who maintains nothing shows his private memory to a group',
    who: [1, 4, 5],
    sql: `update memory set scope = 'group', group_id = g.group_id from group_project g where memory.tenant_id = $1
      and owner_id = $2 and scope = 'private' and g.project_id = memory.project_id`,
  },
  {
    name: 'a contributor edits a group’s memory',
    who: [1, 4, 5],
    sql: `update memory set pinned = true where tenant_id = $1 and owner_id <> $2 and scope = 'group'`,
  },
  {
    name: 'who maintains nothing makes a group',
    who: [4, 5],
    sql: `insert into project_group (tenant_id, slug, name, created_by) values ($1, 'mine', 'mine', $2)`,
  },
  {
    name: 'who maintains nothing renames a group',
    who: [4, 5],
    sql: `update project_group set name = 'x' where tenant_id = $1 and $2::uuid is not null`,
  },
  {
    name: 'who maintains nothing lets his project join a group',
    who: [4, 5],
    sql: `insert into group_project (tenant_id, group_id, project_id)
      select $1, g.group_id, m.project_id from group_project g, membership m where m.user_id = $2
      on conflict do nothing`,
  },
  {
    name: 'a project that is not mine put out of a group',
    who: [3, 4, 5],
    sql: `delete from group_project where tenant_id = $1 and $2::uuid is not null
      and project_id in (select project_id from membership where user_id <> $2 and role = 'maintainer')`,
  },
  {
    name: 'a member deletes a group',
    who: [3, 4, 5],
    sql: `delete from project_group where tenant_id = $1 and $2::uuid is not null`,
  },
  {
    name: 'a member moves a group’s memories back',
    who: [1, 4, 5],
    sql: `select return_group_memories(g.group_id, g.project_id) from group_project g
      where g.tenant_id = $1 and $2::uuid is not null and not (select is_tenant_admin())`,
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
    name: 'an admin ends a login of the owner',
    who: [2],
    sql: `update login_session set revoked_at = now(), revoked_reason = 'x' where tenant_id = $1 and $2::uuid is not null
      and user_id in (select id from app_user where role = 'owner')`,
  },
  {
    name: 'an admin revokes a token of the owner',
    who: [2],
    sql: `update access_token set revoked_at = now() where tenant_id = $1 and $2::uuid is not null
      and user_id in (select id from app_user where role = 'owner')`,
  },
  {
    name: 'an admin unlinks a sign-in of the owner',
    who: [2],
    sql: `delete from login_identity where tenant_id = $1 and $2::uuid is not null
      and user_id in (select id from app_user where role = 'owner')`,
  },
  {
    name: 'an admin takes back an invitation of an owner',
    who: [2],
    sql: `update invitation set revoked_at = now() where tenant_id = $1 and $2::uuid is not null and role = 'owner'`,
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
  // The functions of audiences and merges refuse in words of their own (class TM), where the caller knows that the thing is there.
  const refused = answer.kind === 'error' && /^(42501|TM054|TM07.)$/.test(answer.code);
  if (answer.kind === 'error' && !refused) return [`user ${me.n}: ${name}: ${answer.message}`];
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
