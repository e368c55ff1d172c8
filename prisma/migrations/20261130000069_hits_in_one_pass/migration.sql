-- Each hit looked through all that its person was shown that day, and each of these through all that came with it: two hundred
-- hits at once took eight million looks. Now the day of each person is read once, and a memory was asked for anew where
-- nothing of that day but what has just come showed it. Sums instead of joins between what was counted: a plan that was made
-- for one hit is kept for two hundred.
create or replace function count_hits() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.memory_stat s
    where (s.tenant_id, s.memory_id) in (select h.tenant_id, h.memory_id from added h)
    order by s.tenant_id, s.memory_id for update;
  with fresh as materialized (
    select h.tenant_id, h.memory_id, r.user_id, r.created_at, r.kind = 'asked' as is_asked,
      date_trunc('day', r.created_at, 'UTC') as day
    from added h join public.retrieval r on r.tenant_id = h.tenant_id and r.id = h.retrieval_id
  ), asked as (
    select c.tenant_id, c.user_id, c.day, c.memory_id, sum(c.fresh) as fresh, sum(c.that_day) as that_day
    from (
      select f.tenant_id, f.user_id, f.day, f.memory_id, count(*) as fresh, 0 as that_day
      from fresh f where f.is_asked group by 1, 2, 3, 4
      union all
      select d.tenant_id, d.user_id, d.day, o.memory_id, 0, count(*)
      from (
        select f.tenant_id, f.user_id, f.day, array_agg(distinct f.memory_id) as memories
        from fresh f where f.is_asked group by 1, 2, 3
      ) d
      join public.retrieval q on q.tenant_id = d.tenant_id and q.user_id = d.user_id and q.kind = 'asked'
        and q.created_at >= d.day and q.created_at < d.day + interval '1 day'
      join public.retrieval_hit o on o.tenant_id = q.tenant_id and o.retrieval_id = q.id and o.memory_id = any (d.memories)
      group by 1, 2, 3, 4
    ) c
    group by 1, 2, 3, 4
  ), told as (
    select f.tenant_id, f.memory_id, count(*) as times, max(f.created_at) as latest, 0 as asked from fresh f group by 1, 2
    union all
    select a.tenant_id, a.memory_id, 0, null, count(*) from asked a where a.fresh > 0 and a.fresh = a.that_day group by 1, 2
  )
  update public.memory_stat s set
    shown = s.shown + n.times,
    last_shown_at = greatest(s.last_shown_at, n.latest),
    asked_retrievals = s.asked_retrievals + n.asked
  from (
    select t.tenant_id, t.memory_id, sum(t.times) as times, max(t.latest) as latest, sum(t.asked) as asked
    from told t group by 1, 2
  ) n
  where s.tenant_id = n.tenant_id and s.memory_id = n.memory_id;
  return null;
end $$;
