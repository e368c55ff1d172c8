-- Running an instance and a tenant: tenants that close and are deleted, people who are suspended or leave, projects that
-- are archived, settings and recall rules, what operators did, signs of life, and the check of the audit chain.

-- mem_definer's functions work on every table, also those of later migrations.
grant select, insert, update, delete on all tables in schema public to mem_definer;
alter default privileges in schema public grant select, insert, update, delete on tables to mem_definer;

-- ── Tables ──────────────────────────────────────────────────────────────────────────────────────────────────────────

-- 'deleted' closes a tenant at once; its rows go in batches afterwards, its own row last.
alter table tenant drop constraint tenant_status_check,
  add constraint tenant_status_check check (status in ('active', 'suspended', 'deleted')),
  add column status_since timestamptz not null default now(),
  add column purged_rows bigint not null default 0;

alter table app_user drop constraint app_user_status_check,
  add constraint app_user_status_check check (status in ('active', 'suspended', 'removed')),
  add column removed_at timestamptz;

-- What becomes of a leaver's shared memories; settled in batches, so that it can go on after an interruption.
create table departure (
  tenant_id uuid not null,
  user_id uuid not null,
  choice text not null check (choice in ('keep', 'transfer', 'archive')),
  to_user_id uuid,
  requested_by uuid,
  requested_at timestamptz not null default now(),
  settled integer not null default 0,
  finished_at timestamptz,
  primary key (tenant_id, user_id),
  check (choice = 'transfer' or to_user_id is null),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade,
  foreign key (tenant_id, to_user_id) references app_user (tenant_id, id) on delete set null (to_user_id),
  foreign key (tenant_id, requested_by) references app_user (tenant_id, id) on delete set null (requested_by)
);
create index departure_unfinished on departure (tenant_id) where finished_at is null;

