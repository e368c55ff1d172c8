-- What `tempera admin doctor` asks: numbers and opaque ids, of the instance for operators, of their own tenant for admins.

-- A worker says with its signs of life when the workflow engine last answered it: nobody else asks the engine.
alter table instance_beat add column engine_at timestamptz;

drop function beat(text, uuid, text, timestamptz);
create function beat(p_program text, p_process uuid, p_version text, p_started timestamptz, p_engine boolean) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.instance_beat as b (program, process_id, version, started_at, beat_at, engine_at)
  values (left(p_program, 50), p_process, left(p_version, 50), p_started, now(), case when p_engine then now() end)
  on conflict (program, process_id) do update set beat_at = now(), engine_at = coalesce(excluded.engine_at, b.engine_at);
  delete from public.instance_beat b where b.beat_at < now() - interval '1 day';
end $$;

drop function list_beats();
create function list_beats()
returns table (program text, version text, started_at timestamptz, beat_at timestamptz, age_seconds double precision,
  engine_age_seconds double precision)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform public.require_operator();
  return query select b.program, b.version, b.started_at, b.beat_at,
      extract(epoch from now() - b.beat_at)::double precision, extract(epoch from now() - b.engine_at)::double precision
    from public.instance_beat b order by b.beat_at desc limit 100;
end $$;

create function doctor_outbox() returns table (kind text, waiting integer, stuck integer, oldest_seconds double precision)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform public.require_operator();
  return query select w.* from public.watch_outbox() w;
end $$;

-- Whether a tenant's vectors have a partition of their own; the name is made as libs/platform makes it.
create function has_own_partition(p_tenant uuid) returns boolean
language sql stable set search_path = '' as $$
  select to_regclass('public.embedding_t_' || replace(p_tenant::text, '-', '')) is not null
$$;

-- Tenants that a person should look at, and why: `amount` is hours since the last completed night, the share of the quota
-- that is used, or memories. A tenant above 25,000 memories has as many vectors at least.
create function doctor_tenants() returns table (problem text, tenant_id uuid, amount double precision)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform public.require_operator();
  return query
    select 'night-missed'::text, n.tenant_id, extract(epoch from now() - coalesce(n.completed_at, t.created_at))::float8 / 3600
      from public.night_states() n join public.tenant t on t.id = n.tenant_id where n.missed
    union all
    select 'night-failed', n.tenant_id, extract(epoch from now() - coalesce(n.completed_at, t.created_at))::float8 / 3600
      from public.night_states() n join public.tenant t on t.id = n.tenant_id where n.failed
    union all
    select 'quota', u.tenant_id, greatest(u.memories::float8 / greatest(q.memories, 1), u.bytes::float8 / greatest(q.bytes, 1))
      from public.usage u join public.tenant t on t.id = u.tenant_id and t.status = 'active', public.quota_of(u.tenant_id) q
      where u.memories::float8 >= 0.9 * q.memories or u.bytes::float8 >= 0.9 * q.bytes
    union all
    select 'partition', u.tenant_id, u.memories::float8
      from public.usage u join public.tenant t on t.id = u.tenant_id and t.status = 'active'
      where u.memories >= 25000 and not public.has_own_partition(u.tenant_id)
    order by 1, 3 desc, 2 limit 1000;
end $$;

-- The caller's own tenant; no row for who is no admin of it.
create function doctor_tenant()
returns table (waiting integer, stuck integer, oldest_seconds double precision, unread integer, paused boolean,
  night_missed boolean, night_failed boolean, night_completed_at timestamptz, failed_run uuid,
  memories double precision, memories_quota double precision, bytes double precision, bytes_quota double precision,
  worker_seconds double precision, engine_seconds double precision, needs_partition boolean)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_tenant uuid := public.current_tenant();
begin
  if not public.is_tenant_admin() then
    return;
  end if;
  return query
    select o.waiting, o.stuck, o.oldest,
      (select count(*)::integer from public.memory m
        where m.tenant_id = v_tenant and m.state = 'active' and m.embedding_state = 'failed'),
      n.tenant_id is null, coalesce(n.missed, false), coalesce(n.failed, false), n.completed_at,
      case when n.failed then n.last_run end,
      u.memories::float8, q.memories::float8, u.bytes::float8, q.bytes::float8,
      (select min(extract(epoch from now() - b.beat_at))::float8 from public.instance_beat b where b.program = 'worker'),
      (select min(extract(epoch from now() - b.engine_at))::float8 from public.instance_beat b where b.program = 'worker'),
      u.memories >= 25000 and not public.has_own_partition(v_tenant)
    from (select count(*)::integer as waiting, (count(*) filter (where w.attempts >= 10))::integer as stuck,
        coalesce(extract(epoch from now() - min(w.created_at)), 0)::float8 as oldest
      from public.outbox w where w.tenant_id = v_tenant and w.done_at is null) o
    cross join public.quota_of(v_tenant) q
    join public.usage u on u.tenant_id = v_tenant
    left join public.night_states() n on n.tenant_id = v_tenant;
end $$;

do $$
declare
  r record;
begin
  for r in
    select v.name::regprocedure as name, v.roles from (values
      ('beat(text, uuid, text, timestamptz, boolean)', 'mem_worker'),
      ('list_beats()', 'mem_operator'),
      ('doctor_outbox()', 'mem_operator'),
      ('has_own_partition(uuid)', null),
      ('doctor_tenants()', 'mem_operator'),
      ('doctor_tenant()', 'mem_app')
    ) as v (name, roles)
  loop
    execute format('revoke execute on function %s from public', r.name);
    if r.roles is not null then
      execute format('grant execute on function %s to %s', r.name, r.roles);
    end if;
    execute format('alter function %s owner to mem_definer', r.name);
  end loop;
end $$;
