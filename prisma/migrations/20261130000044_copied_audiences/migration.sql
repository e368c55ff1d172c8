-- What is read with many memories at once carries their audience itself, as embedding does: through memory, each row of
-- memory_stat and of vote_question asked for its memory again, and the status of a tenant cost four times as much. Whether
-- the memory is forgotten comes with it, because what hangs on a memory is seen as the memory is. Nothing is indexed by
-- the copy, so that counting a hit or a vote still changes the row in place.

do $$
declare
  r record;
begin
  for r in select unnest(array['memory_stat', 'vote_question']) as name loop
    execute format('alter table %I add column scope text, add column owner_id uuid, add column project_id uuid,
      add column group_id uuid, add column forgotten boolean, add column forgotten_by uuid', r.name);
    execute format('comment on column %I.forgotten_by is %L', r.name,
      'Who forgot the memory; with its owner the only one who still sees it. Null while it is not forgotten.');
    -- As mem_definer, because row-level security is forced on the owner too.
    set local role mem_definer;
    execute format($q$update %I c set scope = m.scope, owner_id = m.owner_id, project_id = m.project_id,
      group_id = m.group_id, forgotten = m.state = 'forgotten',
      forgotten_by = case when m.state = 'forgotten' then m.state_by end
      from memory m where m.tenant_id = c.tenant_id and m.id = c.memory_id$q$, r.name);
    set local role mem_owner;
    execute format('alter table %I alter column scope set not null, alter column owner_id set not null,
      alter column forgotten set not null', r.name);
  end loop;
end $$;

-- Before the policies look at the row, whatever the writer says. Where there is no such memory the row becomes nobody's.
-- With a lock: else the memory could move between the look and the commit, by someone who does not see the new row yet,
-- and the copy would stay behind.
create function copy_sight() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select m.scope, m.owner_id, m.project_id, m.group_id, m.state = 'forgotten',
      case when m.state = 'forgotten' then m.state_by end
    into new.scope, new.owner_id, new.project_id, new.group_id, new.forgotten, new.forgotten_by
    from public.memory m where m.tenant_id = new.tenant_id and m.id = new.memory_id for share;
  if not found then
    new.scope := 'private';
    new.owner_id := '00000000-0000-0000-0000-000000000000';
    new.project_id := null;
    new.group_id := null;
    new.forgotten := true;
    new.forgotten_by := null;
  end if;
  return new;
end $$;
alter function copy_sight() owner to mem_definer;
create trigger copy_sight before insert on memory_stat for each row execute function copy_sight();
create trigger copy_sight before insert on vote_question for each row execute function copy_sight();

-- A vote locks its memory before it locks the statistics, in the order in which a memory that moves does.
create function hold_memory() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.memory m where m.tenant_id = new.tenant_id and m.id = new.memory_id for share;
  return new;
end $$;
alter function hold_memory() owner to mem_definer;
create trigger hold_memory before insert or update on vote for each row execute function hold_memory();

-- Vectors had the same gap: they locked their memory (refuse_stale) only after they had copied its audience.
create or replace function copy_audience() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select m.scope, m.owner_id, m.project_id, m.group_id into new.scope, new.owner_id, new.project_id, new.group_id
    from public.memory m where m.tenant_id = new.tenant_id and m.id = new.memory_id for no key update;
  if not found then
    new.scope := 'private';
    new.owner_id := '00000000-0000-0000-0000-000000000000';
    new.project_id := null;
    new.group_id := null;
  end if;
  return new;
end $$;

-- In the statement that moves, forgets or restores the memories. For all of them at once and in the order of recorded
-- hits and votes, so that no two writers wait for each other.
create function move_sight() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_moved uuid[];
begin
  select array_agg(n.id) into v_moved
  from added n join removed o on o.tenant_id = n.tenant_id and o.id = n.id
  where (n.scope, n.owner_id, n.project_id, n.group_id, n.state = 'forgotten', n.state_by)
    is distinct from (o.scope, o.owner_id, o.project_id, o.group_id, o.state = 'forgotten', o.state_by);
  if v_moved is null then
    return null;
  end if;
  perform from public.memory_stat s
    where (s.tenant_id, s.memory_id) in (select n.tenant_id, n.id from added n where n.id = any (v_moved))
    order by s.tenant_id, s.memory_id for update;
  update public.memory_stat c set scope = n.scope, owner_id = n.owner_id, project_id = n.project_id,
      group_id = n.group_id, forgotten = n.state = 'forgotten',
      forgotten_by = case when n.state = 'forgotten' then n.state_by end
    from added n where n.id = any (v_moved) and c.tenant_id = n.tenant_id and c.memory_id = n.id;
  update public.vote_question c set scope = n.scope, owner_id = n.owner_id, project_id = n.project_id,
      group_id = n.group_id, forgotten = n.state = 'forgotten',
      forgotten_by = case when n.state = 'forgotten' then n.state_by end
    from added n where n.id = any (v_moved) and c.tenant_id = n.tenant_id and c.memory_id = n.id;
  return null;
end $$;
alter function move_sight() owner to mem_definer;
create trigger move_sight after update on memory referencing old table as removed new table as added
  for each statement execute function move_sight();
revoke execute on function copy_sight(), move_sight(), hold_memory() from public;

-- Nobody writes the copy.
revoke insert on vote_question from mem_app;
grant insert (tenant_id, user_id, retrieval_id, memory_id, encoder, helpful, vector, created_at) on vote_question to mem_app;
