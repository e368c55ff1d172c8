-- One voice a day (docs/decisions/0011-one-voice-a-day.md): of the votes that a person gives a memory on one UTC day the
-- last one speaks, and both sides of one person share one cap. Votes for a text that has since been changed in substance
-- weigh half.

alter table revision add column says_other boolean not null default false;
comment on column revision.says_other is
  'The next revision says something else (the conflict guard would not merge the two): votes up to this one weigh half.';

-- The evidence of memories, anew from their votes, as countVotes and weighVotes of libs/core/src/evidence.ts have it; a
-- test compares the two. e = (H + 1) / (H + U + 2); a person's days of one sign weigh
-- min(3, log2(1 + days now) + log2(1 + days older) / 2), both signs together 3 at most, the last word first; half when the
-- person wrote the memory and others see it.
create or replace function recompute_evidence(p_tenant uuid, p_memories uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- One writer at a time per memory; the next statement then sees what the one before committed. Ordered, so that two
  -- voters never wait for each other.
  perform from public.memory_stat s where s.tenant_id = p_tenant and s.memory_id = any (p_memories)
    order by s.memory_id for update;
  update public.memory_stat s set
    helpful = n.h, unhelpful = n.u, evidence = (n.h + 1) / (n.h + n.u + 2),
    helpful_voters = n.voters, helpful_others = n.others,
    last_useful_at = greatest(n.captured, n.merged, n.praised)
  from (
    select m.id, m.ended_at as captured,
      coalesce(sum(w.h * w.share), 0) as h, coalesce(sum(w.u * w.share), 0) as u,
      count(w.user_id) filter (where w.h > 0) as voters,
      count(w.user_id) filter (where w.h > 0 and w.user_id <> m.owner_id) as others,
      max(w.praised) as praised,
      (select max(r.created_at) from public.revision r
        where r.tenant_id = m.tenant_id and r.memory_id = m.id and r.reason = 'merged') as merged
    from public.memory m
    left join lateral (
      select p.user_id, p.praised,
        case when p.last_helpful then p.h else least(p.h, 3 - p.u) end as h,
        case when p.last_helpful then least(p.u, 3 - p.h) else p.u end as u,
        case when p.user_id = m.owner_id and m.scope <> 'private' then 0.5 else 1 end as share
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
            x.revision <= o.last_other as older
          from public.vote x cross join (
            select coalesce(max(r.revision), 0) as last_other from public.revision r
            where r.tenant_id = m.tenant_id and r.memory_id = m.id and r.says_other
          ) o
          where x.tenant_id = m.tenant_id and x.memory_id = m.id
          order by x.user_id, (x.created_at at time zone 'UTC')::date, x.created_at desc, x.retrieval_id desc
        ) v
        group by v.user_id
      ) p
    ) w on true
    where m.tenant_id = p_tenant and m.id = any (p_memories)
    group by m.tenant_id, m.id, m.ended_at
  ) n
  where s.tenant_id = p_tenant and s.memory_id = n.id;
end $$;

create function follow_other_text() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform public.recompute_evidence(new.tenant_id, array[new.memory_id]);
  return null;
end $$;
alter function follow_other_text() owner to mem_definer;
create trigger follow_other_text after insert on revision for each row when (new.says_other)
  execute function follow_other_text();

-- The question of a vote that was turned or given anew is of that moment too: its day is the vote's.
create or replace function follow_votes() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  r record;
begin
  for r in select c.tenant_id, array_agg(distinct c.memory_id) as memories from changed c group by c.tenant_id loop
    perform public.recompute_evidence(r.tenant_id, r.memories);
  end loop;
  if tg_op = 'UPDATE' then
    update public.vote_question q set helpful = c.helpful, created_at = c.created_at from changed c
      where q.tenant_id = c.tenant_id and q.user_id = c.user_id and q.retrieval_id = c.retrieval_id
        and q.memory_id = c.memory_id and (q.helpful, q.created_at) is distinct from (c.helpful, c.created_at);
  end if;
  return null;
end $$;

-- Two hundred questions a memory and encoder. Whoever has most of them gives way first, with the oldest, so that nobody
-- can push out what others said by asking two hundred times.
create or replace function bound_vote_questions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.vote_question q using (
    select o.user_id, o.retrieval_id from (
      select v.user_id, v.retrieval_id, v.created_at,
        row_number() over (partition by v.user_id order by v.created_at desc, v.retrieval_id desc) as nth
      from public.vote_question v
      where v.tenant_id = new.tenant_id and v.memory_id = new.memory_id and v.encoder = new.encoder
    ) o
    order by o.nth, o.created_at desc, o.retrieval_id desc, o.user_id offset 200
  ) excess
  where q.tenant_id = new.tenant_id and q.memory_id = new.memory_id and q.encoder = new.encoder
    and q.user_id = excess.user_id and q.retrieval_id = excess.retrieval_id;
  return null;
end $$;

-- What was counted by the old rule is counted anew. As mem_definer, because row-level security is forced on the owner too.
set local role mem_definer;
select recompute_evidence(v.tenant_id, array_agg(distinct v.memory_id)) from vote v group by v.tenant_id;
set local role mem_owner;
