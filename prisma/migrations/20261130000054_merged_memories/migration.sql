-- Memories that were merged into another (docs/decisions/0024-what-a-merge-moves.md). A merge moves nothing: votes, questions
-- and retrievals stay where they were given, and the survivor's numbers are computed from its own and those of what is
-- merged into it. So to undo a merge is to take `merged_into` away.

alter table memory add column merged_revision integer;
comment on column memory.merged_revision is 'The revision that the survivor had when this was merged into it.';
alter table memory_stat add column joined_asked integer not null default 0;
comment on column memory_stat.joined_asked is 'The part of asked_retrievals that comes from what is merged into the memory.';

-- ── What counts together ────────────────────────────────────────────────────────────────────────────────────────────

-- The memories, and those into which they are merged.
create function merge_roots(p_tenant uuid, p_memories uuid[]) returns uuid[]
language sql stable security definer set search_path = '' as $$
  with recursive up (id, depth) as (
    select x, 0 from unnest(p_memories) as x
    union
    select m.merged_into, u.depth + 1 from up u
      join public.memory m on m.tenant_id = p_tenant and m.id = u.id
      where m.merged_into is not null and u.depth < 50
  )
  select coalesce(array_agg(distinct u.id), '{}') from up u
$$;
alter function merge_roots(uuid, uuid[]) owner to mem_definer;

-- Each memory with what is merged into it, itself included. `is_older`: since then the survivor came to say something else,
-- so that all votes for the merged text are votes for an older one.
create function merge_parts(p_tenant uuid, p_memories uuid[]) returns table (root uuid, id uuid, is_older boolean)
language sql stable security definer set search_path = '' as $$
  with recursive part (root, id, is_older, depth) as (
    select x, x, false, 0 from unnest(p_memories) as x
    union all
    select p.root, m.id, p.is_older or exists (select from public.revision r where r.tenant_id = p_tenant
        and r.memory_id = p.id and r.says_other and r.revision >= m.merged_revision), p.depth + 1
    from part p join public.memory m on m.tenant_id = p_tenant and m.merged_into = p.id
    where p.depth < 50
  )
  select p.root, p.id, bool_or(p.is_older) from part p group by p.root, p.id
$$;
alter function merge_parts(uuid, uuid[]) owner to mem_definer;

-- As before, over a memory and what is merged into it: of the votes that a person gives any of them on one UTC day the last
-- one speaks. Who wrote one of them praises an own text, whoever wrote the one that survived.
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
      select array_agg(y.owner_id) as authors from public.merge_parts(p_tenant, array[m.id]) q
        join public.memory y on y.tenant_id = p_tenant and y.id = q.id
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

create or replace function count_unhelpful_voters(p_tenant uuid, p_memories uuid[]) returns void
language sql security definer set search_path = '' as $$
  update public.memory_stat s set unhelpful_voters = n.voters
  from (
    select m.id, count(distinct d.user_id) filter (where not d.helpful) as voters
    from unnest(public.merge_roots(p_tenant, p_memories)) as m (id)
    left join lateral (
      select distinct on (v.user_id, (v.created_at at time zone 'UTC')::date) v.user_id, v.helpful
      from public.merge_parts(p_tenant, array[m.id]) q
        join public.vote v on v.tenant_id = p_tenant and v.memory_id = q.id
      order by v.user_id, (v.created_at at time zone 'UTC')::date, v.created_at desc, v.retrieval_id desc
    ) d on true
    group by m.id
  ) n
  where s.tenant_id = p_tenant and s.memory_id = n.id and s.unhelpful_voters <> n.voters
$$;

-- Retrievals add up, but a person who was shown several of them on one day asked once. What a memory counted itself is kept
-- as it is: the answers behind it may be gone by now.
create function count_joined_asked(p_tenant uuid, p_memories uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_memories uuid[] := public.merge_roots(p_tenant, p_memories);
begin
  perform from public.memory_stat s where s.tenant_id = p_tenant and s.memory_id = any (v_memories)
    order by s.memory_id for update;
  update public.memory_stat s
    set asked_retrievals = s.asked_retrievals - s.joined_asked + n.joined, joined_asked = n.joined
  from (
    select q.root as id,
      coalesce(sum(x.asked_retrievals - x.joined_asked) filter (where q.id <> q.root), 0)
        - (sum(d.days) - max(u.days)) as joined
    from public.merge_parts(p_tenant, v_memories) q
    join public.memory_stat x on x.tenant_id = p_tenant and x.memory_id = q.id
    cross join lateral (
      select count(distinct (r.user_id, (r.created_at at time zone 'UTC')::date)) as days
      from public.retrieval_hit h join public.retrieval r on r.tenant_id = h.tenant_id and r.id = h.retrieval_id
      where h.tenant_id = p_tenant and h.memory_id = q.id and r.kind = 'asked'
    ) d
    cross join lateral (
      select count(distinct (r.user_id, (r.created_at at time zone 'UTC')::date)) as days
      from public.merge_parts(p_tenant, array[q.root]) z
      join public.retrieval_hit h on h.tenant_id = p_tenant and h.memory_id = z.id
      join public.retrieval r on r.tenant_id = h.tenant_id and r.id = h.retrieval_id
      where r.kind = 'asked'
    ) u
    group by q.root
  ) n
  where s.tenant_id = p_tenant and s.memory_id = n.id and s.joined_asked <> n.joined;
end $$;
alter function count_joined_asked(uuid, uuid[]) owner to mem_definer;

-- After count_hits, whose name comes first.
create function count_joined_hits() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  r record;
begin
  for r in select h.tenant_id, array_agg(distinct h.memory_id) as memories from added h
    where exists (select from public.memory m where m.tenant_id = h.tenant_id and m.merged_into = h.memory_id)
    group by h.tenant_id
  loop
    perform public.count_joined_asked(r.tenant_id, r.memories);
  end loop;
  return null;
end $$;
alter function count_joined_hits() owner to mem_definer;
create trigger count_joined_hits after insert on retrieval_hit referencing new table as added
  for each statement execute function count_joined_hits();

-- ── Who merges ──────────────────────────────────────────────────────────────────────────────────────────────────────

-- Only what the same people see, and of one kind; by who answers for them. The machines merge within one author alone.
create function guard_merge() returns trigger language plpgsql set search_path = '' as $$
declare
  s record;
  v_may boolean;
begin
  if current_user not in ('mem_app', 'mem_worker') then
    return new;
  end if;
  select m.id, m.state, m.kind, m.scope, m.owner_id, m.project_id, m.group_id into s from public.memory m
    where m.tenant_id = new.tenant_id and m.id = new.merged_into;
  if not found then
    return new;
  end if;
  -- Not in one expression: the right to call a function is asked for wherever it stands in one.
  if current_user = 'mem_app' then
    v_may := public.maintains_memory(new);
  else
    v_may := s.owner_id = new.owner_id;
  end if;
  if not v_may or old.merged_into is not null or new.state <> 'archived' or s.state <> 'active' or s.id = new.id
    or s.kind <> new.kind or s.scope <> new.scope
    or (case new.scope when 'private' then s.owner_id <> new.owner_id when 'project' then s.project_id <> new.project_id
      when 'group' then s.group_id <> new.group_id else false end) then
    raise exception using errcode = 'TM054', message = 'these memories are not to be merged';
  end if;
  return new;
end $$;
-- After `guard`, whose name comes first, and which refuses what the caller does not see.
create trigger guard_merge before update on memory for each row
  when (new.merged_into is distinct from old.merged_into and new.merged_into is not null)
  execute function guard_merge();
