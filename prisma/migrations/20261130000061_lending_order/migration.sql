-- A vote holds its memories before it holds scores, in the order in which a memory that moves does (hold_memory). A memory
-- that moved while it was voted helpful waited for its score, and the vote for the memory.
create or replace function hold_lending(p_memories uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_shown uuid[];
begin
  select array_agg(distinct h.memory_id) into v_shown
  from public.retrieval_hit h
    join public.retrieval r on r.tenant_id = h.tenant_id and r.id = h.retrieval_id and r.user_id = public.uid()
  where h.tenant_id = public.current_tenant() and h.memory_id = any (p_memories);
  perform from public.memory m
    where m.tenant_id = public.current_tenant() and m.id = any (v_shown)
    order by m.id for share;
  perform from public.memory_stat s
    where s.tenant_id = public.current_tenant() and s.memory_id in (
      select unnest(v_shown) union select c.other_id from public.lending_circle(public.current_tenant(), v_shown) c)
    order by s.memory_id for update;
end $$;
