import type { Reference } from './reference.js';

/** A run of the writer's own of which nothing is noted yet. */
const run = `(select id from upkeep_run where made_by = $2 and project_id is null and kind = 'merge' limit 1)`;

/** What points at what was merged and pruned. */
export const upkeepReferences: readonly Reference[] = [
  {
    name: 'memory.merged_into',
    kind: 'memory',
    sql: `update memory set merged_into = $3, state = 'archived' where tenant_id = $1 and id = $4`,
  },
  {
    name: 'upkeep_run.project',
    kind: 'project',
    sql: `insert into upkeep_run (tenant_id, kind, project_id, made_by) values ($1, 'merge', $3, $2)`,
  },
  {
    name: 'upkeep_run.made_by',
    kind: 'app_user',
    sql: `insert into upkeep_run (tenant_id, kind, made_by) values ($1, 'merge', $3)`,
  },
  {
    name: 'upkeep_effect.run',
    kind: 'upkeep_run',
    sql: `insert into upkeep_effect (tenant_id, run_id, memory_id, action) values ($1, $3, $4, 'pruned')`,
  },
  {
    name: 'upkeep_effect.memory',
    kind: 'memory',
    sql: `insert into upkeep_effect (tenant_id, run_id, memory_id, action) values ($1, ${run}, $3, 'pruned')`,
  },
  {
    name: 'upkeep_effect.into',
    kind: 'memory',
    sql: `insert into upkeep_effect (tenant_id, run_id, memory_id, action, into_id) values ($1, ${run}, $4, 'merged', $3)`,
  },
];
