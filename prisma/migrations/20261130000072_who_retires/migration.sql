-- A memory is retired only by one that stands: in use, not expired, and seen by the same people. When the newer one goes,
-- in whatever way, what it retired passes to that one's own successor or stands again. What is merged into another stands
-- as long as that one does: a merge moves nothing (docs/decisions/0024-what-a-merge-moves.md).

alter table memory add column superseded_until timestamptz;
comment on column memory.superseded_until is 'When what took its place expires: then it stands again.';
create index memory_superseded_until on memory (superseded_until) where superseded_until is not null;

create or replace function start_standing() returns trigger language plpgsql set search_path = '' as $$
begin
  new.superseded_by := null;
  new.superseded_at := null;
  new.superseded_until := null;
  new.absent := '{}';
  new.text_since := new.created_at;
  return new;
end $$;

-- Who takes the place of p_for: p_newer where it stands, else what took the place of that one, and so on; with when it expires.
create function find_successor(p_newer uuid, p_for memory) returns table (id uuid, expires_at timestamptz)
language sql stable security definer set search_path = '' as $$
  with recursive up (pointer, node, depth) as (
    select p_newer, p_newer, 0
    union
    select case when m.merged_into is null then m.superseded_by else u.pointer end,
      coalesce(m.merged_into, m.superseded_by), u.depth + 1
    from up u join public.memory m on m.tenant_id = p_for.tenant_id and m.id = u.node
    where u.depth < 50 and coalesce(m.merged_into, m.superseded_by) is not null
  )
  select u.pointer, m.expires_at from up u
    join public.memory m on m.tenant_id = p_for.tenant_id and m.id = u.node
    where m.state = 'active' and (m.expires_at is null or m.expires_at > now()) and m.id <> p_for.id
      and public.same_people(m, p_for)
    order by u.depth limit 1
$$;
alter function find_successor(uuid, memory) owner to mem_definer;
revoke execute on function find_successor(uuid, memory) from public;

-- As before, and by nothing that is gone itself.
create or replace function follow_standing() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_moment timestamptz := case when new.updated_at is distinct from old.updated_at then new.updated_at else now() end;
  v_next public.memory;
  v_successor record;
begin
  if new.state <> old.state and old.state <> 'active' then
    new.absent := old.absent + tstzmultirange(tstzrange(old.state_since, greatest(old.state_since, new.state_since)));
  end if;
  if new.superseded_by is not distinct from old.superseded_by then
    return new;
  end if;
  if new.superseded_by is null then
    new.absent := new.absent + tstzmultirange(tstzrange(old.superseded_at, greatest(old.superseded_at, v_moment)));
    new.superseded_at := null;
    new.superseded_until := null;
    new.valid_to := null;
    return new;
  end if;
  -- Locked, so that two that would retire each other wait for one another.
  select * into v_next from public.memory m
    where m.tenant_id = new.tenant_id and m.id = new.superseded_by for share;
  if not found or not public.same_people(new, v_next) then
    raise exception using errcode = '42501', message = 'new row violates row-level security policy for table "memory"';
  end if;
  if exists (
    with recursive above (id) as (
      select new.superseded_by
      union select m.superseded_by from public.memory m join above a on m.id = a.id
        where m.tenant_id = new.tenant_id and m.superseded_by is not null
    ) select from above a where a.id = new.id
  ) then
    raise exception using errcode = 'TM0A1', message = 'memories would supersede each other in a circle';
  end if;
  select * into v_successor from public.find_successor(new.superseded_by, new);
  if v_successor.id is distinct from new.superseded_by then
    raise exception using errcode = 'TM0A2', message = 'what would take its place does not stand';
  end if;
  new.superseded_at := coalesce(old.superseded_at, v_moment);
  new.superseded_until := v_successor.expires_at;
  new.valid_to := case when v_next.ended_at > new.ended_at then v_next.ended_at else v_moment end;
  return new;
end $$;

