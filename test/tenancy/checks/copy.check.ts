import { asSuperuser } from '../../support/cluster.js';
import type { Finding, World } from '../world.js';

/** What can become of memories; each goes on where the one before ended. `$1` is the tenant. */
const fates: readonly { readonly name: string; readonly sql: string }[] = [
  { name: 'as made', sql: 'select from memory where tenant_id = $1' },
  { name: 'taken back', sql: `update memory set scope = 'private', group_id = null where tenant_id = $1` },
  {
    name: 'given away',
    sql: `update memory m set owner_id = (select u.id from app_user u where u.tenant_id = $1 and u.id <> m.owner_id
      order by u.id limit 1) where m.tenant_id = $1`,
  },
  { name: 'shared', sql: `update memory set scope = 'tenant', project_id = null where tenant_id = $1` },
  { name: 'forgotten', sql: `update memory set state = 'forgotten' where tenant_id = $1` },
  { name: 'restored', sql: `update memory set state = 'active' where tenant_id = $1` },
];

const copies: readonly { readonly table: string; readonly tells: boolean }[] = [
  { table: 'embedding', tells: false },
  { table: 'memory_stat', tells: true },
  { table: 'vote_question', tells: true },
];

/** Rows whose copy says something else than their memory; where it tells of it, also whether that is forgotten. */
const strays = (table: string, tells: boolean): string => `select c.memory_id as id
  from ${table} c join memory m on m.tenant_id = c.tenant_id and m.id = c.memory_id
  where c.tenant_id = $1 and ((c.scope, c.owner_id, c.project_id, c.group_id)
    is distinct from (m.scope, m.owner_id, m.project_id, m.group_id) ${
      tells
        ? `or c.forgotten <> (m.state = 'forgotten')
    or c.forgotten_by is distinct from case when m.state = 'forgotten' then m.state_by end`
        : ''
    })`;

/** Attack 1.9, from the other side: what carries a copy of the audience never stays behind where its memory goes. */
export const copiedAudiences = async (world: World): Promise<Finding> =>
  asSuperuser(world.adminUrl, async (client) => {
    const leaks: string[] = [];
    let attempts = 0;
    await client.query('begin');
    try {
      // Who moves memories for others: the guard lets nobody else move all of them at once.
      await client.query('set local role mem_definer');
      for (const { name, sql } of fates) {
        await client.query(sql, [world.citizens[0]?.tenantId]);
        for (const { table, tells } of copies) {
          const { rows } = await client.query<{ id: string }>(strays(table, tells), [world.citizens[0]?.tenantId]);
          leaks.push(...rows.map(({ id }) => `${table} of ${id} is not where its memory is: ${name}`));
          attempts += 1;
        }
      }
    } finally {
      await client.query('rollback');
    }
    return { attempts, leaks };
  });
