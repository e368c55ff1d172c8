-- Statistics of a moment before a tenant came know nothing of it: the planner takes its thousands of rows for one, and worked out
-- anew for each of them what one vote changes. A vote in a tenant of a thousand memories read five thousand rows and took .4 to .9 s of
-- a processor; one of ten thousand would have met its time limit. What is worked out is now worked out once, whatever the plan.

create or replace function recompute_evidence(p_tenant uuid, p_memories uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_memories uuid[] := public.merge_roots(p_tenant, p_memories);
begin
  -- One writer at a time per memory; the next statement then sees what the one before committed. Ordered, so that two
  -- voters never wait for each other.
  perform from public.memory_stat s where s.tenant_id = p_tenant and s.memory_id = any (v_memories)
    order by s.memory_id for update;
  with n as materialized (
    select m.id, m.ended_at as captured,
      coalesce(sum(w.h * w.share), 0) as h, coalesce(sum(w.u * w.share), 0) as u,
      count(w.user_id) filter (where w.h > 0 and w.says_so) as voters,
      count(w.user_id) filter (where w.h > 0 and w.says_so and w.user_id <> all (a.authors)) as others,
      max(w.praised) as praised
    from public.memory m
    cross join lateral (
      select coalesce(array_agg(w.author), '{}') as authors from public.merge_parts(p_tenant, array[m.id]) q
        cross join lateral (
          select coalesce(y.written_by, y.owner_id) as author from public.memory y
            where y.tenant_id = p_tenant and y.id = q.id
          union
          select r.author_id from public.revision r where r.tenant_id = p_tenant and r.memory_id = q.id
        ) w
        where w.author is not null
    ) a
    left join lateral (
      select p.user_id, p.praised, p.says_so,
        case when p.last_helpful then p.h else least(p.h, 3 - p.u) end as h,
        case when p.last_helpful then least(p.u, 3 - p.h) else p.u end as u,
        case when p.user_id = any (a.authors) and m.scope <> 'private' then 0.5 else 1 end as share
      from (
        select v.user_id,
          least(3, ln(1 + count(*) filter (where v.helpful and not v.older)) / ln(2.0)
            + ln(1 + count(*) filter (where v.helpful and v.older)) / ln(2.0) / 2) as h,
          least(3, ln(1 + count(*) filter (where not v.helpful and not v.older)) / ln(2.0)
            + ln(1 + count(*) filter (where not v.helpful and v.older)) / ln(2.0) / 2) as u,
          (array_agg(v.helpful order by v.created_at desc))[1] as last_helpful,
          max(v.created_at) filter (where v.helpful) as praised,
          coalesce(bool_or(v.helpful and not v.older), false) as says_so
        from (
          select distinct on (x.user_id, (x.created_at at time zone 'UTC')::date) x.user_id, x.helpful, x.created_at,
            q.is_older or x.revision <= o.last_other as older
          from public.merge_parts(p_tenant, array[m.id]) q
          join public.vote x on x.tenant_id = p_tenant and x.memory_id = q.id
          cross join lateral (
            select coalesce(max(r.revision), 0) as last_other from public.revision r
            where r.tenant_id = p_tenant and r.memory_id = q.id and r.says_other
          ) o
          order by x.user_id, (x.created_at at time zone 'UTC')::date, x.created_at desc, x.retrieval_id desc
        ) v
        group by v.user_id
      ) p
    ) w on true
    where m.tenant_id = p_tenant and m.id = any (v_memories)
    group by m.tenant_id, m.id, m.ended_at
  )
  update public.memory_stat s set
    helpful = n.h, unhelpful = n.u, evidence = (n.h + 1) / (n.h + n.u + 2),
    helpful_voters = n.voters, helpful_others = n.others,
    last_useful_at = greatest(n.captured, n.praised)
  from n
  where s.tenant_id = p_tenant and s.memory_id = any (v_memories) and s.memory_id = n.id;
end $$;

create or replace function count_joined_proofs(p_tenant uuid, p_memories uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_memories uuid[] := public.merge_roots(p_tenant, p_memories);
begin
  perform from public.memory_stat s where s.tenant_id = p_tenant and s.memory_id = any (v_memories)
    order by s.memory_id for update;
  with n as materialized (
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
  )
  update public.memory_stat s set joined_proofs = n.joined
  from n
  where s.tenant_id = p_tenant and s.memory_id = any (v_memories) and s.memory_id = n.id and s.joined_proofs <> n.joined;
end $$;

-- And statistics learn of newcomers sooner than after a tenth of a table has changed.
alter table memory set (autovacuum_analyze_scale_factor = 0.02);
alter table memory_stat set (autovacuum_analyze_scale_factor = 0.02);
alter table embedding_default set (autovacuum_analyze_scale_factor = 0.02);
alter table link set (autovacuum_analyze_scale_factor = 0.02);
alter table retrieval set (autovacuum_analyze_scale_factor = 0.02);
alter table retrieval_hit set (autovacuum_analyze_scale_factor = 0.02);
alter table vote set (autovacuum_analyze_scale_factor = 0.02);
