-- Groups of projects, the scope `group`, projects that review what is shared into them, and the record of every change of
-- audience. The rules: who sees a memory is widened by its owner, or by who may approve what the owner proposed; it is
-- narrowed by its owner; nothing here widens by itself.

-- ── Tables ──────────────────────────────────────────────────────────────────────────────────────────────────────────

create table project_group (
  tenant_id uuid not null references tenant (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  slug text not null check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  name text not null check (length(name) between 1 and 200),
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, slug),
  foreign key (tenant_id, created_by) references app_user (tenant_id, id) on delete set null (created_by)
);

create table group_project (
  tenant_id uuid not null,
  group_id uuid not null,
  project_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, group_id, project_id),
  foreign key (tenant_id, group_id) references project_group (tenant_id, id) on delete cascade,
  foreign key (tenant_id, project_id) references project (tenant_id, id) on delete cascade
);
create index group_project_project on group_project (tenant_id, project_id);

alter table project add column review_required boolean not null default false;

-- A group's memory keeps the project it comes from, so that it can always be moved back there: a narrower audience, which
-- is why the pair must be in the group. The key also stops a project from leaving while memories of it are in the group.
alter table memory add column group_id uuid;
alter table memory drop constraint memory_scope_check;
alter table memory add constraint memory_scope_check check (scope in ('private', 'project', 'group', 'tenant')) not valid;
alter table memory add constraint memory_group_check
  check ((scope = 'group') = (group_id is not null) and (group_id is null or project_id is not null)) not valid;
alter table memory add constraint memory_group_fkey
  foreign key (tenant_id, group_id, project_id) references group_project (tenant_id, group_id, project_id) not valid;
alter table memory validate constraint memory_scope_check;
alter table memory validate constraint memory_group_check;
alter table memory validate constraint memory_group_fkey;
create index memory_group on memory (tenant_id, group_id) where group_id is not null;

alter table embedding add column group_id uuid;
create index embedding_group on embedding (tenant_id, group_id);

-- A private memory that its owner asks to share where he may not: with a copy of the words, because those who decide do
-- not see it. The copy goes when it is decided, and when what it copies changes.
create table proposal (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  memory_id uuid not null,
  revision integer not null,
  proposer_id uuid not null,
  action text not null default 'share' check (action in ('share')),
  to_scope text not null check (to_scope in ('project', 'group', 'tenant')),
  to_project_id uuid,
  to_group_id uuid,
  title text,
  text text,
  parts jsonb, -- {tags, filesModified, errorsResolved, alternatives}
  state text not null default 'pending' check (state in ('pending', 'approved', 'declined', 'withdrawn', 'stale')),
  reason text check (length(reason) between 1 and 2000),
  decided_by uuid,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  check ((to_scope = 'tenant') = (to_project_id is null) and (to_scope = 'group') = (to_group_id is not null)),
  check ((state = 'pending') = (decided_at is null)),
  check (num_nonnulls(title, text, parts) = case state when 'pending' then 3 else 0 end),
  foreign key (tenant_id, memory_id) references memory (tenant_id, id) on delete cascade,
  foreign key (tenant_id, proposer_id) references app_user (tenant_id, id) on delete cascade,
  foreign key (tenant_id, to_project_id) references project (tenant_id, id) on delete cascade,
  foreign key (tenant_id, to_group_id) references project_group (tenant_id, id) on delete cascade,
  foreign key (tenant_id, decided_by) references app_user (tenant_id, id) on delete set null (decided_by)
);
create unique index proposal_pending on proposal (tenant_id, memory_id) where state = 'pending';
create index proposal_proposer on proposal (tenant_id, proposer_id, created_at desc);
create index proposal_project on proposal (tenant_id, to_project_id, created_at desc);
create index proposal_group on proposal (tenant_id, to_group_id, created_at desc);
create index proposal_memory on proposal (tenant_id, memory_id);

-- Every change of who sees a memory, written by a trigger. Ids without foreign keys: what a memory once belonged to may
-- be gone, and the record of it stays.
create table audience_change (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  memory_id uuid not null,
  number integer not null, -- 1, 2, … within the memory
  from_scope text not null,
  from_project_id uuid,
  from_group_id uuid,
  from_owner_id uuid not null,
  to_scope text not null,
  to_project_id uuid,
  to_group_id uuid,
  to_owner_id uuid not null,
  actor_id uuid,
  action text not null check (action in ('share', 'demote', 'transfer', 'approve', 'undo')),
  created_at timestamptz not null default now(),
  undone_by uuid,
  primary key (tenant_id, id),
  unique (tenant_id, memory_id, number),
  foreign key (tenant_id, memory_id) references memory (tenant_id, id) on delete cascade
);