-- A value over the default of libs/core/settings.ts: the tenant's, or with a project that project's.
create table setting (
  tenant_id uuid not null references tenant (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  project_id uuid,
  key text not null check (length(key) between 1 and 100),
  value jsonb not null,
  updated_by uuid,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique nulls not distinct (tenant_id, project_id, key),
  foreign key (tenant_id, project_id) references project (tenant_id, id) on delete cascade,
  foreign key (tenant_id, updated_by) references app_user (tenant_id, id) on delete set null (updated_by)
);

-- Of the tenant (neither project nor user), of a project, or of one person.
create table recall_rule (
  tenant_id uuid not null references tenant (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  project_id uuid,
  user_id uuid,
  position integer not null check (position between 0 and 1000),
  name text not null check (length(name) between 1 and 100),
  conditions jsonb not null,
  effect text not null check (effect in ('first', 'boost', 'limit', 'exclude')),
  factor double precision check (factor > 1 and factor <= 1.2),
  max_items integer check (max_items between 1 and 50),
  enabled boolean not null default true,
  created_by uuid,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  check (project_id is null or user_id is null),
  check ((effect = 'boost') = (factor is not null)),
  check ((effect = 'limit') = (max_items is not null)),
  foreign key (tenant_id, project_id) references project (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade,
  foreign key (tenant_id, created_by) references app_user (tenant_id, id) on delete set null (created_by)
);
create index recall_rule_level on recall_rule (tenant_id, project_id, user_id, position);

-- What operators did, chained like a tenant's audit; it outlives the tenants.
create table operator_log (
  seq bigint primary key,
  at timestamptz not null,
  operator_id uuid, -- none: the bootstrap command, or the worker
  action text not null,
  subject_kind text not null,
  subject_id uuid,
  details jsonb not null default '{}',
  previous_hash bytea not null,
  hash bytea not null
);

-- The API asks no worker and no workflow engine how they are; it reads when they last wrote here.
create table instance_beat (
  program text not null check (length(program) between 1 and 50),
  process_id uuid not null,
  version text not null check (length(version) <= 50),
  started_at timestamptz not null,
  beat_at timestamptz not null,
  primary key (program, process_id)
);

create index audit_action on audit (tenant_id, action, seq desc);
create index audit_actor on audit (tenant_id, actor_id, seq desc);
create index audit_subject on audit (tenant_id, subject_id, seq desc);

-- ── Row-level security and grants ───────────────────────────────────────────────────────────────────────────────────

do $$
declare
  r record;
begin
  for r in select unnest(array['departure', 'setting', 'recall_rule', 'operator_log', 'instance_beat']) as name loop
    execute format('alter table %I enable row level security, force row level security', r.name);
    if r.name not in ('operator_log', 'instance_beat') then
      execute format('create policy tenant_only on %I as restrictive to mem_app, mem_worker, mem_text
        using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))', r.name);
    end if;
  end loop;
end $$;

create policy app_read on departure for select to mem_app using ((select is_tenant_admin()));
create policy app_write on departure for insert to mem_app
  with check ((select is_tenant_admin()) and requested_by = (select uid()) and user_id <> (select uid()));

create policy app_read on setting for select to mem_app using (
  project_id is null and (select is_member()) or project_id = any ((select my_projects())::uuid[])
  or (select is_tenant_admin()));
create policy app_write on setting for insert to mem_app with check (updated_by = (select uid())
  and ((select is_tenant_admin()) or project_id = any ((select my_maintained_projects())::uuid[])));
create policy app_change on setting for update to mem_app
  using ((select is_tenant_admin()) or project_id = any ((select my_maintained_projects())::uuid[]))
  with check (updated_by = (select uid())
    and ((select is_tenant_admin()) or project_id = any ((select my_maintained_projects())::uuid[])));
create policy app_remove on setting for delete to mem_app
  using ((select is_tenant_admin()) or project_id = any ((select my_maintained_projects())::uuid[]));
create policy worker_select on setting for select to mem_worker using ((select current_tenant()) is not null);

create policy app_read on recall_rule for select to mem_app using (
  user_id = (select uid())
  or user_id is null and (project_id is null and (select is_member())
    or project_id = any ((select my_projects())::uuid[]) or (select is_tenant_admin())));
create policy app_write on recall_rule for insert to mem_app with check (created_by = (select uid()) and (
  user_id = (select uid())
  or user_id is null and ((select is_tenant_admin()) or project_id = any ((select my_maintained_projects())::uuid[]))));
create policy app_change on recall_rule for update to mem_app
  using (user_id = (select uid()) or user_id is null
    and ((select is_tenant_admin()) or project_id = any ((select my_maintained_projects())::uuid[])))
  with check (user_id = (select uid()) or user_id is null
    and ((select is_tenant_admin()) or project_id = any ((select my_maintained_projects())::uuid[])));
create policy app_remove on recall_rule for delete to mem_app
  using (user_id = (select uid()) or user_id is null
    and ((select is_tenant_admin()) or project_id = any ((select my_maintained_projects())::uuid[])));

-- A remote that moved elsewhere is taken from a project by who may give it one.
drop policy app_remove on project_remote;
create policy app_remove on project_remote for delete to mem_app
  using (project_id = any ((select my_maintained_projects())::uuid[]) or (select is_tenant_admin()));

grant select on departure, setting, recall_rule to mem_app;
grant insert (tenant_id, user_id, choice, to_user_id, requested_by, requested_at) on departure to mem_app;
grant insert, delete on setting, recall_rule to mem_app;
grant update (value, updated_by, updated_at) on setting to mem_app;
grant update (position, name, conditions, effect, factor, max_items, enabled, updated_at) on recall_rule to mem_app;
grant update (removed_at) on app_user to mem_app;
grant select on setting to mem_worker;
grant select on departure, setting, recall_rule, operator_log, instance_beat to mem_backup;

-- ── People who leave ────────────────────────────────────────────────────────────────────────────────────────────────

-- A batch of what the departure says is to happen to the leaver's shared memories. Private ones stay as they are: of a
-- person who is not active nobody sees them. It takes no choice as an argument, so it does nothing that was not recorded
-- by an admin; run again it goes on.
create function settle_departure(p_user uuid, p_limit integer) returns table (settled integer, finished boolean)
language plpgsql security definer set search_path = '' as $$
declare
  v public.departure;
  v_done integer := 0;
  v_limit integer := least(greatest(p_limit, 1), 1000);
begin
  select d.* into v from public.departure d
    where d.tenant_id = public.current_tenant() and d.user_id = p_user and d.finished_at is null for update;
  if not found then
    return query select 0, true;
    return;
  end if;
  if v.choice = 'transfer' and v.to_user_id is not null then
    update public.memory m set owner_id = v.to_user_id, updated_at = now() where m.tenant_id = v.tenant_id and m.id in (
      select x.id from public.memory x where x.tenant_id = v.tenant_id and x.owner_id = v.user_id and x.scope <> 'private'
      order by x.id limit v_limit);
    get diagnostics v_done = row_count;
  elsif v.choice = 'archive' then
    update public.memory m set state = 'archived', updated_at = now() where m.tenant_id = v.tenant_id and m.id in (
      select x.id from public.memory x where x.tenant_id = v.tenant_id and x.owner_id = v.user_id and x.scope <> 'private'
        and x.state = 'active' order by x.id limit v_limit);
    get diagnostics v_done = row_count;
  end if;
  update public.departure d set settled = d.settled + v_done,
    finished_at = case when v_done < v_limit then now() end
    where d.tenant_id = v.tenant_id and d.user_id = v.user_id;
  return query select v_done, v_done < v_limit;
end $$;

create function list_departures() returns table (tenant_id uuid, user_id uuid)
language sql stable security definer set search_path = '' as $$
  select d.tenant_id, d.user_id from public.departure d join public.tenant t on t.id = d.tenant_id
  where d.finished_at is null and t.status = 'active' order by d.requested_at limit 50
$$;

-- ── Archived projects ───────────────────────────────────────────────────────────────────────────────────────────────

-- After the policies, so that it tells nothing to those who may not write there.
create function refuse_archived_project() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.project p
    where p.tenant_id = new.tenant_id and p.id = new.project_id and p.archived_at is not null) then
    raise exception using errcode = 'TM020', message = 'the project is archived';
  end if;
  return null;
end $$;
create trigger refuse_archived after insert on memory for each row when (new.project_id is not null)
  execute function refuse_archived_project();
create trigger refuse_archived_move after update on memory for each row
  when (new.project_id is not null and new.project_id is distinct from old.project_id)
  execute function refuse_archived_project();

-- ── What operators did ──────────────────────────────────────────────────────────────────────────────────────────────

create function operator_log_hash(p_seq bigint, p_at timestamptz, p_operator uuid, p_action text, p_subject_kind text,
  p_subject uuid, p_details jsonb, p_previous bytea)
returns bytea language sql stable set search_path = '' as $$
  select sha256(p_previous || convert_to(jsonb_build_array(p_seq, (extract(epoch from p_at) * 1000000)::bigint,
    p_operator, p_action, p_subject_kind, p_subject, p_details)::text, 'UTF8'))
$$;

create function append_operator_log(p_operator uuid, p_action text, p_subject_kind text, p_subject uuid, p_details jsonb)
returns bigint language plpgsql security definer set search_path = '' as $$
declare
  v_seq bigint;
  v_previous bytea;
  v_at timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('operator_log', 0));
  select l.seq, l.hash into v_seq, v_previous from public.operator_log l order by l.seq desc limit 1;
  v_seq := coalesce(v_seq, 0) + 1;
  v_previous := coalesce(v_previous, decode(repeat('00', 32), 'hex'));
  v_at := clock_timestamp();
  insert into public.operator_log (seq, at, operator_id, action, subject_kind, subject_id, details, previous_hash, hash)
  values (v_seq, v_at, p_operator, p_action, p_subject_kind, p_subject, p_details, v_previous,
    public.operator_log_hash(v_seq, v_at, p_operator, p_action, p_subject_kind, p_subject, p_details, v_previous));
  return v_seq;
