import type { MachineReference, Reference } from './reference.js';

/** What points at whom and what profiles tell. */
export const profileReferences: readonly Reference[] = [
  {
    name: 'profile.user',
    kind: 'app_user',
    sql: `insert into profile (tenant_id, id, user_id) values ($1, gen_random_uuid(), $3)`,
  },
  {
    name: 'profile.project',
    kind: 'project',
    sql: `insert into profile (tenant_id, id, project_id) values ($1, gen_random_uuid(), $3)`,
  },
  {
    name: 'profile_line.profile',
    kind: 'profile',
    sql: `insert into profile_line (tenant_id, profile_id, memory_id, part, place) values ($1, $3, $4, 'pinned', 0)`,
  },
  {
    name: 'profile_line.memory',
    kind: 'memory',
    sql: `insert into profile_line (tenant_id, profile_id, memory_id, part, place)
      values ($1, (select id from profile where user_id = $2), $3, 'pinned', 0)`,
  },
];

/** The same by night, and where a place's health points. */
export const machineProfileReferences: readonly MachineReference[] = [
  {
    role: 'mem_worker',
    name: 'health_day.project',
    kind: 'project',
    sql: `insert into health_day (tenant_id, id, day, scope, project_id, memories, never_retrieved, high_value, stale, utility)
      values ($1, gen_random_uuid(), '2026-01-01', 'project', $3, 1, 1, 0, 0, 0)`,
  },
  {
    role: 'mem_worker',
    name: 'profile.user',
    kind: 'app_user',
    sql: `insert into profile (tenant_id, id, user_id) values ($1, gen_random_uuid(), $3)`,
  },
  {
    role: 'mem_worker',
    name: 'profile_line.memory',
    kind: 'memory',
    sql: `insert into profile_line (tenant_id, profile_id, memory_id, part, place)
      values ($1, (select id from profile where user_id is not null limit 1), $3, 'pinned', 0)`,
  },
];
