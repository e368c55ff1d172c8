-- What happened to a memory on a day (UTC), in numbers alone: trends are sums of these, over the memories that the caller
-- sees. Votes and questions themselves stay their person's own.

create table memory_day (
  tenant_id uuid not null,
  memory_id uuid not null,
  day date not null,
  -- Answers in which it stood first, by why they were given: so that each answer counts once, with what it showed.
  asked integer not null default 0 check (asked >= 0),
  injected integer not null default 0 check (injected >= 0),
  answered integer not null default 0 check (answered >= 0), -- of those asked: where something shown was found helpful
  -- Votes that stand, by the day they were given; and the places at which what was helpful had been shown.
  helpful integer not null default 0 check (helpful >= 0),
  unhelpful integer not null default 0 check (unhelpful >= 0),
  helpful_places bigint not null default 0 check (helpful_places >= 0),
  primary key (tenant_id, memory_id, day),
  foreign key (tenant_id, memory_id) references memory (tenant_id, id) on delete cascade
);

alter table retrieval add column helped boolean not null default false; -- something it showed was found helpful

alter table memory_day enable row level security, force row level security;
create policy tenant_only on memory_day as restrictive to mem_app, mem_worker, mem_text
  using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()));
create policy app_read on memory_day for select to mem_app using (exists (select from memory m
  where m.tenant_id = memory_day.tenant_id and m.id = memory_day.memory_id));

grant select on memory_day to mem_app, mem_backup;
grant select, insert, update, delete on memory_day to mem_definer;

-- ── Kept by triggers, which alone write it ──────────────────────────────────────────────────────────────────────────

create function utc_day(p_at timestamptz) returns date language sql immutable set search_path = '' as $$
  select (p_at at time zone 'UTC')::date
$$;

-- After count_hits, whose name comes first: it has locked the memories' rows in order, so nobody waits in a circle here.
create function note_first_hits() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.memory_day as d (tenant_id, memory_id, day, asked, injected)
  select h.tenant_id, h.memory_id, public.utc_day(r.created_at),
    count(*) filter (where r.kind = 'asked'), count(*) filter (where r.kind = 'injected')
  from added h join public.retrieval r on r.tenant_id = h.tenant_id and r.id = h.retrieval_id
  where h.place = 1
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (tenant_id, memory_id, day) do update set asked = d.asked + excluded.asked, injected = d.injected + excluded.injected;
  return null;
end $$;
create trigger note_first_hits after insert on retrieval_hit referencing new table as added
  for each statement execute function note_first_hits();

-- Counted anew from the votes that stand, never added to: whatever the order, the sum is what is there. A memory that is
-- being erased, with its votes, has no days to keep.
create function recount_votes(p_tenant uuid, p_memories uuid[], p_days date[]) returns void
language sql security definer set search_path = '' as $$
  insert into public.memory_day as d (tenant_id, memory_id, day, helpful, unhelpful, helpful_places)
  select p_tenant, c.memory_id, c.day, count(*) filter (where v.helpful), count(*) filter (where not v.helpful),
    coalesce(sum(h.place) filter (where v.helpful), 0)
  from (select distinct u.memory_id, u.day from unnest(p_memories, p_days) as u (memory_id, day)) c
  join public.memory m on m.tenant_id = p_tenant and m.id = c.memory_id
  left join public.vote v on v.tenant_id = p_tenant and v.memory_id = c.memory_id
    and v.created_at >= c.day::timestamp at time zone 'UTC' and v.created_at < (c.day + 1)::timestamp at time zone 'UTC'
  left join public.retrieval_hit h on h.tenant_id = v.tenant_id and h.retrieval_id = v.retrieval_id
    and h.memory_id = v.memory_id
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (tenant_id, memory_id, day) do update
    set helpful = excluded.helpful, unhelpful = excluded.unhelpful, helpful_places = excluded.helpful_places
$$;

-- Whether an answer held something helpful, noted on the answer itself, and from there on the memory that led it. The
-- answer's row is locked before its votes are read, so that two votes of one person on it count it once.
create function note_answered(p_tenant uuid, p_retrievals uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.retrieval r where r.tenant_id = p_tenant and r.id = any (p_retrievals) order by r.id for update;
  with turned as (
    update public.retrieval r set helped = not r.helped
    where r.tenant_id = p_tenant and r.id = any (p_retrievals) and r.helped <> exists (select from public.vote v
      where v.tenant_id = r.tenant_id and v.retrieval_id = r.id and v.helpful)
    returning r.id, r.kind, r.helped, public.utc_day(r.created_at) as day
  )
  update public.memory_day d set answered = greatest(0, d.answered + n.change)
  from (
    select h.memory_id, t.day, sum(case when t.helped then 1 else -1 end)::int as change
    from turned t join public.retrieval_hit h on h.tenant_id = p_tenant and h.retrieval_id = t.id and h.place = 1
    where t.kind = 'asked' group by 1, 2
  ) n
  where d.tenant_id = p_tenant and d.memory_id = n.memory_id and d.day = n.day;
end $$;

-- After follow_votes, which has locked the memories' rows: this reads what every other voter committed.
create function note_votes() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  r record;
begin
  for r in
    select c.tenant_id, array_agg(c.memory_id) as memories, array_agg(public.utc_day(c.created_at)) as days,
      array_agg(distinct c.retrieval_id) as retrievals
    from changed c group by c.tenant_id
  loop
    perform public.recount_votes(r.tenant_id, r.memories, r.days);
    perform public.note_answered(r.tenant_id, r.retrievals);
  end loop;
  return null;
end $$;
create trigger note_insert after insert on vote referencing new table as changed
  for each statement execute function note_votes();
create trigger note_update_new after update on vote referencing new table as changed
  for each statement execute function note_votes();
create trigger note_update_old after update on vote referencing old table as changed
  for each statement execute function note_votes();
create trigger note_delete after delete on vote referencing old table as changed
  for each statement execute function note_votes();

do $$
declare
  r record;
begin
  for r in select unnest(array['note_first_hits()', 'note_votes()', 'recount_votes(uuid, uuid[], date[])',
    'note_answered(uuid, uuid[])', 'utc_day(timestamptz)']) as name
  loop
    execute format('alter function %s owner to mem_definer', r.name);
    execute format('revoke execute on function %s from public', r.name);
  end loop;
end $$;

-- ── What was there before ───────────────────────────────────────────────────────────────────────────────────────────
-- As mem_definer, because row-level security is forced on the owner too.

set local role mem_definer;
insert into memory_day (tenant_id, memory_id, day, asked, injected)
select h.tenant_id, h.memory_id, utc_day(r.created_at),
  count(*) filter (where r.kind = 'asked'), count(*) filter (where r.kind = 'injected')
from retrieval_hit h join retrieval r on r.tenant_id = h.tenant_id and r.id = h.retrieval_id
where h.place = 1 group by 1, 2, 3;
select recount_votes(v.tenant_id, array_agg(v.memory_id), array_agg(utc_day(v.created_at))) from vote v group by v.tenant_id;
select note_answered(v.tenant_id, array_agg(distinct v.retrieval_id)) from vote v group by v.tenant_id;
set local role mem_owner;
