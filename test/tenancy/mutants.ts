import { Prisma } from '@tempera/platform';
import type { Enter } from './checks/door.check.js';
import type { Mutant } from './mutant.js';

const visible = `(scope = 'private' and owner_id = (select uid())
  or scope = 'project' and project_id = any ((select my_projects())::uuid[])
  or scope = 'group' and group_id = any ((select my_groups())::uuid[]) or scope = 'tenant' and (select is_member()))`;

/** A door that forgets to say who asks. */
const emptyDoor: Enter = (connection, _limits, _context, work) => connection.client.$transaction((tx) => work(tx));

/** A door that says it for the whole connection. */
const stickyDoor: Enter = async (connection, _limits, context, work) => {
  const settings = Prisma.sql`select set_config('app.tenant_id', ${context.tenantId ?? ''}, false),
    set_config('app.user_id', ${context.userId ?? ''}, false)`;
  await connection.client.$queryRaw(settings);
  return connection.client.$transaction((tx) => work(tx));
};

/** Slips of whoever writes policies, doors and functions (docs/design.md, attack 1.13). */
export const mutants: readonly Mutant[] = [
  { name: 'FORCE dropped', sql: 'alter table memory no force row level security', noticedBy: ['catalogue'] },
  { name: 'row-level security off', sql: 'alter table revision disable row level security', noticedBy: ['matrix'] },
  { name: 'restrictive policy dropped', sql: 'drop policy tenant_only on memory', noticedBy: ['machines'] },
  {
    name: 'restrictive policy lets writes pass',
    sql: 'alter policy tenant_only on app_user with check (true)',
    noticedBy: ['catalogue'],
  },
  {
    name: 'update policy checks nothing',
    sql: `alter policy app_change on memory with check (true)`,
    noticedBy: ['moves'],
  },
  {
    name: 'foreign key without the tenant',
    noticedBy: ['machineReferences'],
    sql: `
      create unique index memory_id on memory (id);
      alter table link drop constraint link_tenant_id_to_id_fkey, add foreign key (to_id) references memory (id)`,
  },
  {
    name: 'a view with its owner’s eyes',
    sql: 'create view memory_list as select * from memory; grant select on memory_list to mem_app',
    noticedBy: ['catalogue'],
  },
  {
    name: 'a materialised view',
    sql: 'create materialized view memory_count as select tenant_id, count(*) from memory group by 1',
    noticedBy: ['catalogue'],
  },
  { name: 'a door that does not say who asks', enter: emptyDoor, noticedBy: ['leftovers'] },
  { name: 'a door that sets the session', enter: stickyDoor, noticedBy: ['leftovers'] },
  {
    name: 'a function open to everyone',
    sql: 'grant execute on function find_pat(bytea) to public',
    noticedBy: ['catalogue'],
  },
  {
    name: 'a function with an open search path',
    sql: 'alter function uid() reset search_path',
    noticedBy: ['catalogue'],
  },
  {
    name: 'the audit’s inner function granted',
    sql: 'grant execute on function append_audit(uuid, text, uuid, text, text, uuid, jsonb) to mem_app',
    noticedBy: ['overreach'],
  },
  {
    name: 'a partition granted and open',
    sql: 'alter table embedding_default disable row level security; grant select on embedding_default to mem_app',
    noticedBy: ['overreach'],
  },
  {
    name: 'a read policy that is true',
    sql: 'create policy everything on revision for select to mem_app using (true)',
    noticedBy: ['matrix'],
  },
  {
    name: 'what was forgotten is still seen',
    sql: 'drop policy not_forgotten on memory',
    noticedBy: ['matrix'],
  },
  {
    name: 'pins are their author’s',
    sql: 'drop trigger guard_pin on memory',
    noticedBy: ['moves'],
  },
  {
    name: 'histories are made up',
    sql: 'grant insert on revision to mem_app',
    noticedBy: ['moves'],
  },
  {
    name: 'private forgets its owner',
    sql: `alter policy app_read on memory using (${visible.replace('owner_id = (select uid())', 'true')})`,
    noticedBy: ['private'],
  },
  {
    name: 'embedding seen by the whole tenant',
    sql: 'alter policy app_read on embedding using ((select is_member()))',
    noticedBy: ['private'],
  },
  {
    name: 'admins see private memories',
    sql: 'create policy admin_read on memory for select to mem_app using ((select is_tenant_admin()))',
    noticedBy: ['admins'],
  },
  {
    name: 'projects of everyone',
    sql: `create or replace function my_projects() returns uuid[] language sql stable security definer set search_path = '' as
      $$ select coalesce(array_agg(p.id), '{}') from public.project p where p.tenant_id = public.current_tenant() $$`,
    noticedBy: ['matrix'],
  },
  {
    name: 'a removed user still counts',
    sql: `create or replace function uid() returns uuid language sql stable security definer set search_path = '' as
      $$ select u.id from public.app_user u where u.id = nullif(current_setting('app.user_id', true), '')::uuid
        and u.tenant_id = public.current_tenant() $$`,
    noticedBy: ['departures'],
  },
  {
    name: 'a suspended tenant still counts',
    sql: `create or replace function current_tenant() returns uuid language sql stable security definer set search_path = ''
      as $$ select nullif(current_setting('app.tenant_id', true), '')::uuid $$`,
    noticedBy: ['departures'],
  },
  {
    name: 'a user of another tenant counts',
    sql: `create or replace function uid() returns uuid language sql stable security definer set search_path = '' as
      $$ select u.id from public.app_user u where u.id = nullif(current_setting('app.user_id', true), '')::uuid $$`,
    noticedBy: ['context'],
  },
  {
    name: 'an empty setting means everyone',
    sql: `create policy unscoped on retrieval as permissive for select to mem_app
        using (coalesce(current_setting('app.tenant_id', true), '') = '');
      drop policy tenant_only on retrieval`,
    noticedBy: ['context'],
  },
  { name: 'the owner may be changed', sql: 'grant update (owner_id) on memory to mem_app', noticedBy: ['catalogue'] },
  { name: 'the worker reads text', sql: 'grant select (text) on memory to mem_worker', noticedBy: ['overreach'] },
  { name: 'mem_text changes the scope', sql: 'grant update (scope) on memory to mem_text', noticedBy: ['catalogue'] },
  {
    name: 'operators read memories',
    sql: 'grant select on memory to mem_operator; create policy operator_read on memory for select to mem_operator using (true)',
    noticedBy: ['overreach'],
  },
  { name: 'nobody guards where a memory moves', sql: 'drop trigger guard on memory', noticedBy: ['references'] },
  {
    name: 'the audience of a vector is the writer’s word',
    sql: 'alter table embedding disable trigger copy_audience',
    noticedBy: ['references'],
  },
  {
    name: 'hits in another’s retrieval',
    sql: 'alter policy app_write on retrieval_hit with check (exists (select from memory m where m.id = memory_id))',
    noticedBy: ['references'],
  },
  {
    name: 'hidden and random ids are told apart',
    sql: `create or replace function record_vote(p_memory uuid, p_helpful boolean, p_retrieval uuid, p_note text, p_at timestamptz)
      returns uuid language plpgsql security definer set search_path = '' as $$ begin
        if not exists (select from public.memory where id = p_memory) then raise exception 'no such memory'; end if;
        raise exception using errcode = '42501', message = 'hidden';
      end $$;
      alter function record_vote(uuid, boolean, uuid, text, timestamptz) owner to mem_definer`,
    noticedBy: ['references'],
  },
  {
    name: 'groups of everyone',
    sql: `create or replace function my_groups() returns uuid[] language sql stable security definer set search_path = '' as
      $$ select coalesce(array_agg(g.id), '{}') from public.project_group g where g.tenant_id = public.current_tenant() $$`,
    noticedBy: ['matrix'],
  },
  {
    name: 'a group is the whole tenant',
    sql: `create policy group_read on memory for select to mem_app using (scope = 'group' and (select is_member()))`,
    noticedBy: ['matrix'],
  },
  {
    name: 'admins see what groups share',
    sql: `create or replace function my_groups() returns uuid[] language sql stable security definer set search_path = '' as
      $$ select coalesce(array_agg(distinct g.group_id), '{}') from public.group_project g
        where g.tenant_id = public.current_tenant()
          and (g.project_id = any (public.my_projects()) or public.is_tenant_admin()) $$`,
    noticedBy: ['matrix'],
  },
  {
    name: 'every member captures into a group',
    sql: `create or replace function my_maintained_groups() returns uuid[] language sql stable security definer
      set search_path = '' as $$ select public.my_groups() $$`,
    noticedBy: ['moves'],
  },
  {
    name: 'no project reviews',
    sql: `create or replace function my_open_projects() returns uuid[] language sql stable security definer
      set search_path = '' as $$ select public.my_contributor_projects() $$`,
    noticedBy: ['moves'],
  },
  {
    name: 'proposals read by the whole tenant',
    sql: 'alter policy app_read on proposal using ((select is_member()))',
    noticedBy: ['matrix'],
  },
  {
    name: 'proposals for what is another’s',
    sql: `alter policy app_write on proposal with check (proposer_id = (select uid()) and exists (select from memory m
      where m.tenant_id = proposal.tenant_id and m.id = proposal.memory_id))`,
    noticedBy: ['moves'],
  },
  {
    name: 'proposers decide',
    sql: `create or replace function decides_proposal(p public.proposal) returns boolean language sql stable
      security definer set search_path = '' as $$ select true $$`,
    noticedBy: ['moves'],
  },
  {
    name: 'changes of audience read with the memory',
    sql: `alter policy app_read on audience_change using (exists (select from memory m
      where m.tenant_id = audience_change.tenant_id and m.id = audience_change.memory_id))`,
    noticedBy: ['matrix'],
  },
  {
    name: 'anyone gives memories away',
    sql: `create or replace function transfer_memory(p_memory uuid, p_to uuid) returns void language sql
      security definer set search_path = '' as $$ update public.memory set owner_id = p_to where id = p_memory $$`,
    noticedBy: ['moves', 'references'],
  },
  {
    name: 'any maintainer lets his project join any group',
    sql: `alter policy app_write on group_project
      with check (project_id = any ((select my_contributor_projects())::uuid[]))`,
    noticedBy: ['moves'],
  },
  {
    name: 'a new table without anything',
    sql: 'create table note (tenant_id uuid not null, id uuid); alter table note owner to mem_owner; grant select on note to mem_app',
    noticedBy: ['catalogue'],
  },
  {
    name: 'a natural key across tenants',
    sql: 'create unique index project_slug on project (slug, id)',
    noticedBy: ['catalogue'],
  },
  {
    name: 'the record of audiences seen by the whole tenant',
    sql: 'create policy everyone on audience_change for select to mem_app using ((select is_member()))',
    noticedBy: ['matrix'],
  },
  {
    name: 'settings of projects one is not in',
    sql: 'create policy everyone on setting for select to mem_app using ((select is_member()))',
    noticedBy: ['matrix'],
  },
  {
    name: 'recall rules of others',
    sql: 'create policy everyone on recall_rule for select to mem_app using ((select is_member()))',
    noticedBy: ['matrix'],
  },
  {
    name: 'who left is told to everyone',
    sql: 'create policy everyone on departure for select to mem_app using ((select is_member()))',
    noticedBy: ['matrix'],
  },
  {
    name: 'what colleagues did by day',
    sql: 'create policy everyone on usage_day for select to mem_app using ((select is_member()))',
    noticedBy: ['matrix'],
  },
  {
    name: 'the days of memories that one does not see',
    sql: 'create policy everyone on memory_day for select to mem_app using ((select is_member()))',
    noticedBy: ['matrix'],
  },
  {
    name: 'a tenant changes its own quota',
    sql: 'grant update (memories) on quota to mem_app',
    noticedBy: ['catalogue'],
  },
  {
    name: 'codes of devices can be read',
    sql: 'grant select on device_code to mem_app; create policy own on device_code for select to mem_app using (true)',
    noticedBy: ['catalogue'],
  },
  {
    name: 'the audit can be changed',
    sql: 'grant update (action) on audit to mem_app',
    noticedBy: ['overreach', 'catalogue'],
  },
  {
    name: 'the audit is told to everyone',
    sql: 'create policy everyone on audit for select to mem_app using ((select is_member()))',
    noticedBy: ['matrix'],
  },
];
