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
    name: 'a part is put into the export of another',
    sql: `alter policy app_write on export_part with check ((select is_member()))`,
    noticedBy: ['references'],
  },
];