-- ── Who asks ────────────────────────────────────────────────────────────────────────────────────────────────────────

-- Where one may put a memory without asking: everywhere one contributes, but where the project reviews and one does not
-- maintain it.
create function my_open_projects() returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(m.project_id), '{}') from public.membership m
    join public.project p on p.tenant_id = m.tenant_id and p.id = m.project_id
  where m.user_id = public.uid() and m.tenant_id = public.current_tenant() and public.my_tenant_role() <> 'viewer'
    and (m.role = 'maintainer' or m.role = 'contributor' and not p.review_required)
$$;

create function my_groups() returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(distinct g.group_id), '{}') from public.group_project g
  where g.tenant_id = public.current_tenant() and g.project_id = any ((select public.my_projects())::uuid[])
$$;

create function my_maintained_groups() returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(distinct g.group_id), '{}') from public.group_project g
  where g.tenant_id = public.current_tenant() and g.project_id = any ((select public.my_maintained_projects())::uuid[])
$$;

-- Groups of one's making that no project has joined yet: nobody is in them, so only who made one can begin it.
create function my_empty_groups() returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(g.id), '{}') from public.project_group g
  where g.tenant_id = public.current_tenant() and g.created_by = public.uid()
    and not exists (select from public.group_project p where p.tenant_id = g.tenant_id and p.group_id = g.id)
$$;

-- The same question for someone else: may this person put a memory there? A review asks for no more than contributing.
create function may_keep_there(p_user uuid, p_scope text, p_project uuid, p_group uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.app_user u
    where u.tenant_id = public.current_tenant() and u.id = p_user and u.status = 'active' and u.role <> 'viewer'
      and case p_scope
        when 'project' then exists (select from public.membership m where m.tenant_id = u.tenant_id and m.user_id = u.id
          and m.project_id = p_project and m.role in ('contributor', 'maintainer'))
        when 'group' then exists (select from public.membership m
          join public.group_project g on g.tenant_id = m.tenant_id and g.project_id = m.project_id
          where m.tenant_id = u.tenant_id and m.user_id = u.id and g.group_id = p_group and m.role = 'maintainer')
        when 'tenant' then u.role in ('owner', 'admin') or exists (select from public.membership m
          where m.tenant_id = u.tenant_id and m.user_id = u.id and m.role = 'maintainer')
        else false
      end)
$$;

create function audience_rank(p_scope text) returns integer language sql immutable set search_path = '' as $$
  select array_position(array['private', 'project', 'group', 'tenant'], p_scope)
$$;

-- ── Policies ────────────────────────────────────────────────────────────────────────────────────────────────────────

create or replace function visibility_predicate() returns text language sql immutable as $$
  select $p$(scope = 'private' and owner_id = (select uid())
    or scope = 'project' and project_id = any ((select my_projects())::uuid[])
    or scope = 'group' and group_id = any ((select my_groups())::uuid[])
    or scope = 'tenant' and (select is_member()))$p$
$$;

create or replace function capture_predicate() returns text language sql immutable as $$
  select $p$(owner_id = (select uid()) and (
      scope = 'private'
      or scope = 'project' and project_id = any ((select my_open_projects())::uuid[])
      or scope = 'group' and group_id = any ((select my_maintained_groups())::uuid[])
      or scope = 'tenant' and ((select is_tenant_admin()) or cardinality((select my_maintained_projects())) > 0)))$p$
$$;

-- A contributor keeps changing what he has in a project that reviews; its words and its audience are the guard's.
create or replace function edit_predicate() returns text language sql stable as $$
  select '(' || capture_predicate() || $p$
    or owner_id = (select uid()) and scope = 'project' and project_id = any ((select my_contributor_projects())::uuid[])
    or scope = 'project' and project_id = any ((select my_maintained_projects())::uuid[])
    or scope = 'group' and group_id = any ((select my_maintained_groups())::uuid[])
    or scope = 'tenant' and (select is_tenant_admin()))$p$
$$;

-- As before, but that an owner may always begin to change what he sees of his own: what becomes of it is checked, and to
-- take it back as his own private memory he needs no right but that.
create or replace procedure memory_policies() language plpgsql as $$
declare
  visible text := visibility_predicate();
  capture text := capture_predicate();
  edit text := edit_predicate();
  r record;