-- Looks at what some memories, and what is merged into them, have retired.
create function settle_retired(p_tenant uuid, p_newer uuid[], p_at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  m public.memory;
  v record;
begin
  for m in select x.* from public.memory x where x.tenant_id = p_tenant
    and x.superseded_by in (select q.id from public.merge_parts(p_tenant, p_newer) q) order by x.id for no key update
  loop
    select * into v from public.find_successor(m.superseded_by, m);
    if (v.id, v.expires_at) is distinct from (m.superseded_by, m.superseded_until) then
      update public.memory x set superseded_by = v.id, superseded_until = v.expires_at,
          updated_at = case when v.id is distinct from m.superseded_by then p_at else x.updated_at end
        where x.tenant_id = p_tenant and x.id = m.id;
    end if;
  end loop;
end $$;
alter function settle_retired(uuid, uuid[], timestamptz) owner to mem_definer;
revoke execute on function settle_retired(uuid, uuid[], timestamptz) from public;

create or replace function release_superseded() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_moment timestamptz := case when new.updated_at is distinct from old.updated_at then new.updated_at else now() end;
begin
  perform public.settle_retired(new.tenant_id, array[new.id], v_moment);
  -- Nobody loses a memory to one that he does not see.
  update public.memory m set superseded_by = null, updated_at = v_moment
    where m.tenant_id = new.tenant_id and m.id = new.id and m.superseded_by is not null
      and not exists (select from public.memory n
        where n.tenant_id = m.tenant_id and n.id = m.superseded_by and public.same_people(n, m));
  return null;
end $$;
drop trigger release_superseded on memory;
create trigger release_superseded after update on memory for each row
  when ((new.scope, new.owner_id, new.project_id, new.group_id, new.expires_at, new.merged_into)
      is distinct from (old.scope, old.owner_id, old.project_id, old.group_id, old.expires_at, old.merged_into)
    or new.state <> 'active' and old.state = 'active' or new.state = 'forgotten' and old.state <> 'forgotten')
  execute function release_superseded();

-- An erased one passes on what it retired; else the foreign key lets it stand again. The name comes before the foreign
-- key's, which would find nothing to pass on.
create or replace function pass_on_superseded() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.memory m
    set superseded_by = (select s.id from public.find_successor(coalesce(old.merged_into, old.superseded_by), m) s)
    where m.tenant_id = old.tenant_id and m.superseded_by = old.id;
  return null;
end $$;
drop trigger "Pass_on_superseded" on memory;
create trigger "Pass_on_superseded" after delete on memory for each row
  when (old.superseded_by is not null or old.merged_into is not null) execute function pass_on_superseded();

-- Time passes without a statement: the worker asks every few seconds. Memories stand again from the moment of the expiry.
create function release_expired(p_limit integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  r record;
  v_done integer := 0;
begin
  for r in select m.tenant_id, m.superseded_by, min(m.superseded_until) as until from public.memory m
    where m.superseded_until <= now() group by 1, 2 order by 3, 1, 2 limit least(greatest(p_limit, 1), 1000)
  loop
    perform public.settle_retired(r.tenant_id, array[r.superseded_by], r.until);
    v_done := v_done + 1;
  end loop;
  return v_done;
end $$;
alter function release_expired(integer) owner to mem_definer;
revoke execute on function release_expired(integer) from public;
grant execute on function release_expired(integer) to mem_worker;

-- What was retired by something that is gone by now. As mem_definer, because row-level security is forced on the owner too.
set local role mem_definer;
update memory m set superseded_until = s.expires_at
  from memory x, lateral find_successor(x.superseded_by, x) s
  where m.tenant_id = x.tenant_id and m.id = x.id and x.superseded_by is not null and s.expires_at is not null;
select settle_retired(m.tenant_id, array_agg(distinct m.superseded_by), now()) from memory m
  where m.superseded_by is not null group by m.tenant_id;
set local role mem_owner;
