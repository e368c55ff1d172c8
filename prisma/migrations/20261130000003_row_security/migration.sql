-- Row-level security. Each table has one restrictive policy, the tenant, which is AND-ed with everything and so cannot be
-- widened by a later one; and permissive policies per command for each role. FORCE, so that the owner is bound too; on
-- each partition as well, because a partition read by its own name knows only its own policies.

-- ── The restrictive policy, ENABLE and FORCE ────────────────────────────────────────────────────────────────────────

do $$
declare
  r record;
begin
  for r in
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and c.relname <> '_prisma_migrations'
  loop
    execute format('alter table %I enable row level security, force row level security', r.name);
    if r.name in ('operator', 'operator_code') then
      continue; -- of no tenant; reached through functions alone, so nobody has a policy
    end if;
    execute format(
      'create policy tenant_only on %I as restrictive to mem_app, mem_worker, mem_text
         using (%2$I = (select current_tenant())) with check (%2$I = (select current_tenant()))',
      r.name, case r.name when 'tenant' then 'id' else 'tenant_id' end);
  end loop;
end $$;

-- ── Memory and embedding: the one visibility predicate ──────────────────────────────────────────────────────────────
-- Its text is made here and nowhere else. A migration that adds a scope replaces these functions and calls
-- memory_policies() again. `embedding` carries the audience itself, so both tables take the same text.

create function visibility_predicate() returns text language sql immutable as $$
  select $p$(scope = 'private' and owner_id = (select uid())
    or scope = 'project' and project_id = any ((select my_projects())::uuid[])
    or scope = 'tenant' and (select is_member()))$p$
$$;

-- Into which audience one may put a memory of one's own.
create function capture_predicate() returns text language sql immutable as $$
  select $p$(owner_id = (select uid()) and (
      scope = 'private'
      or scope = 'project' and project_id = any ((select my_contributor_projects())::uuid[])
      or scope = 'tenant' and ((select is_tenant_admin()) or cardinality((select my_maintained_projects())) > 0)))$p$
$$;

-- What one may change: what one may still capture, and as maintainer or admin what others shared.
create function edit_predicate() returns text language sql stable as $$
  select '(' || capture_predicate() || $p$
    or scope = 'project' and project_id = any ((select my_maintained_projects())::uuid[])
    or scope = 'tenant' and (select is_tenant_admin()))$p$
$$;

create procedure memory_policies() language plpgsql as $$
declare
  visible text := visibility_predicate();
  capture text := capture_predicate();
  edit text := edit_predicate();
  r record;
begin
  for r in
    select schemaname, tablename, policyname from pg_policies
    where schemaname = 'public' and tablename in ('memory', 'embedding', 'revision') and policyname like 'app\_%'
  loop
    execute format('drop policy %I on %I', r.policyname, r.tablename);
  end loop;
  execute 'create policy app_read on memory for select to mem_app using ' || visible;
  execute 'create policy app_write on memory for insert to mem_app with check (' || capture || $p$
    and (project_id is null or project_id = any ((select my_projects())::uuid[]))
    and (session_id is null
      or exists (select from work_session s where s.tenant_id = memory.tenant_id and s.id = session_id)))$p$;
  execute format('create policy app_change on memory for update to mem_app using (%1$s and %2$s) with check (%1$s and %2$s)',
    visible, edit);
  execute 'create policy app_read on embedding for select to mem_app using ' || visible;
  execute format('create policy app_write on embedding for insert to mem_app with check (%s and %s)', visible, edit);
  execute 'create policy app_read on revision for select to mem_app using (exists (select from memory m
    where m.tenant_id = revision.tenant_id and m.id = revision.memory_id))';
  execute format('create policy app_write on revision for insert to mem_app with check (author_id = (select uid())
    and exists (select from memory m where m.tenant_id = revision.tenant_id and m.id = revision.memory_id and %s))', edit);
end $$;

call memory_policies();

-- ── What people do (mem_app) ────────────────────────────────────────────────────────────────────────────────────────

