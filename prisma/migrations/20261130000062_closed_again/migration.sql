-- What a red team opened is closed (docs/security.md).

-- In two steps: in one, whoever may not ask who maintains a memory is refused before the role is looked at, and what the
-- database does by itself when a merge ends would fail.
create or replace function guard_pin() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'mem_app' then
    if not public.maintains_memory(new) then
      raise exception using errcode = '42501', message = 'new row violates row-level security policy for table "memory"';
    end if;
  end if;
  return new;
end $$;

-- What was decided of two memories was said among those who saw both. Other people are not told: the conflict is open again.
create function reopen_where_it_goes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.link l set resolution = null
    where l.tenant_id = new.tenant_id and new.id in (l.from_id, l.to_id) and l.kind = 'conflict' and l.resolution is not null;
  return null;
end $$;
alter function reopen_where_it_goes() owner to mem_definer;
revoke execute on function reopen_where_it_goes() from public;
create trigger reopen_where_it_goes after update on memory for each row
  when ((new.scope, new.owner_id, new.project_id, new.group_id)
    is distinct from (old.scope, old.owner_id, old.project_id, old.group_id))
  execute function reopen_where_it_goes();

-- The machines of the night need who is near whom, and no words of people.
revoke select on link from mem_worker, mem_text;
grant select (tenant_id, from_id, to_id, kind, weight, created_at) on link to mem_worker, mem_text;

-- After follow_state, which dates the state; its old name came before.
alter trigger follow_standing on memory rename to follow_state_standing;

-- An effect of a merge is applied when the merge ends: only who may merge the memories writes one.
drop policy app_write on upkeep_effect;
create policy app_write on upkeep_effect for insert to mem_app with check (
  exists (select from upkeep_run r where r.tenant_id = upkeep_effect.tenant_id and r.id = upkeep_effect.run_id
    and r.made_by = (select uid()) and r.undone_at is null)
  and exists (select from memory m where m.tenant_id = upkeep_effect.tenant_id and m.id = upkeep_effect.memory_id
    and maintains_memory(m))
  and (into_id is null
    or exists (select from memory m where m.tenant_id = upkeep_effect.tenant_id and m.id = upkeep_effect.into_id
      and maintains_memory(m))));

-- As before, but an author is who wrote the memory, not who owns it today: a memory that is given away does not turn its
-- author's vote into a stranger's, nor its new owner's into an author's.
create or replace function recompute_evidence(p_tenant uuid, p_memories uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_memories uuid[] := public.merge_roots(p_tenant, p_memories);
begin
  -- One writer at a time per memory; the next statement then sees what the one before committed. Ordered, so that two
  -- voters never wait for each other.
  perform from public.memory_stat s where s.tenant_id = p_tenant and s.memory_id = any (v_memories)
    order by s.memory_id for update;
  update public.memory_stat s set
    helpful = n.h, unhelpful = n.u, evidence = (n.h + 1) / (n.h + n.u + 2),
    helpful_voters = n.voters, helpful_others = n.others,
    last_useful_at = greatest(n.captured, n.praised)
  from (
    select m.id, m.ended_at as captured,
      coalesce(sum(w.h * w.share), 0) as h, coalesce(sum(w.u * w.share), 0) as u,
      count(w.user_id) filter (where w.h > 0) as voters,
      count(w.user_id) filter (where w.h > 0 and w.user_id <> all (a.authors)) as others,
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
      select p.user_id, p.praised,
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
          max(v.created_at) filter (where v.helpful) as praised
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
  ) n
  where s.tenant_id = p_tenant and s.memory_id = n.id;
end $$;
