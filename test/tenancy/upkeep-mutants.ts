/** Slips in what was merged and pruned. */
export const upkeepMutants = [
  {
    name: 'what was pruned read by the whole tenant',
    sql: 'alter policy app_read on upkeep_run using ((select is_member()))',
    noticedBy: ['matrix'],
  },
  {
    name: 'an effect noted in another’s run',
    sql: `alter policy app_write on upkeep_effect with check (exists (select from memory m
      where m.tenant_id = upkeep_effect.tenant_id and m.id = upkeep_effect.memory_id))`,
    noticedBy: ['references'],
  },
] as const;
