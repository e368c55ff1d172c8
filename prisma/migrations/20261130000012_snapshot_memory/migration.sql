-- What points at a row that goes is found by that row. Without these, each memory that was erased made the database walk
-- through every night's snapshot and through all memories twice, and each answer that was purged through all votes.
create index snapshot_memory on snapshot (tenant_id, memory_id);
create index memory_merged_into on memory (tenant_id, merged_into) where merged_into is not null;
create index memory_superseded_by on memory (tenant_id, superseded_by) where superseded_by is not null;
create index vote_hit on vote (tenant_id, retrieval_id, memory_id);

-- How many people found a memory unhelpful, as helpful_voters counts the others: weights are no count. Of what a person
-- said on one UTC day the last word counts.
alter table memory_stat add column unhelpful_voters integer not null default 0;

create function count_unhelpful_voters(p_tenant uuid, p_memories uuid[]) returns void
language sql security definer set search_path = '' as $$
  update public.memory_stat s set unhelpful_voters = n.voters
  from (
    select m.id, count(distinct d.user_id) filter (where not d.helpful) as voters
    from unnest(p_memories) as m (id)
    left join lateral (
      select distinct on (v.user_id, (v.created_at at time zone 'UTC')::date) v.user_id, v.helpful
      from public.vote v where v.tenant_id = p_tenant and v.memory_id = m.id
      order by v.user_id, (v.created_at at time zone 'UTC')::date, v.created_at desc, v.retrieval_id desc
    ) d on true
    group by m.id
  ) n
  where s.tenant_id = p_tenant and s.memory_id = n.id and s.unhelpful_voters <> n.voters
$$;
alter function count_unhelpful_voters(uuid, uuid[]) owner to mem_definer;

-- After follow_votes, whose name comes first: it has locked the rows, so this reads what every other voter committed.
create function follow_unhelpful() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  r record;
begin
  for r in select c.tenant_id, array_agg(distinct c.memory_id) as memories from changed c group by c.tenant_id loop
    perform public.count_unhelpful_voters(r.tenant_id, r.memories);
  end loop;
  return null;
end $$;
alter function follow_unhelpful() owner to mem_definer;
create trigger unhelpful_insert after insert on vote referencing new table as changed
  for each statement execute function follow_unhelpful();
create trigger unhelpful_update after update on vote referencing new table as changed
  for each statement execute function follow_unhelpful();
create trigger unhelpful_delete after delete on vote referencing old table as changed
  for each statement execute function follow_unhelpful();

-- As mem_definer, because row-level security is forced on the owner too.
set local role mem_definer;
select count_unhelpful_voters(v.tenant_id, array_agg(distinct v.memory_id)) from vote v group by v.tenant_id;
set local role mem_owner;