end $$;

-- The operator that the door names, while they are one.
create function acting_operator() returns uuid
language sql stable security definer set search_path = '' as $$
  select o.id from public.operator o
  where o.id = nullif(current_setting('app.user_id', true), '')::uuid and o.disabled_at is null
$$;

create function require_operator() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if public.acting_operator() is null then
    raise exception using errcode = '42501', message = 'permission denied for table operator';
  end if;
  return public.acting_operator();
end $$;

-- Whatever an operator does to a tenant stands in the tenant's audit; it is copied, so that it outlives the tenant.
create function copy_operator_audit() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform public.append_operator_log(new.actor_id, new.action, 'tenant', new.tenant_id,
    new.details || jsonb_build_object('auditSeq', new.seq));
  return null;
end $$;
create trigger copy_operator after insert on audit for each row when (new.actor_kind = 'operator')
  execute function copy_operator_audit();

create function log_operator_code() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform public.append_operator_log(
    case tg_op when 'INSERT' then public.acting_operator() else new.operator_id end,
    case tg_op when 'INSERT' then 'operator-code.made' else 'operator.logged-in' end, 'operator', new.operator_id, '{}');
  return null;
end $$;
create trigger log_made after insert on operator_code for each row execute function log_operator_code();
create trigger log_used after update on operator_code for each row
  when (old.used_at is null and new.used_at is not null) execute function log_operator_code();

