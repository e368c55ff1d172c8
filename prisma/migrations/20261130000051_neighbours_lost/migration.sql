-- A memory that goes, comes to be seen by others or says something else leaves a place free among the ten nearest of its
-- neighbours. The eleventh takes it: those that had their places full and now lack one are looked at again by the embedding
-- loop, which knows the thresholds. All others are joined with everything near them already.
create function ask_neighbours() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.outbox (tenant_id, kind, subject_id)
  select new.tenant_id, 'memory.embed', m.id
  from public.link l
    join public.memory m on m.tenant_id = l.tenant_id and m.id = l.from_id and m.state = 'active'
    cross join lateral (
      select count(*) as drawn, count(*) filter (where o.to_id <> new.id and n.state = 'active') as standing
      from public.link o join public.memory n on n.tenant_id = o.tenant_id and n.id = o.to_id
      where o.tenant_id = l.tenant_id and o.from_id = l.from_id and o.kind = 'neighbour'
    ) places
  where l.tenant_id = new.tenant_id and l.to_id = new.id and l.kind = 'neighbour'
    and places.drawn >= 10 and places.standing < 10
    and not exists (select from public.outbox w where w.tenant_id = l.tenant_id and w.kind = 'memory.embed'
      and w.subject_id = m.id and w.done_at is null);
  return null;
end $$;
alter function ask_neighbours() owner to mem_definer;
-- Before `carry_vectors` and `follow`, whose names come later, and which take the links away.
create trigger ask_neighbours after update on memory for each row
  when (old.state = 'active' and new.state <> 'active'
    or (new.title, new.text, new.scope, new.owner_id, new.project_id, new.group_id)
      is distinct from (old.title, old.text, old.scope, old.owner_id, old.project_id, old.group_id))
  execute function ask_neighbours();
