import type { Reference } from './reference.js';

const memory = (columns: string, values: string): string =>
  `insert into memory (tenant_id, owner_id, scope, kind, title, text, valid_from, started_at, ended_at${columns})
   values (${values})`;
const plain = `'decision', 't', 't', now(), now(), now()`;
/** A project of mine in the group pointed at; null where there is none. */
const home = `(select g.project_id from group_project g join membership m on m.project_id = g.project_id
  where g.group_id = $3 and m.user_id = $2 order by m.role = 'maintainer' desc limit 1)`;
const maintained = `(select m.project_id from membership m where m.user_id = $2 and m.role = 'maintainer' limit 1)`;

/** What points at groups, audiences and proposals. */
export const scopeReferences: readonly Reference[] = [
  {
    name: 'memory.group',
    kind: 'project_group',
    sql: memory(', project_id, group_id', `$1, $2, 'group', ${plain}, ${home}, $3`),
  },
  {
    name: 'memory moved to group',
    kind: 'project_group',
    sql: `update memory set scope = 'group', project_id = ${home}, group_id = $3 where tenant_id = $1 and id = $4`,
  },
  { name: 'share_memory group', kind: 'project_group', sql: `select share_memory($4, 'group', ${home}, $3)` },
  { name: 'share_memory project', kind: 'project', sql: `select share_memory($4, 'project', $3, null)` },
  { name: 'share_memory memory', kind: 'memory', sql: `select share_memory($3, 'tenant', null, null)` },
  { name: 'demote_memory memory', kind: 'memory', sql: `select demote_memory($3, 'private', null, null)` },
  { name: 'transfer_memory memory', kind: 'memory', sql: `select transfer_memory($3, $2)` },
  { name: 'undo_audience_change', kind: 'audience_change', sql: `select undo_audience_change($3)` },
  { name: 'return_group_memories', kind: 'project_group', sql: `select return_group_memories($3, null)` },
  {
    name: 'group_project.group',
    kind: 'project_group',
    sql: `insert into group_project (tenant_id, group_id, project_id) values ($1, $3, ${maintained})`,
  },
  {
    name: 'group_project.project',
    kind: 'project',
    sql: `insert into group_project (tenant_id, group_id, project_id)
      values ($1, (select group_id from group_project where project_id = ${maintained} limit 1), $3)`,
  },
  {
    name: 'proposal.memory',
    kind: 'memory',
    sql: `insert into proposal (tenant_id, memory_id, proposer_id, to_scope) values ($1, $3, $2, 'tenant')`,
  },
  {
    name: 'proposal.project',
    kind: 'project',
    sql: `insert into proposal (tenant_id, memory_id, proposer_id, to_scope, to_project_id) values ($1, $4, $2, 'project', $3)`,
  },
  {
    name: 'proposal.group',
    kind: 'project_group',
    sql: `insert into proposal (tenant_id, memory_id, proposer_id, to_scope, to_project_id, to_group_id)
      values ($1, $4, $2, 'group', ${home}, $3)`,
  },
  { name: 'approve_proposal', kind: 'proposal', sql: `select approve_proposal($3)` },
  { name: 'decline_proposal', kind: 'proposal', sql: `select decline_proposal($3, 'no')` },
  { name: 'withdraw_proposal', kind: 'proposal', sql: `select withdraw_proposal($3)` },
];
