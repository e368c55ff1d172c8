import type { Mutant } from './mutant.js';

/** Slips around what people take with them and bring along. */
export const lifeCycleMutants: readonly Mutant[] = [
  {
    name: 'what colleagues imported',
    sql: 'create policy everyone on imported for select to mem_app using ((select is_member()))',
    noticedBy: ['matrix'],
  },
  {
    name: 'exports are read by whoever is in the tenant',
    sql: `create policy everyone on data_export for select to mem_app using ((select is_member()))`,
    noticedBy: ['matrix'],
  },
  {
    name: 'a role that is gone leaves the export it was for',
    sql: `alter policy app_read on data_export using (requested_by = (select uid()))`,
    noticedBy: ['matrix'],
  },
  {
    name: 'receipts of erasures are read by whoever is in the tenant',
    sql: `create policy everyone on erasure for select to mem_app using ((select is_member()))`,
    noticedBy: ['matrix'],
  },
  {
    name: 'how much colleagues keep in private',
    sql: 'create policy everyone on health_day for select to mem_app using ((select is_member()))',
    noticedBy: ['matrix'],
  },
  {
    name: 'profiles of colleagues',
    sql: 'create policy everyone on profile for select to mem_app using ((select is_member()))',
    noticedBy: ['matrix'],
  },
  {
    name: 'a line tells what was private all along',
    sql: `alter policy app_read on profile_line using (exists (select from profile p
      where p.tenant_id = profile_line.tenant_id and p.id = profile_line.profile_id))`,
    noticedBy: ['matrix'],
  },
  {
    name: 'a line is put into the profile of another',
    sql: `alter policy app_write on profile_line with check ((select is_member()))`,
    noticedBy: ['references'],
  },
  {
    name: 'a part is put into the export of another',
    sql: `alter policy app_write on export_part with check ((select is_member()))`,
    noticedBy: ['references'],
  },
];
