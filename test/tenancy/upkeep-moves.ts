/** Moves in what was merged and pruned; `$1` is the mover's tenant, `$2` the mover. */

export const takenBackAgain = {
  name: 'what was taken back taken back again',
  sql: `update upkeep_run set undone_at = now(), undone_by = $2
    where tenant_id = $1 and made_by = $2 and undone_at is not null`,
};

export const mergedByContributor = {
  name: 'a contributor merges into another’s what is shared',
  who: [4],
  sql: `update memory set state = 'archived', merged_into = o.id from memory o
    where memory.tenant_id = $1 and memory.owner_id = $2 and memory.scope = 'project' and memory.state = 'active'
      and o.tenant_id = $1 and o.owner_id <> $2 and o.scope = 'project' and o.project_id = memory.project_id`,
};