create policy app_read on tenant for select to mem_app using ((select is_member()));
create policy app_change on tenant for update to mem_app
  using ((select is_tenant_admin())) with check ((select is_tenant_admin()));

create policy app_read on app_user for select to mem_app using (id = (select uid()) or (select is_tenant_admin()));
-- An admin makes no owners and changes none; nobody raises himself.
create policy app_write on app_user for insert to mem_app
  with check ((select my_tenant_role()) = 'owner' or (select my_tenant_role()) = 'admin' and role <> 'owner');
create policy app_change on app_user for update to mem_app
  using (id = (select uid()) or (select my_tenant_role()) = 'owner'
    or (select my_tenant_role()) = 'admin' and role <> 'owner')
  with check (id = (select uid()) and role = (select my_tenant_role())
    or (select my_tenant_role()) = 'owner' or (select my_tenant_role()) = 'admin' and role <> 'owner');

create policy app_read on project for select to mem_app
  using (id = any ((select my_projects())::uuid[]) or (select is_tenant_admin()));
create policy app_write on project for insert to mem_app with check (
  created_by = (select uid()) and ((select is_tenant_admin()) or cardinality((select my_maintained_projects())) > 0));
create policy app_change on project for update to mem_app
  using (id = any ((select my_maintained_projects())::uuid[]) or (select is_tenant_admin()))
  with check (id = any ((select my_maintained_projects())::uuid[]) or (select is_tenant_admin()));
create policy app_remove on project for delete to mem_app using ((select is_tenant_admin()));

create policy app_read on project_remote for select to mem_app
  using (project_id = any ((select my_projects())::uuid[]) or (select is_tenant_admin()));
create policy app_write on project_remote for insert to mem_app
  with check (project_id = any ((select my_maintained_projects())::uuid[]) or (select is_tenant_admin()));
create policy app_remove on project_remote for delete to mem_app using ((select is_tenant_admin()));

-- One's own rows and those of one's projects; through a function, because a policy that reads its own table recurses.
create policy app_read on membership for select to mem_app using (
  user_id = (select uid()) or project_id = any ((select my_projects())::uuid[]) or (select is_tenant_admin()));
create policy app_write on membership for insert to mem_app
  with check (project_id = any ((select my_maintained_projects())::uuid[]) or (select is_tenant_admin()));
create policy app_change on membership for update to mem_app
  using (project_id = any ((select my_maintained_projects())::uuid[]) or (select is_tenant_admin()))
  with check (project_id = any ((select my_maintained_projects())::uuid[]) or (select is_tenant_admin()));
create policy app_remove on membership for delete to mem_app using ((select is_tenant_admin()));

create policy app_read on invitation for select to mem_app
  using (user_id = (select uid()) or (select is_tenant_admin()));
-- An admin invites new people, up to his own role. A code for an existing user is made by that user alone: an admin who
-- could make one could read that user's private memories.
create policy app_write on invitation for insert to mem_app with check (
  invited_by = (select uid()) and used_at is null and (
    user_id = (select uid()) and role = (select my_tenant_role()) and project_id is null
    or user_id is null and ((select my_tenant_role()) = 'owner' or (select my_tenant_role()) = 'admin' and role <> 'owner')));
create policy app_change on invitation for update to mem_app
  using (used_at is null and (invited_by = (select uid()) or (select is_tenant_admin())))
  with check (used_at is null and (invited_by = (select uid()) or (select is_tenant_admin())));

create policy app_read on login_session for select to mem_app
  using (user_id = (select uid()) or (select is_tenant_admin()));
create policy app_write on login_session for insert to mem_app
  with check (user_id = (select uid()) and revoked_at is null);
-- Only a living row can be changed, so that what is revoked stays revoked.
create policy app_change on login_session for update to mem_app
  using (revoked_at is null and (user_id = (select uid()) or (select is_tenant_admin())))
  with check (user_id = (select uid()) or (select is_tenant_admin()));

create policy app_read on access_token for select to mem_app
  using (user_id = (select uid()) or (select is_tenant_admin()));
