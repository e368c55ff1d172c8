-- A tenant that is deleted is closed at once and erased when its grace is over; until then it can be taken back. What was erased
-- is counted by table, searched for, and kept as a receipt that outlives the tenant.

alter table tenant add column erase_after timestamptz;

-- Of no tenant: its id is that of the tenant it was.
create table tenant_deletion (
  id uuid primary key,
  operator_id uuid,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'completed', 'failed', 'taken-back')),
  requested_at timestamptz not null default now(),
  erase_after timestamptz not null,
  touched_at timestamptz not null default now(),
  -- Rows that went, by table; the tables that were searched, and rows by table that name the tenant still.
  counts jsonb not null default '{}',
  searched integer not null default 0,
  traces jsonb not null default '{}',
  finished_at timestamptz
);
alter table tenant_deletion enable row level security, force row level security;
grant select on tenant_deletion to mem_backup;
grant select, insert, update, delete on tenant_deletion to mem_definer;

-- 'changed', 'unchanged', 'missing', 'name' (it is not the tenant's name) or 'deleted' (its grace is over, and nothing brings it
-- back). Deleted again, the shorter grace holds.
drop function change_tenant_status(uuid, text, text);
create function change_tenant_status(p_tenant uuid, p_status text, p_name text, p_grace interval default '0 days') returns text
language plpgsql security definer set search_path = '' as $$
declare
  v public.tenant;
  v_after timestamptz := now() + p_grace;
begin
  perform public.require_operator();
  select t.* into v from public.tenant t where t.id = p_tenant for update;
  if not found then
    return 'missing';
  elsif p_status = 'deleted' and v.name is distinct from p_name then
    return 'name';
  elsif v.status = p_status and (p_status <> 'deleted' or coalesce(v.erase_after, now()) <= v_after) then
    return 'unchanged';
  elsif v.status = 'deleted' and coalesce(v.erase_after, now()) <= now() then
    return 'deleted';
  end if;
  update public.tenant t set status = p_status, erase_after = case p_status when 'deleted' then v_after end where t.id = p_tenant;
  if p_status = 'deleted' then
    insert into public.tenant_deletion (id, operator_id, erase_after) values (p_tenant, public.acting_operator(), v_after)
      on conflict (id) do update set operator_id = excluded.operator_id, erase_after = excluded.erase_after, status = 'waiting',
        requested_at = now(), finished_at = null, traces = '{}';
  elsif v.status = 'deleted' then
    update public.tenant_deletion d set status = 'taken-back', finished_at = now() where d.id = p_tenant;
  end if;
  if p_status = 'active' then
    insert into public.outbox (tenant_id, kind, subject_id) values (p_tenant, 'schedule.changed', p_tenant);
  end if;
  perform public.append_audit(p_tenant, 'operator', public.acting_operator(),
    case p_status when 'active' then 'tenant.resumed' when 'suspended' then 'tenant.suspended' else 'tenant.deleted' end,
    'tenant', p_tenant, case p_status when 'deleted' then jsonb_build_object('eraseAfter', v_after) else '{}' end);
  return 'changed';
end $$;