begin
  for r in
    select schemaname, tablename, policyname from pg_policies
    where schemaname = 'public' and tablename in ('memory', 'embedding', 'revision', 'audience_change')
      and policyname like 'app\_%'
  loop
    execute format('drop policy %I on %I', r.policyname, r.tablename);
  end loop;
  execute 'create policy app_read on memory for select to mem_app using ' || visible;
  execute 'create policy app_write on memory for insert to mem_app with check (' || capture || $p$
    and (project_id is null or project_id = any ((select my_projects())::uuid[]))
    and (session_id is null
      or exists (select from work_session s where s.tenant_id = memory.tenant_id and s.id = session_id)))$p$;
  execute format('create policy app_change on memory for update to mem_app
    using (%1$s and (owner_id = (select uid()) or %2$s)) with check (%1$s and %2$s)', visible, edit);
  execute 'create policy app_read on embedding for select to mem_app using ' || visible;
  execute format('create policy app_write on embedding for insert to mem_app with check (%s and %s)', visible, edit);
  execute 'create policy app_read on revision for select to mem_app using (exists (select from memory m
    where m.tenant_id = revision.tenant_id and m.id = revision.memory_id))';
  execute format('create policy app_write on revision for insert to mem_app with check (author_id = (select uid())
    and exists (select from memory m where m.tenant_id = revision.tenant_id and m.id = revision.memory_id and %s))', edit);
  execute format('create policy app_read on audience_change for select to mem_app using (exists (select from memory m
    where m.tenant_id = audience_change.tenant_id and m.id = audience_change.memory_id
      and (m.owner_id = (select uid()) or %s)))', edit);
end $$;

do $$
declare
  r record;
begin
  for r in select unnest(array['project_group', 'group_project', 'proposal', 'audience_change']) as name loop
    execute format('alter table %I enable row level security, force row level security', r.name);
    execute format(
      'create policy tenant_only on %I as restrictive to mem_app, mem_worker, mem_text
         using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))', r.name);
  end loop;
end $$;

call memory_policies();

create policy app_read on project_group for select to mem_app using (id = any ((select my_groups())::uuid[])
  or id = any ((select my_empty_groups())::uuid[]) or (select is_tenant_admin()));
create policy app_write on project_group for insert to mem_app with check (
  created_by = (select uid()) and ((select is_tenant_admin()) or cardinality((select my_maintained_projects())) > 0));
create policy app_change on project_group for update to mem_app
  using (id = any ((select my_maintained_groups())::uuid[]) or id = any ((select my_empty_groups())::uuid[])
    or (select is_tenant_admin()))
  with check (id = any ((select my_maintained_groups())::uuid[]) or id = any ((select my_empty_groups())::uuid[])
    or (select is_tenant_admin()));
create policy app_remove on project_group for delete to mem_app using ((select is_tenant_admin()));

-- A project's joining shows it what is in the group: so it takes an admin, or someone who answers for both sides.
create policy app_read on group_project for select to mem_app
  using (group_id = any ((select my_groups())::uuid[]) or (select is_tenant_admin()));
create policy app_write on group_project for insert to mem_app with check ((select is_tenant_admin())
  or project_id = any ((select my_maintained_projects())::uuid[]) and (
    group_id = any ((select my_maintained_groups())::uuid[]) or group_id = any ((select my_empty_groups())::uuid[])));
create policy app_remove on group_project for delete to mem_app
  using (project_id = any ((select my_maintained_projects())::uuid[]) or (select is_tenant_admin()));

create policy app_read on proposal for select to mem_app using (
  proposer_id = (select uid())
  or to_scope = 'project' and to_project_id = any ((select my_maintained_projects())::uuid[])
  or to_scope = 'group' and to_group_id = any ((select my_maintained_groups())::uuid[])
  or to_scope = 'tenant' and (select is_tenant_admin()));
create policy app_write on proposal for insert to mem_app with check (
  proposer_id = (select uid()) and (select my_tenant_role()) <> 'viewer'
  and exists (select from memory m where m.tenant_id = proposal.tenant_id and m.id = proposal.memory_id
    and m.owner_id = (select uid()) and m.state = 'active')
  and (to_project_id is null or to_project_id = any ((select my_contributor_projects())::uuid[]))
  and (to_group_id is null or exists (select from group_project g where g.tenant_id = proposal.tenant_id
    and g.group_id = proposal.to_group_id and g.project_id = proposal.to_project_id)));

-- ── Grants ──────────────────────────────────────────────────────────────────────────────────────────────────────────

do $$
declare
  r record;
