-- Which memory took the place of which, since when it is known, and when a memory was out of answers before. Whoever
-- retires writes superseded_by alone; all else follows here, and a memory is never retired by what is gone, by what others
-- see, or by itself in a circle.

alter table memory add column superseded_at timestamptz;
alter table memory add column absent tstzmultirange not null default '{}';
comment on column memory.superseded_at is 'Since when it is known that superseded_by took its place; valid_to says from when that holds.';
comment on column memory.absent is 'When it was archived, forgotten or superseded before it came back.';

-- As mem_definer, because row-level security is forced on the owner too.
set local role mem_definer;
update memory set superseded_at = updated_at where superseded_by is not null;
set local role mem_owner;
alter table memory add constraint memory_superseded_check
  check (superseded_by <> id and (superseded_by is null) = (superseded_at is null));

create function same_people(a memory, b memory) returns boolean language sql immutable set search_path = '' as $$
  select a.scope = b.scope and case a.scope
    when 'private' then a.owner_id = b.owner_id
    when 'project' then a.project_id = b.project_id
    when 'group' then a.group_id = b.group_id
    else true end
$$;
grant execute on function same_people(memory, memory) to mem_app, mem_definer;

-- A new memory is retired by nothing and was never away, whatever its writer says.
create function start_standing() returns trigger language plpgsql set search_path = '' as $$
begin
  new.superseded_by := null;
  new.superseded_at := null;
  new.absent := '{}';
  return new;
end $$;
create trigger start_standing before insert on memory for each row execute function start_standing();

-- One that stands again beside what had taken its place contradicts it: a person decides.
create function reopen_conflict(p_tenant uuid, p_newer uuid, p_older uuid) returns void
language sql security definer set search_path = '' as $$
  insert into public.link (tenant_id, from_id, to_id, kind, weight)
  select p_tenant, p_newer, p_older, 'conflict', coalesce((select max(l.weight) from public.link l
    where l.tenant_id = p_tenant and (l.from_id, l.to_id) in ((p_newer, p_older), (p_older, p_newer))), 0)
  where not exists (select from public.link l where l.tenant_id = p_tenant and l.from_id = p_older and l.to_id = p_newer
    and l.kind = 'conflict')
  on conflict do nothing
$$;
alter function reopen_conflict(uuid, uuid, uuid) owner to mem_definer;

-- After follow_state, whose name comes first and which dates the state.
create function follow_standing() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_moment timestamptz := case when new.updated_at is distinct from old.updated_at then new.updated_at else now() end;
  v_next public.memory;
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
  new.superseded_at := coalesce(old.superseded_at, v_moment);
  new.valid_to := case when v_next.ended_at > new.ended_at then v_next.ended_at else v_moment end;
  return new;
end $$;
alter function follow_standing() owner to mem_definer;
create trigger follow_standing before update on memory for each row
  when (new.state <> old.state or new.superseded_by is distinct from old.superseded_by)
  execute function follow_standing();

-- The conflict is for those who see both; of an erased one nothing is left to contradict.
create function follow_release() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.memory m where m.tenant_id = new.tenant_id and m.id = old.superseded_by
    and public.same_people(m, new)) then
    perform public.reopen_conflict(new.tenant_id, old.superseded_by, new.id);
  end if;
  return null;
end $$;
alter function follow_release() owner to mem_definer;
create trigger follow_release after update on memory for each row
  when (old.superseded_by is not null and new.superseded_by is null)
  execute function follow_release();

-- What was retired by a memory that is forgotten passes to that one's own successor, or stands again.
create function release_superseded() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.state = 'forgotten' and old.state <> 'forgotten' then
    update public.memory m set superseded_by = (select n.id from public.memory n
        where n.tenant_id = m.tenant_id and n.id = new.superseded_by and public.same_people(n, m)), updated_at = new.updated_at
      where m.tenant_id = new.tenant_id and m.superseded_by = new.id;
  end if;
  -- Nobody loses a memory to one that he does not see.
  update public.memory m set superseded_by = null, updated_at = new.updated_at
    where m.tenant_id = new.tenant_id and m.superseded_by = new.id and not public.same_people(m, new);
  update public.memory m set superseded_by = null, updated_at = new.updated_at
    where m.tenant_id = new.tenant_id and m.id = new.id and m.superseded_by is not null
      and not exists (select from public.memory n
        where n.tenant_id = m.tenant_id and n.id = m.superseded_by and public.same_people(n, m));
  return null;
end $$;
alter function release_superseded() owner to mem_definer;
create trigger release_superseded after update on memory for each row
  when ((new.scope, new.owner_id, new.project_id, new.group_id)
      is distinct from (old.scope, old.owner_id, old.project_id, old.group_id)
    or new.state = 'forgotten' and old.state <> 'forgotten')
  execute function release_superseded();

-- An erased one passes on what it retired; else the foreign key lets it stand again. The name comes before the foreign
-- key's, which would find nothing to pass on.
create function pass_on_superseded() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.memory m set superseded_by = old.superseded_by
    where m.tenant_id = old.tenant_id and m.superseded_by = old.id
      and exists (select from public.memory n
        where n.tenant_id = old.tenant_id and n.id = old.superseded_by and public.same_people(n, m));
  return null;
end $$;
alter function pass_on_superseded() owner to mem_definer;
create trigger "Pass_on_superseded" after delete on memory for each row when (old.superseded_by is not null)
  execute function pass_on_superseded();
