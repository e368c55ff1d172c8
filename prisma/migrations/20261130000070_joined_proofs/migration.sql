-- What several people captured and a maintainer merged stands for all of them: the survivor counts each (user, session) that
-- captured any of its texts once. The number alone, beside what the memory counted itself, so that undoing takes it away.

alter table memory_stat add column joined_proofs integer not null default 0 check (joined_proofs >= 0);
comment on column memory_stat.joined_proofs is 'Captures of what is merged into the memory, from sessions that did not capture it itself.';

create function count_joined_proofs(p_tenant uuid, p_memories uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_memories uuid[] := public.merge_roots(p_tenant, p_memories);
begin
  perform from public.memory_stat s where s.tenant_id = p_tenant and s.memory_id = any (v_memories)
    order by s.memory_id for update;
  update public.memory_stat s set joined_proofs = n.joined
  from (
    select r.id, count(distinct p.session_id) filter (where not exists (select from public.proof o
        where o.tenant_id = p_tenant and o.memory_id = r.id and o.session_id = p.session_id))
      + coalesce(sum(p.without_session), 0) as joined
    from unnest(v_memories) as r (id)
    left join lateral (
      select y.session_id, 0 as without_session from public.merge_parts(p_tenant, array[r.id]) q
        join public.proof y on y.tenant_id = p_tenant and y.memory_id = q.id where q.id <> r.id
      union all
      select null, m.proof_count - (select count(*) from public.proof y where y.tenant_id = p_tenant and y.memory_id = m.id)
      from public.merge_parts(p_tenant, array[r.id]) q
        join public.memory m on m.tenant_id = p_tenant and m.id = q.id where q.id <> r.id
    ) p on true
    group by r.id
  ) n
  where s.tenant_id = p_tenant and s.memory_id = n.id and s.joined_proofs <> n.joined;
end $$;
alter function count_joined_proofs(uuid, uuid[]) owner to mem_definer;

-- After follow_merges and follow_erased, whose names come first: the memories' rows are locked before their statistics, as a
-- vote does.
create function join_proofs() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  r record;
begin
  if tg_op = 'DELETE' then
    for r in select o.tenant_id, array_agg(distinct o.merged_into) as memories from removed o
      where o.merged_into is not null group by o.tenant_id
    loop
      perform public.count_joined_proofs(r.tenant_id, r.memories);
    end loop;
    return null;
  end if;
  for r in select n.tenant_id, array_agg(distinct x.id) as memories from removed o
    join added n on n.tenant_id = o.tenant_id and n.id = o.id
    cross join lateral (values (n.id), (o.merged_into), (n.merged_into)) as x (id)
    where x.id is not null and (n.merged_into is distinct from o.merged_into or n.proof_count <> o.proof_count
        and exists (select from public.memory m where m.tenant_id = n.tenant_id and m.merged_into = n.id))
    group by n.tenant_id
  loop
    perform public.count_joined_proofs(r.tenant_id, r.memories);
  end loop;
  return null;
end $$;
alter function join_proofs() owner to mem_definer;
create trigger join_proofs after update on memory referencing old table as removed new table as added
  for each statement execute function join_proofs();
create trigger join_proofs_of_erased after delete on memory referencing old table as removed
  for each statement execute function join_proofs();
revoke execute on function count_joined_proofs(uuid, uuid[]), join_proofs() from public;

-- As mem_definer, because row-level security is forced on the owner too.
set local role mem_definer;
select count_joined_proofs(m.tenant_id, array_agg(distinct m.merged_into)) from memory m
  where m.merged_into is not null group by m.tenant_id;
set local role mem_owner;
