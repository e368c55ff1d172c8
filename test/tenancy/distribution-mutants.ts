import type { Mutant } from './mutant.js';

/** Slips after which tenants could not be spread over several servers (docs/operations.md, "Growing past one machine"). */
export const distributionMutants: readonly Mutant[] = [
  {
    name: 'a foreign key that ties a tenant to another column',
    noticedBy: ['catalogue'],
    sql: `alter table revision add constraint crossed
      foreign key (tenant_id, memory_id) references memory (id, tenant_id) not valid`,
  },
  {
    name: 'a table of no tenant that points into one',
    noticedBy: ['catalogue'],
    sql: 'alter table instance_beat add column of_tenant uuid references tenant (id)',
  },
];