begin
  for r in select unnest(array['my_open_projects()', 'my_groups()', 'my_maintained_groups()', 'my_empty_groups()']) as name
  loop
    execute format('alter function %s owner to mem_definer', r.name);
    execute format('grant execute on function %s to mem_app, mem_worker, mem_text', r.name);
  end loop;
end $$;
alter function may_keep_there(uuid, text, uuid, uuid) owner to mem_definer;
grant execute on function audience_rank(text) to mem_app, mem_definer;

grant select on project_group, group_project, proposal, audience_change to mem_app, mem_backup;
grant select, insert, update, delete on project_group, group_project, proposal, audience_change to mem_definer;
grant insert on project_group, group_project to mem_app;
grant insert (tenant_id, id, memory_id, proposer_id, to_scope, to_project_id, to_group_id) on proposal to mem_app;
grant update (slug, name) on project_group to mem_app;
grant update (review_required) on project to mem_app;
grant update (group_id) on memory to mem_app;
grant delete on project_group, group_project to mem_app;
grant select (group_id) on memory to mem_worker;

-- ── What keeps itself ───────────────────────────────────────────────────────────────────────────────────────────────

-- What a policy cannot compare. The functions below that run as mem_definer have checked for themselves.
create or replace function guard_memory() returns trigger language plpgsql set search_path = '' as $$
declare
  v_moved boolean := (new.scope, new.project_id, new.group_id) is distinct from (old.scope, old.project_id, old.group_id);
begin
  if current_user = 'mem_definer' then
    return new;
  end if;
  if v_moved and (old.owner_id is distinct from public.uid()
      or new.project_id is distinct from old.project_id and new.project_id <> all (public.my_projects()))
    or new.merged_into is distinct from old.merged_into and new.merged_into is not null
      and not exists (select from public.memory m where m.tenant_id = new.tenant_id and m.id = new.merged_into)
    or new.superseded_by is distinct from old.superseded_by and new.superseded_by is not null
      and not exists (select from public.memory m where m.tenant_id = new.tenant_id and m.id = new.superseded_by) then
    raise exception using errcode = '42501', message = 'new row violates row-level security policy for table "memory"';
  end if;
  -- Where a project reviews, neither the memory nor other words for it come in without a maintainer.
  if new.scope = 'project' and new.project_id <> all (public.my_open_projects())
    and new.project_id = any (public.my_contributor_projects())
    and (v_moved or (new.title, new.text, new.tags, new.files_modified, new.errors_resolved, new.alternatives)
      is distinct from (old.title, old.text, old.tags, old.files_modified, old.errors_resolved, old.alternatives)) then
    raise exception using errcode = 'TM072', message = 'the project reviews what is shared into it';
  end if;
  return new;
end $$;
drop trigger guard on memory;
create trigger guard before update on memory for each row
  when ((new.scope, new.project_id, new.group_id, new.merged_into, new.superseded_by, new.title, new.text, new.tags,
      new.files_modified, new.errors_resolved, new.alternatives)
    is distinct from (old.scope, old.project_id, old.group_id, old.merged_into, old.superseded_by, old.title, old.text,
      old.tags, old.files_modified, old.errors_resolved, old.alternatives))
  execute function guard_memory();

create or replace function copy_audience() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select m.scope, m.owner_id, m.project_id, m.group_id into new.scope, new.owner_id, new.project_id, new.group_id
    from public.memory m where m.tenant_id = new.tenant_id and m.id = new.memory_id;
  if not found then
    new.scope := 'private';
    new.owner_id := '00000000-0000-0000-0000-000000000000';
    new.project_id := null;
    new.group_id := null;
  end if;
  return new;
end $$;

-- `app.undoes` names the change that this one takes back; believed only where it does exactly that.
create function record_audience_change(p_old public.memory, p_new public.memory) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_undoes uuid;
  v_id uuid := gen_random_uuid();
begin
  update public.audience_change c set undone_by = v_id
    where c.tenant_id = p_new.tenant_id and c.memory_id = p_new.id and c.undone_by is null
      and c.id::text = current_setting('app.undoes', true)
      and (c.from_scope, c.from_project_id, c.from_group_id, c.from_owner_id)
        is not distinct from (p_new.scope, p_new.project_id, p_new.group_id, p_new.owner_id)
      and (c.to_scope, c.to_project_id, c.to_group_id, c.to_owner_id)
        is not distinct from (p_old.scope, p_old.project_id, p_old.group_id, p_old.owner_id)
    returning c.id into v_undoes;
  insert into public.audience_change (tenant_id, id, memory_id, number, from_scope, from_project_id, from_group_id,
    from_owner_id, to_scope, to_project_id, to_group_id, to_owner_id, actor_id, action, created_at)
  select p_new.tenant_id, v_id, p_new.id, coalesce(max(c.number), 0) + 1, p_old.scope, p_old.project_id, p_old.group_id,
    p_old.owner_id, p_new.scope, p_new.project_id, p_new.group_id, p_new.owner_id, public.uid(),
    case when v_undoes is not null then 'undo' when p_new.owner_id <> p_old.owner_id then 'transfer'
      when public.audience_rank(p_new.scope) < public.audience_rank(p_old.scope) then 'demote' else 'share' end,
    clock_timestamp()
  from public.audience_change c where c.tenant_id = p_new.tenant_id and c.memory_id = p_new.id;