create policy app_write on access_token for insert to mem_app with check (
  user_id = (select uid()) and revoked_at is null and exists (select from login_session s
    where s.tenant_id = access_token.tenant_id and s.id = session_id and s.user_id = access_token.user_id));
create policy app_change on access_token for update to mem_app
  using (revoked_at is null and (user_id = (select uid()) or (select is_tenant_admin())))
  with check (user_id = (select uid()) or (select is_tenant_admin()));

create policy app_read on work_session for select to mem_app using (user_id = (select uid()));
create policy app_write on work_session for insert to mem_app with check (
  user_id = (select uid()) and (project_id is null or project_id = any ((select my_projects())::uuid[])));
create policy app_change on work_session for update to mem_app
  using (user_id = (select uid())) with check (user_id = (select uid()));

create policy app_read on memory_stat for select to mem_app using (exists (select from memory m
  where m.tenant_id = memory_stat.tenant_id and m.id = memory_stat.memory_id));

create policy app_read on link for select to mem_app using (
  exists (select from memory m where m.tenant_id = link.tenant_id and m.id = link.from_id)
  and exists (select from memory m where m.tenant_id = link.tenant_id and m.id = link.to_id));
-- A link starts or ends at a memory of one's own; both ends must be visible.
create policy app_write on link for insert to mem_app with check (
  exists (select from memory m where m.tenant_id = link.tenant_id and m.id = link.from_id)
  and exists (select from memory m where m.tenant_id = link.tenant_id and m.id = link.to_id)
  and exists (select from memory m where m.tenant_id = link.tenant_id and m.id in (link.from_id, link.to_id)
    and m.owner_id = (select uid())));

create policy app_read on idempotency_key for select to mem_app using (user_id = (select uid()));
create policy app_write on idempotency_key for insert to mem_app with check (user_id = (select uid()));
create policy app_change on idempotency_key for update to mem_app
  using (user_id = (select uid())) with check (user_id = (select uid()));

create policy app_read on retrieval for select to mem_app using (user_id = (select uid()));
create policy app_write on retrieval for insert to mem_app with check (
  user_id = (select uid()) and (project_id is null or project_id = any ((select my_projects())::uuid[])));
create policy app_read on retrieval_hit for select to mem_app using (exists (select from retrieval r
  where r.tenant_id = retrieval_hit.tenant_id and r.id = retrieval_hit.retrieval_id and r.user_id = (select uid())));
create policy app_write on retrieval_hit for insert to mem_app with check (
  exists (select from retrieval r where r.tenant_id = retrieval_hit.tenant_id and r.id = retrieval_hit.retrieval_id
    and r.user_id = (select uid()))
  and exists (select from memory m where m.tenant_id = retrieval_hit.tenant_id and m.id = retrieval_hit.memory_id));

create policy app_read on vote for select to mem_app using (user_id = (select uid()));
-- Shown to the voter, and still visible.
create policy app_write on vote for insert to mem_app with check (
  user_id = (select uid())
  and exists (select from retrieval_hit h where h.tenant_id = vote.tenant_id and h.retrieval_id = vote.retrieval_id
    and h.memory_id = vote.memory_id)
  and exists (select from memory m where m.tenant_id = vote.tenant_id and m.id = vote.memory_id));
create policy app_change on vote for update to mem_app using (user_id = (select uid())) with check (
  user_id = (select uid())
  and exists (select from memory m where m.tenant_id = vote.tenant_id and m.id = vote.memory_id));
create policy app_remove on vote for delete to mem_app using (user_id = (select uid()));

-- Others' questions are read with the memory, by the ranking only: vectors, no words.
create policy app_read on vote_question for select to mem_app using (exists (select from memory m
  where m.tenant_id = vote_question.tenant_id and m.id = vote_question.memory_id));
create policy app_write on vote_question for insert to mem_app with check (
  user_id = (select uid())
  and exists (select from vote v where v.tenant_id = vote_question.tenant_id and v.user_id = vote_question.user_id
    and v.retrieval_id = vote_question.retrieval_id and v.memory_id = vote_question.memory_id)
  and exists (select from memory m where m.tenant_id = vote_question.tenant_id and m.id = vote_question.memory_id));
