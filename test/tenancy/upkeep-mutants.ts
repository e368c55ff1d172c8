import type { Mutant } from './mutant.js';

const RUN = `exists (select from upkeep_run r where r.tenant_id = upkeep_effect.tenant_id and r.id = upkeep_effect.run_id
  and r.made_by = (select uid()) and r.undone_at is null)`;
const MEMORY = `exists (select from memory m where m.tenant_id = upkeep_effect.tenant_id and m.id = upkeep_effect.memory_id
  and maintains_memory(m))`;
const INTO = `(into_id is null or exists (select from memory m where m.tenant_id = upkeep_effect.tenant_id
  and m.id = upkeep_effect.into_id and maintains_memory(m)))`;

/** Slips in what was merged and pruned. */
export const upkeepMutants: readonly Mutant[] = [
  {
    name: 'what was pruned read by the whole tenant',
    sql: 'alter policy app_read on upkeep_run using ((select is_member()))',
    noticedBy: ['matrix'],
  },
  {
    name: 'what was pruned read by other tenants',
    sql: 'drop policy tenant_only on upkeep_run',
    noticedBy: ['catalogue'],
  },
  {
    name: 'effects of other tenants',
    sql: 'drop policy tenant_only on upkeep_effect',
    noticedBy: ['catalogue'],
  },
  {
    name: 'runs that their table’s owner reads past the policies',
    sql: 'alter table upkeep_run no force row level security',
    noticedBy: ['catalogue'],
  },
  {
    name: 'a run in another’s name',
    sql: `alter policy app_write on upkeep_run with check (
      project_id is null or project_id = any ((select my_maintained_projects())::uuid[]))`,
    noticedBy: ['references'],
  },
  {
    name: 'a run in a project that one does not maintain',
    sql: 'alter policy app_write on upkeep_run with check (made_by = (select uid()))',
    noticedBy: ['references'],
  },
  {
    name: 'a run taken back by the whole tenant',
    sql: `alter policy app_read on upkeep_run using ((select is_member()));
      alter policy app_change on upkeep_run using ((select is_member())) with check (true)`,
    noticedBy: ['matrix'],
  },
  {
    name: 'an effect noted in another’s run',
    sql: `alter policy app_write on upkeep_effect with check (${MEMORY} and ${INTO})`,
    noticedBy: ['references'],
  },
  {
    name: 'an effect noted on what is hidden',
    sql: `alter policy app_write on upkeep_effect with check (${RUN} and ${INTO})`,
    noticedBy: ['references'],
  },
  {
    name: 'an effect that names what is hidden',
    sql: `alter policy app_write on upkeep_effect with check (${RUN} and ${MEMORY})`,
    noticedBy: ['references'],
  },
  {
    name: 'effects on what is hidden',
    sql: `alter policy app_read on upkeep_effect using (exists (select from upkeep_run r
      where r.tenant_id = upkeep_effect.tenant_id and r.id = upkeep_effect.run_id))`,
    noticedBy: ['matrix'],
  },
  {
    name: 'effects of runs that are hidden',
    sql: `alter policy app_read on upkeep_effect using (exists (select from memory m
      where m.tenant_id = upkeep_effect.tenant_id and m.id = upkeep_effect.memory_id))`,
    noticedBy: ['matrix'],
  },
  {
    name: 'what is undone turned again',
    sql: `alter policy app_change on upkeep_run
      using (project_id is null and made_by = (select uid()) or project_id = any ((select my_maintained_projects())::uuid[]))`,
    noticedBy: ['moves'],
  },
  {
    name: 'memories merged by who does not maintain them',
    sql: 'drop trigger guard_merge on memory',
    noticedBy: ['moves'],
  },
];