end $$;
alter function record_audience_change(public.memory, public.memory) owner to mem_definer;

create or replace function follow_memory() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if (new.scope, new.owner_id, new.project_id, new.group_id)
    is distinct from (old.scope, old.owner_id, old.project_id, old.group_id) then
    update public.embedding e
      set scope = new.scope, owner_id = new.owner_id, project_id = new.project_id, group_id = new.group_id
      where e.tenant_id = new.tenant_id and e.memory_id = new.id;
    perform public.recompute_evidence(new.tenant_id, array[new.id]);
    perform public.record_audience_change(old, new);
    -- Neighbours lie within one audience: the old ones go, and the embedding loop looks for the new ones.
    delete from public.link l
      where l.tenant_id = new.tenant_id and new.id in (l.from_id, l.to_id) and l.kind = 'neighbour';
    insert into public.outbox (tenant_id, kind, subject_id) values (new.tenant_id, 'memory.embed', new.id);
  end if;
  if new.revision <> old.revision then
    -- Vectors of a text that is no longer there would find the memory for what it does not say.
    delete from public.embedding e
      where e.tenant_id = new.tenant_id and e.memory_id = new.id and e.revision <> new.revision;
  end if;
  -- Whatever changed, a copy that waits for a decision is no longer the memory.
  update public.proposal p
    set state = 'stale', title = null, text = null, parts = null, decided_at = now()
    where p.tenant_id = new.tenant_id and p.memory_id = new.id and p.state = 'pending';
  return null;
end $$;
drop trigger follow on memory;
create trigger follow after update on memory for each row
  when ((new.scope, new.owner_id, new.project_id, new.group_id, new.revision, new.title, new.text, new.tags,
      new.files_modified, new.errors_resolved, new.alternatives)
    is distinct from (old.scope, old.owner_id, old.project_id, old.group_id, old.revision, old.title, old.text, old.tags,
      old.files_modified, old.errors_resolved, old.alternatives)
    or new.state <> 'active' and old.state = 'active')
  execute function follow_memory();

-- The copy is made here, whatever the writer says; of a memory that is not there nothing is copied, and the policy refuses.
create function start_proposal() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select m.revision, m.title, m.text, jsonb_build_object('tags', m.tags, 'filesModified', m.files_modified,
      'errorsResolved', m.errors_resolved, 'alternatives', m.alternatives)
    into new.revision, new.title, new.text, new.parts
    from public.memory m where m.tenant_id = new.tenant_id and m.id = new.memory_id;
  return new;
end $$;
alter function start_proposal() owner to mem_definer;
create trigger start_proposal before insert on proposal for each row execute function start_proposal();

-- Who leaves takes back what he asked for.
create function end_proposals() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.proposal p set state = 'stale', title = null, text = null, parts = null, decided_at = now()
    where p.tenant_id = old.tenant_id and p.state = 'pending' and case tg_table_name
      when 'membership' then p.proposer_id = (to_jsonb(old) ->> 'user_id')::uuid
        and p.to_project_id = (to_jsonb(old) ->> 'project_id')::uuid
      else p.proposer_id = (to_jsonb(old) ->> 'id')::uuid end;
  return null;
end $$;
alter function end_proposals() owner to mem_definer;
create trigger end_proposals after delete on membership for each row execute function end_proposals();
create trigger end_proposals after update on app_user for each row when (new.status = 'removed' and old.status <> 'removed')
  execute function end_proposals();

-- A group's memories keep it from being deleted, and their project from leaving it or being deleted: whoever saw them
-- through it would lose them. The foreign key says the same, in words that nobody should get to see.
create function keep_group_memories() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.memory m where m.tenant_id = old.tenant_id and m.scope = 'group' and case tg_table_name
      when 'project_group' then m.group_id = (to_jsonb(old) ->> 'id')::uuid
      when 'project' then m.project_id = (to_jsonb(old) ->> 'id')::uuid
      else m.group_id = (to_jsonb(old) ->> 'group_id')::uuid and m.project_id = (to_jsonb(old) ->> 'project_id')::uuid
    end) then
    raise exception using errcode = 'TM071', message = 'memories are shared with the group';
  end if;
  return old;
