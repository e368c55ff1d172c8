import type { Mutant } from './mutant.js';

/** Slips that let an admin reach above their own role, or a contributor around a review. */
export const rankMutants: readonly Mutant[] = [
  {
    name: 'an admin ends an owner’s login',
    sql: `alter policy app_change on login_session using (revoked_at is null and (user_id = (select uid()) or (select is_tenant_admin())))
      with check (user_id = (select uid()) or (select is_tenant_admin()))`,
    noticedBy: ['moves'],
  },
  {
    name: 'an admin ends an owner’s token',
    sql: `alter policy app_change on access_token using (revoked_at is null and (user_id = (select uid()) or (select is_tenant_admin())))
      with check (user_id = (select uid()) or (select is_tenant_admin()))`,
    noticedBy: ['moves'],
  },
  {
    name: 'an admin unlinks an owner’s sign-in',
    sql: `alter policy app_remove on login_identity using (user_id = (select uid()) or (select is_tenant_admin()))`,
    noticedBy: ['moves'],
  },
  {
    name: 'an admin takes back an owner’s invitation',
    sql: `alter policy app_change on invitation
      using (used_at is null and revoked_at is null and (invited_by = (select uid()) or (select is_tenant_admin())))
      with check (used_at is null)`,
    noticedBy: ['moves'],
  },
  {
    name: 'reviews cover the words alone',
    sql: 'drop trigger guard_review on memory',
    noticedBy: ['moves'],
  },
];