create policy app_remove on vote_question for delete to mem_app using (user_id = (select uid()));

create policy app_read on maintenance_run for select to mem_app
  using (requested_by = (select uid()) or (select is_tenant_admin()));
create policy app_write on maintenance_run for insert to mem_app with check (
  requested_by = (select uid()) and status = 'requested' and (select is_tenant_admin()));
create policy app_read on maintenance_step for select to mem_app using (exists (select from maintenance_run r
  where r.tenant_id = maintenance_step.tenant_id and r.id = maintenance_step.run_id));
create policy app_read on schedule for select to mem_app using ((select is_tenant_admin()));
create policy app_change on schedule for update to mem_app
  using ((select is_tenant_admin())) with check ((select is_tenant_admin()));

-- Written with the change it belongs to, which the writer must see.
create policy app_write on outbox for insert to mem_app with check (
  kind = 'memory.embed'
    and exists (select from memory m where m.tenant_id = outbox.tenant_id and m.id = outbox.subject_id)
  or kind = 'maintenance.requested'
    and exists (select from maintenance_run r where r.tenant_id = outbox.tenant_id and r.id = outbox.subject_id)
  or kind = 'schedule.changed' and subject_id = tenant_id and (select is_tenant_admin()));

create policy app_read on audit for select to mem_app using ((select is_tenant_admin()));

-- ── What the machines do ────────────────────────────────────────────────────────────────────────────────────────────
-- Their rows are the tenant's; what they may do with them is in the column grants.

do $$
declare
  r record;
begin
  for r in select * from (values
    ('tenant', 'mem_worker', 'select'), ('tenant', 'mem_text', 'select'),
    ('memory', 'mem_worker', 'select'), ('memory', 'mem_worker', 'update'),
    ('memory', 'mem_text', 'select'), ('memory', 'mem_text', 'update'),
    ('memory_stat', 'mem_worker', 'select'), ('memory_stat', 'mem_worker', 'update'),
    ('embedding', 'mem_worker', 'select'), ('embedding', 'mem_text', 'select'), ('embedding', 'mem_text', 'insert'),
    ('revision', 'mem_text', 'select'), ('revision', 'mem_text', 'insert'),
    ('link', 'mem_worker', 'select'), ('link', 'mem_worker', 'insert'), ('link', 'mem_worker', 'delete'),
    ('link', 'mem_text', 'select'), ('link', 'mem_text', 'insert'),
    ('vote', 'mem_worker', 'select'),
    ('credit_ledger', 'mem_worker', 'select'), ('credit_ledger', 'mem_worker', 'insert'), ('credit_ledger', 'mem_worker', 'delete'),
    ('snapshot', 'mem_worker', 'select'), ('snapshot', 'mem_worker', 'insert'), ('snapshot', 'mem_worker', 'delete'),
    ('maintenance_run', 'mem_worker', 'select'), ('maintenance_run', 'mem_worker', 'insert'), ('maintenance_run', 'mem_worker', 'update'),
    ('maintenance_step', 'mem_worker', 'select'), ('maintenance_step', 'mem_worker', 'insert'),
    ('schedule', 'mem_worker', 'select'),
    ('outbox', 'mem_worker', 'select'), ('outbox', 'mem_worker', 'insert')
  ) as v (name, role, command)
  loop
    execute format('create policy %I on %I for %s to %I %s',
      replace(r.role, 'mem_', '') || '_' || r.command, r.name, r.command, r.role,
      case r.command
        when 'insert' then 'with check ((select current_tenant()) is not null)'
        when 'update' then 'using ((select current_tenant()) is not null) with check ((select current_tenant()) is not null)'
        else 'using ((select current_tenant()) is not null)'
      end);
  end loop;
end $$;

-- ── Operators: tenants, never what is in them ───────────────────────────────────────────────────────────────────────

create policy operator_read on tenant for select to mem_operator using (true);
create policy operator_change on tenant for update to mem_operator using (true) with check (true);