end $$;
alter function keep_group_memories() owner to mem_definer;
create trigger keep_memories before delete on project_group for each row execute function keep_group_memories();
create trigger keep_memories before delete on group_project for each row execute function keep_group_memories();
create trigger keep_memories before delete on project for each row execute function keep_group_memories();

-- ── What people do ──────────────────────────────────────────────────────────────────────────────────────────────────

-- Moves a memory of one's own to another audience. Runs as the caller: the policies and the guard decide.
create function move_memory(p_memory uuid, p_scope text, p_project uuid, p_group uuid, p_wider boolean) returns void
language plpgsql set search_path = '' as $$
declare
  m public.memory;
begin
  select * into m from public.memory x where x.tenant_id = public.current_tenant() and x.id = p_memory for update;
  if not found then
    -- FOR UPDATE takes what one may change; what one may only see is known to be there.
    if exists (select from public.memory x where x.tenant_id = public.current_tenant() and x.id = p_memory) then
      raise exception using errcode = 'TM076', message = 'only its owner moves a memory';
    end if;
    raise exception using errcode = 'TM075', message = 'no such memory';
  end if;
  if m.owner_id <> public.uid() then
    raise exception using errcode = 'TM076', message = 'only its owner moves a memory';
  end if;
  if (m.scope, m.project_id, m.group_id) is not distinct from (p_scope, p_project, p_group) then
    return;
  end if;
  if p_wider and public.audience_rank(p_scope) < public.audience_rank(m.scope)
    or p_wider and m.scope = 'project' and p_scope = 'group' and p_project <> m.project_id
    or not p_wider and public.audience_rank(p_scope) >= public.audience_rank(m.scope)
    or not p_wider and m.scope = 'group' and p_scope = 'project' and not exists (select from public.group_project g
      where g.tenant_id = m.tenant_id and g.group_id = m.group_id and g.project_id = p_project) then
    raise exception using errcode = 'TM078', message = 'not that way';
  end if;
  if p_scope = 'group' and not exists (select from public.group_project g
    where g.tenant_id = m.tenant_id and g.group_id = p_group and g.project_id = p_project) then
    raise exception using errcode = '42501', message = 'new row violates row-level security policy for table "memory"';
  end if;
  update public.memory x set scope = p_scope, project_id = p_project, group_id = p_group, updated_at = now()
    where x.tenant_id = m.tenant_id and x.id = m.id;
end $$;

-- To a wider audience, or one beside: needs what capturing there needs. What the memory has of a project stays its home.
create function share_memory(p_memory uuid, p_scope text, p_project uuid, p_group uuid) returns void
language sql set search_path = '' as $$
  select public.move_memory(p_memory, p_scope, p_project, p_group, true)
$$;

-- To a narrower one: private, the project it comes from, or what the owner could capture into.
create function demote_memory(p_memory uuid, p_scope text, p_project uuid, p_group uuid) returns void
language sql set search_path = '' as $$
  select public.move_memory(p_memory, p_scope, p_project, p_group, false)
$$;