create function list_operator_log(p_before bigint, p_limit integer)
returns table (seq bigint, at timestamptz, operator_id uuid, action text, subject_kind text, subject_id uuid,
  details jsonb, hash bytea)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform public.require_operator();
  return query select l.seq, l.at, l.operator_id, l.action, l.subject_kind, l.subject_id, l.details, l.hash
    from public.operator_log l where p_before is null or l.seq < p_before
    order by l.seq desc limit least(greatest(p_limit, 1), 101);
end $$;

create function verify_operator_log(p_after bigint, p_previous bytea, p_limit integer)
returns table (checked integer, last_seq bigint, last_hash bytea, bad_seq bigint, reason text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform public.require_operator();
  return query
    with page as (
      select a.*, lag(a.seq, 1, p_after) over (order by a.seq) as before_seq,
        lag(a.hash, 1, p_previous) over (order by a.seq) as before_hash
      from (select l.* from public.operator_log l where l.seq > p_after order by l.seq
        limit least(greatest(p_limit, 1), 5000)) a
    ), judged as (
      select p.seq, p.hash, case when p.seq <> p.before_seq + 1 then 'gap' when p.previous_hash <> p.before_hash then 'link'
        when p.hash <> public.operator_log_hash(p.seq, p.at, p.operator_id, p.action, p.subject_kind, p.subject_id,
          p.details, p.previous_hash) then 'content' end as fault from page p
    )
    select count(*)::integer, max(j.seq), (array_agg(j.hash order by j.seq desc))[1],
      min(j.seq) filter (where j.fault is not null),
      (array_agg(j.fault order by j.seq) filter (where j.fault is not null))[1] from judged j;
end $$;

-- ── Operators ───────────────────────────────────────────────────────────────────────────────────────────────────────

create function list_operators() returns table (id uuid, name text, created_at timestamptz, disabled_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform public.require_operator();
  return query select o.id, o.name, o.created_at, o.disabled_at from public.operator o order by o.created_at, o.id limit 1000;
end $$;

-- A further operator with a one-time code; with one's own name a new code for oneself. None for another's name: who
-- could make a code for another could act in that other's name.
create function invite_operator(p_name text, p_hash bytea, p_life interval) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_self uuid := public.require_operator();
begin
  perform pg_advisory_xact_lock(hashtextextended('operators', 0));
  if exists (select from public.operator o where o.name = p_name and o.disabled_at is null and o.id <> v_self) then
    return null;
  end if;
  return public.create_operator_code(p_name, p_hash, p_life);
end $$;

-- 'disabled', 'missing', or 'last': an instance keeps one operator. Their codes end with them.
create function disable_operator(p_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
begin
  perform public.require_operator();
  -- One at a time: two who disable each other at once would leave nobody.
  perform pg_advisory_xact_lock(hashtextextended('operators', 0));
  perform public.require_operator();
  if not exists (select from public.operator o where o.id = p_id and o.disabled_at is null) then
    return 'missing';
  end if;
  -- Who never logged in counts for nothing: an invited operator may never come.
  if not exists (select from public.operator o where o.id <> p_id and o.disabled_at is null
    and exists (select from public.operator_code c where c.operator_id = o.id and c.used_at is not null)) then
    return 'last';
  end if;
  update public.operator o set disabled_at = now() where o.id = p_id;
  update public.operator_code c set expires_at = now() where c.operator_id = p_id and c.used_at is null and c.expires_at > now();
  perform public.append_operator_log(public.acting_operator(), 'operator.disabled', 'operator', p_id, '{}');
  return 'disabled';
end $$;

-- ── Tenants, as operators see them: numbers, never contents ─────────────────────────────────────────────────────────

create function list_tenants(p_id uuid, p_status text, p_search text, p_after_name text, p_after_id uuid, p_limit integer)
returns table (id uuid, name text, time_zone text, status text, created_at timestamptz, users integer, projects integer,
  memories integer)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform public.require_operator();
  return query
    select t.id, t.name, t.time_zone, t.status, t.created_at,
      (select count(*)::integer from public.app_user u where u.tenant_id = t.id and u.status = 'active'),
      (select count(*)::integer from public.project p where p.tenant_id = t.id and p.archived_at is null),
      (select count(*)::integer from public.memory m where m.tenant_id = t.id)
    from public.tenant t
    where (p_id is null or t.id = p_id) and (p_status is null or t.status = p_status)
      and (p_search is null or position(lower(p_search) in lower(t.name)) > 0)
      and (p_after_id is null or (t.name, t.id) > (p_after_name, p_after_id))
    order by t.name, t.id limit least(greatest(p_limit, 1), 101);
end $$;

-- 'changed', 'unchanged', 'missing', 'name' (it is not the tenant's name) or 'deleted' (and nothing brings it back).
create function change_tenant_status(p_tenant uuid, p_status text, p_name text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  v public.tenant;
begin
  perform public.require_operator();
  select t.* into v from public.tenant t where t.id = p_tenant for update;
  if not found then
    return 'missing';
  elsif p_status = 'deleted' and v.name is distinct from p_name then
    return 'name';
  elsif v.status = p_status then
    return 'unchanged';
  elsif v.status = 'deleted' then
    return 'deleted';
  end if;
  update public.tenant t set status = p_status where t.id = p_tenant;
  if p_status = 'active' then
    insert into public.outbox (tenant_id, kind, subject_id) values (p_tenant, 'schedule.changed', p_tenant);
  end if;
  perform public.append_audit(p_tenant, 'operator', public.acting_operator(),
    case p_status when 'active' then 'tenant.resumed' when 'suspended' then 'tenant.suspended' else 'tenant.deleted' end,
    'tenant', p_tenant, '{}');
  return 'changed';
end $$;

create function note_status() returns trigger language plpgsql set search_path = '' as $$
begin
  new.status_since := clock_timestamp();
  return new;
end $$;
create trigger note_status before update on tenant for each row when (new.status <> old.status)
  execute function note_status();

create function list_closed_tenants() returns table (tenant_id uuid, status text, since timestamptz)
language sql stable security definer set search_path = '' as $$
  select t.id, t.status, t.status_since from public.tenant t where t.status <> 'active' order by t.id
$$;

-- A batch of a deleted tenant's rows, from the tables that nothing points at to those that everything does, read from the
-- catalogue so that no later table is forgotten; at the end its own row, and a line in the operators' log with the head
-- of its audit. Nothing happens to a tenant that was not deleted. Run again it goes on; two at once do not meet.
create function delete_tenant(p_tenant uuid, p_limit integer) returns table (removed integer, finished boolean)
language plpgsql security definer set search_path = '' as $$
declare
  v_tenant public.tenant;
  v_left integer := least(greatest(p_limit, 1), 5000);
  v_count integer;
  v_head record;
  r record;
begin
  select t.* into v_tenant from public.tenant t where t.id = p_tenant and t.status = 'deleted' for update skip locked;
  if not found then
    return query select 0, not exists (select from public.tenant t where t.id = p_tenant and t.status = 'deleted');
    return;
  end if;
  for r in
    with recursive tables as (
      select c.oid, c.relname::text as name,
        (select string_agg(quote_ident(a.attname), ', ' order by k.place)
          from pg_catalog.pg_index i, unnest(i.indkey) with ordinality k (attnum, place), pg_catalog.pg_attribute a
          where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.attnum) as key
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
        and exists (select from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id')
    ), depth (oid, d) as (
      select t.oid, 0 from tables t
      union
      select k.conrelid, p.d + 1 from depth p join pg_catalog.pg_constraint k
        on k.contype = 'f' and k.confrelid = p.oid and k.conrelid <> k.confrelid
      where p.d < 20
    )
    select t.name, t.key, max(p.d) as d from tables t join depth p on p.oid = t.oid
    group by t.name, t.key
    -- The audit last: its head is told when everything else is gone.
    order by (t.name = 'audit'), max(p.d) desc, t.name
  loop
    if r.name = 'audit' then
      select a.seq, encode(a.hash, 'hex') as hash into v_head from public.audit a
        where a.tenant_id = p_tenant order by a.seq desc limit 1;
      if v_head.seq is not null and not exists (select from public.operator_log l
        where l.subject_id = p_tenant and l.action = 'tenant.emptied') then
        perform public.append_operator_log(null, 'tenant.emptied', 'tenant', p_tenant,
          jsonb_build_object('auditSeq', v_head.seq, 'auditHash', v_head.hash));
      end if;
    end if;
    execute format('delete from public.%1$I where tenant_id = $1 and (%2$s) in (select %2$s from public.%1$I
      where tenant_id = $1 limit $2)', r.name, r.key) using p_tenant, v_left;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
    exit when v_left <= 0;
  end loop;
  v_count := least(greatest(p_limit, 1), 5000) - v_left;
  if v_left > 0 then
    delete from public.tenant t where t.id = p_tenant;
    perform public.append_operator_log(null, 'tenant.purged', 'tenant', p_tenant,
      jsonb_build_object('rows', v_tenant.purged_rows + v_count));
    return query select v_count, true;
    return;
  end if;
  update public.tenant t set purged_rows = t.purged_rows + v_count where t.id = p_tenant;
  return query select v_count, false;
end $$;
create index operator_log_subject on operator_log (subject_id, action);

-- ── Health ──────────────────────────────────────────────────────────────────────────────────────────────────────────

create function beat(p_program text, p_process uuid, p_version text, p_started timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.instance_beat (program, process_id, version, started_at, beat_at)
  values (left(p_program, 50), p_process, left(p_version, 50), p_started, now())
  on conflict (program, process_id) do update set beat_at = now();
  delete from public.instance_beat b where b.beat_at < now() - interval '1 day';
end $$;

create function list_beats()
returns table (program text, version text, started_at timestamptz, beat_at timestamptz, age_seconds double precision)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform public.require_operator();
  return query select b.program, b.version, b.started_at, b.beat_at, extract(epoch from now() - b.beat_at)::double precision
    from public.instance_beat b order by b.beat_at desc limit 100;
end $$;

create function instance_figures()
returns table (migrations integer, latest_migration text, active_tenants integer, suspended_tenants integer,
  deleted_tenants integer, outbox_waiting integer, outbox_lag_seconds double precision)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform public.require_operator();
  return query select
    (select count(*)::integer from public._prisma_migrations m where m.finished_at is not null and m.rolled_back_at is null),
    (select max(m.migration_name)::text from public._prisma_migrations m where m.finished_at is not null and m.rolled_back_at is null),
    (select count(*)::integer from public.tenant t where t.status = 'active'),
    (select count(*)::integer from public.tenant t where t.status = 'suspended'),
    (select count(*)::integer from public.tenant t where t.status = 'deleted'),
    o.waiting, o.lag
  from (select count(*)::integer as waiting,
      coalesce(extract(epoch from now() - min(w.created_at)), 0)::double precision as lag
    from public.outbox w join public.tenant t on t.id = w.tenant_id and t.status = 'active' where w.done_at is null) o;
end $$;

-- ── The audit chain ─────────────────────────────────────────────────────────────────────────────────────────────────

-- A page of the caller's tenant's chain: what is missing, out of place, inserted or changed shows as the first bad row.
-- A tail that was cut off shows only against a head that was kept elsewhere. No row: the caller is no admin.
create function verify_audit(p_after bigint, p_previous bytea, p_limit integer)
returns table (checked integer, last_seq bigint, last_hash bytea, bad_seq bigint, reason text)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not public.is_tenant_admin() then
    return;
  end if;
  return query
    with page as (
      select a.*, lag(a.seq, 1, p_after) over (order by a.seq) as before_seq,
        lag(a.hash, 1, p_previous) over (order by a.seq) as before_hash
      from (select x.* from public.audit x where x.tenant_id = public.current_tenant() and x.seq > p_after order by x.seq
        limit least(greatest(p_limit, 1), 5000)) a
    ), judged as (
      select p.seq, p.hash, case when p.seq <> p.before_seq + 1 then 'gap' when p.previous_hash <> p.before_hash then 'link'
        when p.hash <> public.audit_hash(p.tenant_id, p.seq, p.at, p.actor_kind, p.actor_id, p.action, p.subject_kind,
          p.subject_id, p.details, p.previous_hash) then 'content' end as fault from page p
    )
    select count(*)::integer, max(j.seq), (array_agg(j.hash order by j.seq desc))[1],
      min(j.seq) filter (where j.fault is not null),
      (array_agg(j.fault order by j.seq) filter (where j.fault is not null))[1] from judged j;
end $$;

-- ── Owners and grants of functions ──────────────────────────────────────────────────────────────────────────────────

do $$
declare
  r record;
begin
  for r in
    select v.name::regprocedure as name, v.roles from (values
      ('settle_departure(uuid, integer)', 'mem_app, mem_worker'),
      ('list_departures()', 'mem_worker'),
      ('refuse_archived_project()', null),
      ('append_operator_log(uuid, text, text, uuid, jsonb)', null),
      ('acting_operator()', null),
      ('require_operator()', null),
      ('copy_operator_audit()', null),
      ('log_operator_code()', null),
      ('list_operator_log(bigint, integer)', 'mem_operator'),
      ('verify_operator_log(bigint, bytea, integer)', 'mem_operator'),
      ('list_operators()', 'mem_operator'),
      ('invite_operator(text, bytea, interval)', 'mem_operator'),
      ('disable_operator(uuid)', 'mem_operator'),
      ('list_tenants(uuid, text, text, text, uuid, integer)', 'mem_operator'),
      ('change_tenant_status(uuid, text, text)', 'mem_operator'),
      ('list_closed_tenants()', 'mem_worker'),
      ('delete_tenant(uuid, integer)', 'mem_worker'),
      ('beat(text, uuid, text, timestamptz)', 'mem_worker'),
      ('list_beats()', 'mem_operator'),
      ('instance_figures()', 'mem_operator'),
      ('verify_audit(bigint, bytea, integer)', 'mem_app')
    ) as v (name, roles)
  loop
    if r.roles is not null then
      execute format('grant execute on function %s to %s', r.name, r.roles);
    end if;
    execute format('alter function %s owner to mem_definer', r.name);
  end loop;
  grant execute on function operator_log_hash(bigint, timestamptz, uuid, text, text, uuid, jsonb, bytea) to mem_definer;
end $$;