drop function list_tenants(uuid, text, text, text, uuid, integer);
create function list_tenants(p_id uuid, p_status text, p_search text, p_after_name text, p_after_id uuid, p_limit integer)
returns table (id uuid, name text, time_zone text, status text, created_at timestamptz, users integer, projects integer,
  memories integer, erase_after timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform public.require_operator();
  return query
    select t.id, t.name, t.time_zone, t.status, t.created_at,
      (select count(*)::integer from public.app_user u where u.tenant_id = t.id and u.status = 'active'),
      (select count(*)::integer from public.project p where p.tenant_id = t.id and p.archived_at is null),
      (select count(*)::integer from public.memory m where m.tenant_id = t.id), t.erase_after
    from public.tenant t
    where (p_id is null or t.id = p_id) and (p_status is null or t.status = p_status)
      and (p_search is null or position(lower(p_search) in lower(t.name)) > 0)
      and (p_after_id is null or (t.name, t.id) > (p_after_name, p_after_id))
    order by t.name, t.id limit least(greatest(p_limit, 1), 101);
end $$;

create function show_tenant_deletion(p_id uuid)
returns table (id uuid, operator_id uuid, status text, requested_at timestamptz, erase_after timestamptz, counts jsonb, searched integer,
  traces jsonb, finished_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform public.require_operator();
  return query select d.id, d.operator_id, d.status, d.requested_at, d.erase_after, d.counts, d.searched, d.traces, d.finished_at
    from public.tenant_deletion d where d.id = p_id;
end $$;

-- Tenants whose grace is over: that nobody is at, or whose worker has shown no life.
create function list_wanted_deletions(p_limit integer) returns table (tenant_id uuid)
language sql stable security definer set search_path = '' as $$
  select t.id from public.tenant t left join public.tenant_deletion d on d.id = t.id
  where t.status = 'deleted' and coalesce(t.erase_after, now()) <= now()
    and (d.id is null or d.status = 'waiting' or d.status = 'running' and d.touched_at < now() - interval '5 minutes')
  order by t.erase_after nulls first, t.id limit least(greatest(p_limit, 1), 500)
$$;

-- Of some tenants, those that are no more: for the owner of partitions, who sees no row.
create function tenants_gone(p_ids uuid[]) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select i from unnest(p_ids) i where not exists (select from public.tenant t where t.id = i)
$$;

-- Tables that have rows of a tenant, or name it: those of tenants by their key, the others in every uuid, text and JSON column. The
-- operators' log keeps ids.
create function traces_of_tenant(p_tenant uuid) returns table (searched integer, traces jsonb)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_count bigint;
  r record;
begin
  searched := 0;
  traces := '{}';
  for r in
    select c.relname::text as name, case when bool_or(a.attname = 'tenant_id') then 'x.tenant_id = $1' else string_agg(
        case when a.atttypid = 'uuid'::regtype then format('x.%I = $1', a.attname)
          else format('strpos(x.%I::text, $1::text) > 0', a.attname) end, ' or ') end as condition
    from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0
      and not a.attisdropped and c.relname not in ('tenant', 'tenant_deletion', 'operator_log', '_prisma_migrations')
      and a.atttypid in ('uuid'::regtype, 'text'::regtype, 'jsonb'::regtype)
    group by c.relname order by c.relname
  loop
    execute format('select count(*) from public.%I x where %s', r.name, r.condition) into v_count using p_tenant;
    searched := searched + 1;
    if v_count > 0 then
      traces := traces || jsonb_build_object(r.name, v_count);
    end if;
  end loop;
  return next;
end $$;

-- As before, of a tenant whose grace is over; with counts by table, and before its own row goes the search for what is left. A trace
-- is a failure, and the tenant stays closed.
create or replace function delete_tenant(p_tenant uuid, p_limit integer) returns table (removed integer, finished boolean)
language plpgsql security definer set search_path = '' as $$
declare
  v_tenant public.tenant;
  v_left integer := least(greatest(p_limit, 1), 5000);
  v_count integer;
  v_counts jsonb;
  v_found record;
  v_head record;
  r record;
begin
  select t.* into v_tenant from public.tenant t
    where t.id = p_tenant and t.status = 'deleted' and coalesce(t.erase_after, now()) <= now() for update skip locked;
  if not found then
    return query select 0, not exists (select from public.tenant t
      where t.id = p_tenant and t.status = 'deleted' and coalesce(t.erase_after, now()) <= now());
    return;
  end if;
  insert into public.tenant_deletion (id, erase_after) values (p_tenant, now()) on conflict (id) do nothing;
  select d.counts into v_counts from public.tenant_deletion d where d.id = p_tenant for update;
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
    if v_count > 0 then
      v_counts := v_counts || jsonb_build_object(r.name, coalesce((v_counts ->> r.name)::bigint, 0) + v_count);
    end if;
    v_left := v_left - v_count;
    exit when v_left <= 0;
  end loop;
  v_count := least(greatest(p_limit, 1), 5000) - v_left;
  if v_left <= 0 then
    update public.tenant_deletion d set status = 'running', counts = v_counts, touched_at = now() where d.id = p_tenant;
    update public.tenant t set purged_rows = t.purged_rows + v_count where t.id = p_tenant;
    return query select v_count, false;
    return;
  end if;
  select t.* into v_found from public.traces_of_tenant(p_tenant) t;
  update public.tenant_deletion d set counts = v_counts, searched = v_found.searched, traces = v_found.traces, touched_at = now(),
      finished_at = now(), status = case v_found.traces when '{}' then 'completed' else 'failed' end
    where d.id = p_tenant;
  if v_found.traces = '{}' then
    delete from public.tenant t where t.id = p_tenant;
    perform public.append_operator_log(null, 'tenant.purged', 'tenant', p_tenant,
      jsonb_build_object('rows', v_tenant.purged_rows + v_count));
  else
    update public.tenant t set purged_rows = t.purged_rows + v_count where t.id = p_tenant;
  end if;
  return query select v_count, true;
end $$;

do $$
declare
  r record;
begin
  for r in
    select v.name::regprocedure as name, v.roles from (values
      ('change_tenant_status(uuid, text, text, interval)', 'mem_operator'),
      ('list_tenants(uuid, text, text, text, uuid, integer)', 'mem_operator'),
      ('show_tenant_deletion(uuid)', 'mem_operator'),
      ('list_wanted_deletions(integer)', 'mem_worker'),
      ('tenants_gone(uuid[])', 'mem_owner'),
      ('traces_of_tenant(uuid)', null)
    ) as v (name, roles)
  loop
    execute format('revoke execute on function %s from public', r.name);
    execute format('alter function %s owner to mem_definer', r.name);
    if r.roles is not null then
      execute format('grant execute on function %s to %s', r.name, r.roles);
    end if;
  end loop;
end $$;
