-- What the worker measures of all tenants together, for whoever watches the instance: numbers, and opaque ids of the few
-- largest tenants. Nothing here leads to a memory.

-- By kind of promised work. Ten attempts are many minutes: what is tried still needs a person.
create function watch_outbox() returns table (kind text, waiting integer, stuck integer, oldest_seconds double precision)
language sql stable security definer set search_path = '' as $$
  select w.kind, count(*)::integer, (count(*) filter (where w.attempts >= 10))::integer,
    extract(epoch from now() - min(w.created_at))::double precision
  from public.outbox w join public.tenant t on t.id = w.tenant_id and t.status = 'active'
  where w.done_at is null group by w.kind order by w.kind
$$;

-- How the nights of each tenant go that wants one: its last ended night, and since when it could have had one. One look along
-- the index for each tenant.
create function night_states()
returns table (tenant_id uuid, missed boolean, failed boolean, completed_at timestamptz, last_run uuid)
language sql stable security definer set search_path = '' as $$
  select t.id, coalesce(done.finished_at, t.created_at) < now() - interval '36 hours', coalesce(last.status = 'failed', false),
    done.finished_at, last.id
  from public.tenant t left join public.schedule s on s.tenant_id = t.id and s.kind = 'nightly'
  left join lateral (select r.id, r.status from public.maintenance_run r
    where r.tenant_id = t.id and r.kind = 'nightly' and r.finished_at is not null
    order by r.requested_at desc, r.id desc limit 1) last on true
  left join lateral (select r.finished_at from public.maintenance_run r
    where r.tenant_id = t.id and r.kind = 'nightly' and r.status = 'completed'
    order by r.requested_at desc, r.id desc limit 1) done on true
  where t.status = 'active' and not coalesce(s.paused, false)
$$;

-- A night takes place once a day, an hour early or late; a day and a half without one is a night that was missed. A tenant
-- that is paused, or younger than that, has missed none.
create function watch_nights() returns table (wanted integer, missed integer, failed integer)
language sql stable security definer set search_path = '' as $$
  select count(*)::integer, (count(*) filter (where n.missed))::integer, (count(*) filter (where n.failed))::integer
  from public.night_states() n
$$;

-- The tenants that keep most. `usage` is what quotas count by, so that nothing is counted here.
create function largest_tenants(p_limit integer) returns table (tenant_id uuid, memories bigint, bytes bigint)
language sql stable security definer set search_path = '' as $$
  select u.tenant_id, u.memories, u.bytes from public.usage u join public.tenant t on t.id = u.tenant_id and t.status = 'active'
  order by u.memories desc, u.tenant_id limit least(greatest(p_limit, 0), 100)
$$;

do $$
declare
  r record;
begin
  for r in
    select v.name::regprocedure as name, v.roles from (values
      ('watch_outbox()', 'mem_worker'),
      ('night_states()', null),
      ('watch_nights()', 'mem_worker'),
      ('largest_tenants(integer)', 'mem_worker')
    ) as v (name, roles)
  loop
    execute format('revoke execute on function %s from public', r.name);
    if r.roles is not null then
      execute format('grant execute on function %s to %s', r.name, r.roles);
    end if;
    execute format('alter function %s owner to mem_definer', r.name);
  end loop;
end $$;