-- Gives a shared memory to someone who could have put it there: by its owner, or by an admin once the owner was removed.
-- Runs as mem_definer, because no door may write an owner.
create function transfer_memory(p_memory uuid, p_to uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  m public.memory;
  v_visible boolean;
  v_orphan boolean;
begin
  select * into m from public.memory x
    where x.tenant_id = public.current_tenant() and x.id = p_memory and x.scope <> 'private' for update;
  v_visible := public.is_member() and (m.scope = 'tenant' or m.scope = 'project' and m.project_id = any (public.my_projects())
    or m.scope = 'group' and m.group_id = any (public.my_groups()));
  v_orphan := public.is_tenant_admin() and exists (select from public.app_user u
    where u.tenant_id = m.tenant_id and u.id = m.owner_id and u.status = 'removed');
  if m.id is null or not coalesce(v_visible or v_orphan, false) then
    raise exception using errcode = 'TM075', message = 'no such memory';
  end if;
  if not v_orphan and m.owner_id <> public.uid() then
    raise exception using errcode = 'TM076', message = 'only its owner moves a memory';
  end if;
  if not public.may_keep_there(p_to, m.scope, m.project_id, m.group_id) then
    raise exception using errcode = 'TM079', message = 'that person could not have captured it there';
  end if;
  update public.memory x set owner_id = p_to, updated_at = now()
    where x.tenant_id = m.tenant_id and x.id = m.id and x.owner_id <> p_to;
end $$;

-- All shared memories of someone who was removed, as far as the other could have captured them; the number given. Private
-- ones are nobody's to give.
create function transfer_memories(p_from uuid, p_to uuid) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  v_given integer;
begin
  if not public.is_tenant_admin() or not exists (select from public.app_user u
    where u.tenant_id = public.current_tenant() and u.id = p_from and u.status = 'removed') then
    raise exception using errcode = 'TM076', message = 'only its owner moves a memory';
  end if;
  update public.memory m set owner_id = p_to, updated_at = now()
    where m.tenant_id = public.current_tenant() and m.owner_id = p_from and m.scope <> 'private'
      and public.may_keep_there(p_to, m.scope, m.project_id, m.group_id);
  get diagnostics v_given = row_count;
  return v_given;
end $$;

-- Takes the latest change back, exactly, where the caller could make the opposite change today. As the caller; a transfer
-- goes back by being transferred.
create function undo_audience_change(p_change uuid) returns void
language plpgsql set search_path = '' as $$
declare
  c public.audience_change;
  m public.memory;
begin
  select * into c from public.audience_change x where x.tenant_id = public.current_tenant() and x.id = p_change;
  if not found then
    raise exception using errcode = 'TM07A', message = 'no such change';
  end if;
  select * into m from public.memory x where x.tenant_id = c.tenant_id and x.id = c.memory_id for update;
  -- Read anew under the lock: another undo may have come first.
  select * into c from public.audience_change x where x.tenant_id = public.current_tenant() and x.id = p_change;
  if m.owner_id is distinct from public.uid() then
    raise exception using errcode = 'TM076', message = 'only its owner moves a memory';
  end if;
  if c.action = 'undo' or c.undone_by is not null
    or (m.scope, m.project_id, m.group_id, m.owner_id)
      is distinct from (c.to_scope, c.to_project_id, c.to_group_id, c.to_owner_id)
    or exists (select from public.audience_change x where x.tenant_id = c.tenant_id and x.memory_id = c.memory_id
      and x.number > c.number and x.action <> 'undo' and x.undone_by is null)
    or c.from_group_id is not null and not exists (select from public.group_project g where g.tenant_id = c.tenant_id
      and g.group_id = c.from_group_id and g.project_id = c.from_project_id) then
    raise exception using errcode = 'TM077', message = 'changed since';
  end if;
  perform set_config('app.undoes', c.id::text, true);
  if c.from_owner_id <> c.to_owner_id then
    perform public.transfer_memory(c.memory_id, c.from_owner_id);
  else
    update public.memory x
      set scope = c.from_scope, project_id = c.from_project_id, group_id = c.from_group_id, updated_at = now()
      where x.tenant_id = c.tenant_id and x.id = c.memory_id;
  end if;
  perform set_config('app.undoes', '', true);
end $$;

-- Moves a group's memories back to the projects they come from, so that it can be deleted or one project leave it. Every
-- project is in the group, so this only narrows. For admins; for one project also its maintainers.
create function return_group_memories(p_group uuid, p_project uuid) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  v_returned integer;
begin
  if not (public.is_tenant_admin() or coalesce(p_project = any (public.my_maintained_projects()), false))
    or not exists (select from public.project_group g where g.tenant_id = public.current_tenant() and g.id = p_group)
    or p_project is not null and not exists (select from public.group_project g
      where g.tenant_id = public.current_tenant() and g.group_id = p_group and g.project_id = p_project) then
    raise exception using errcode = '42501', message = 'permission denied for table memory';
  end if;
  update public.memory m set scope = 'project', group_id = null, updated_at = now()
    where m.tenant_id = public.current_tenant() and m.group_id = p_group
      and (p_project is null or m.project_id = p_project);
  get diagnostics v_returned = row_count;
  return v_returned;
end $$;

-- ── Proposals ───────────────────────────────────────────────────────────────────────────────────────────────────────

create function decides_proposal(p public.proposal) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(case p.to_scope
    when 'project' then p.to_project_id = any (public.my_maintained_projects())
    when 'group' then p.to_group_id = any (public.my_maintained_groups())
    else public.is_tenant_admin() end, false)
$$;

-- The proposal, locked after its memory: a change of the memory locks in that order too.
create function take_proposal(p_id uuid) returns public.proposal
language plpgsql security definer set search_path = '' as $$
declare
  p public.proposal;
begin
  select * into p from public.proposal x where x.tenant_id = public.current_tenant() and x.id = p_id;
  if not found or not (p.proposer_id is not distinct from public.uid() or public.decides_proposal(p)) then
    raise exception using errcode = 'TM073', message = 'no such proposal';
  end if;
  perform from public.memory m where m.tenant_id = p.tenant_id and m.id = p.memory_id for update;
  select * into p from public.proposal x where x.tenant_id = p.tenant_id and x.id = p.id for update;
  if p.state <> 'pending' then
    raise exception using errcode = 'TM074', message = 'the proposal is decided';
  end if;
  return p;
end $$;

create function end_proposal(p public.proposal, p_state text, p_reason text) returns void
language sql security definer set search_path = '' as $$
  update public.proposal x
    set state = p_state, reason = p_reason, decided_by = public.uid(), decided_at = clock_timestamp(),
      title = null, text = null, parts = null
    where x.tenant_id = p.tenant_id and x.id = p.id
$$;

-- Widens what its owner proposed; answers 'approved', or 'stale' where it is no longer what was proposed or the proposer
-- could no longer propose it.
create function approve_proposal(p_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  p public.proposal := public.take_proposal(p_id);
  v_stands boolean;
begin
  if not public.decides_proposal(p) then
    raise exception using errcode = 'TM07B', message = 'a proposer does not decide';
  end if;
  select m.owner_id = p.proposer_id and m.revision = p.revision and m.state = 'active'
      and (m.scope, m.project_id, m.group_id) is distinct from (p.to_scope, p.to_project_id, p.to_group_id)
      and public.audience_rank(m.scope) <= public.audience_rank(p.to_scope)
      and exists (select from public.app_user u where u.tenant_id = p.tenant_id and u.id = p.proposer_id
        and u.status = 'active' and u.role <> 'viewer')
      and (p.to_project_id is null or public.may_keep_there(p.proposer_id, 'project', p.to_project_id, null))
      and (p.to_group_id is null or exists (select from public.group_project g
        where g.tenant_id = p.tenant_id and g.group_id = p.to_group_id and g.project_id = p.to_project_id))
    into v_stands from public.memory m where m.tenant_id = p.tenant_id and m.id = p.memory_id;
  if not coalesce(v_stands, false) then
    perform public.end_proposal(p, 'stale', null);
    return 'stale';
  end if;
  perform public.end_proposal(p, 'approved', null);
  update public.memory m
    set scope = p.to_scope, project_id = p.to_project_id, group_id = p.to_group_id, updated_at = now()
    where m.tenant_id = p.tenant_id and m.id = p.memory_id;
  update public.audience_change c set action = 'approve'
    where c.tenant_id = p.tenant_id and c.memory_id = p.memory_id and c.number = (
      select max(x.number) from public.audience_change x where x.tenant_id = p.tenant_id and x.memory_id = p.memory_id);
  return 'approved';
end $$;

create function decline_proposal(p_id uuid, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  p public.proposal := public.take_proposal(p_id);
begin
  if not public.decides_proposal(p) then
    raise exception using errcode = 'TM07B', message = 'a proposer does not decide';
  end if;
  perform public.end_proposal(p, 'declined', p_reason);
end $$;

create function withdraw_proposal(p_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  p public.proposal := public.take_proposal(p_id);
begin
  if p.proposer_id <> public.uid() then
    raise exception using errcode = 'TM07B', message = 'only its proposer withdraws a proposal';
  end if;
  perform public.end_proposal(p, 'withdrawn', null);
end $$;

alter function transfer_memory(uuid, uuid) owner to mem_definer;
alter function transfer_memories(uuid, uuid) owner to mem_definer;
alter function return_group_memories(uuid, uuid) owner to mem_definer;
alter function decides_proposal(public.proposal) owner to mem_definer;
alter function take_proposal(uuid) owner to mem_definer;
alter function end_proposal(public.proposal, text, text) owner to mem_definer;
alter function approve_proposal(uuid) owner to mem_definer;
alter function decline_proposal(uuid, text) owner to mem_definer;
alter function withdraw_proposal(uuid) owner to mem_definer;

grant execute on function move_memory(uuid, text, uuid, uuid, boolean), share_memory(uuid, text, uuid, uuid),
  demote_memory(uuid, text, uuid, uuid), transfer_memory(uuid, uuid), transfer_memories(uuid, uuid),
  undo_audience_change(uuid), return_group_memories(uuid, uuid), approve_proposal(uuid), decline_proposal(uuid, text),
  withdraw_proposal(uuid) to mem_app;
