-- What keeps itself: copies, counts and scores that follow from a row are made by triggers, so that they hold whoever
-- writes the row and cannot be asked for twice. They run as mem_definer and take no argument from a caller.

-- ── Memory ──────────────────────────────────────────────────────────────────────────────────────────────────────────

-- A policy cannot compare the old row with the new one, so this does: only the author changes who sees a memory, only to
-- a project of his own; and what a memory points to must be visible to whoever points. Runs as the caller, under the
-- caller's policies, and says what a policy says.
create function guard_memory() returns trigger language plpgsql set search_path = '' as $$
begin
  if (new.scope is distinct from old.scope or new.project_id is distinct from old.project_id)
    and (old.owner_id is distinct from public.uid()
      or new.project_id is not null and new.project_id <> all (public.my_projects()))
  or new.merged_into is distinct from old.merged_into and new.merged_into is not null
    and not exists (select from public.memory m where m.tenant_id = new.tenant_id and m.id = new.merged_into)
  or new.superseded_by is distinct from old.superseded_by and new.superseded_by is not null
    and not exists (select from public.memory m where m.tenant_id = new.tenant_id and m.id = new.superseded_by) then
    raise exception using errcode = '42501', message = 'new row violates row-level security policy for table "memory"';
  end if;
  return new;
end $$;
create trigger guard before update on memory for each row
  when (new.scope is distinct from old.scope or new.project_id is distinct from old.project_id
    or new.merged_into is distinct from old.merged_into or new.superseded_by is distinct from old.superseded_by)
  execute function guard_memory();

create function start_memory_stat() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.memory_stat (tenant_id, memory_id, last_useful_at) values (new.tenant_id, new.id, new.ended_at);
  return null;
end $$;
alter function start_memory_stat() owner to mem_definer;
create trigger start_stat after insert on memory for each row execute function start_memory_stat();

-- The evidence of memories, anew from their votes: e = (H + 1) / (H + U + 2); n votes of one person and sign weigh
-- min(3, log2(1 + n)), half when the person wrote the memory and others see it.
create function recompute_evidence(p_tenant uuid, p_memories uuid[]) returns void
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
      coalesce(sum(v.weight) filter (where v.helpful), 0) as h,
      coalesce(sum(v.weight) filter (where not v.helpful), 0) as u,
      count(v.user_id) filter (where v.helpful) as voters,
      count(v.user_id) filter (where v.helpful and v.user_id <> m.owner_id) as others,
      max(v.latest) filter (where v.helpful) as praised,
      (select max(r.created_at) from public.revision r
        where r.tenant_id = m.tenant_id and r.memory_id = m.id and r.reason = 'merged') as merged
    from public.memory m
    left join lateral (
      select x.user_id, x.helpful, max(x.created_at) as latest,
        least(3, ln(1 + count(*)) / ln(2.0))
          * case when x.user_id = m.owner_id and m.scope <> 'private' then 0.5 else 1 end as weight
      from public.vote x where x.tenant_id = m.tenant_id and x.memory_id = m.id
      group by x.user_id, x.helpful
    ) v on true
    where m.tenant_id = p_tenant and m.id = any (p_memories)
    group by m.tenant_id, m.id, m.ended_at
  ) n
  where s.tenant_id = p_tenant and s.memory_id = n.id;
end $$;
alter function recompute_evidence(uuid, uuid[]) owner to mem_definer;

create function follow_memory() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.scope <> old.scope or new.owner_id <> old.owner_id or new.project_id is distinct from old.project_id then
    update public.embedding e set scope = new.scope, owner_id = new.owner_id, project_id = new.project_id
      where e.tenant_id = new.tenant_id and e.memory_id = new.id;
    perform public.recompute_evidence(new.tenant_id, array[new.id]);
  end if;
  if new.revision <> old.revision then
    -- Vectors of a text that is no longer there would find the memory for what it does not say.
    delete from public.embedding e
      where e.tenant_id = new.tenant_id and e.memory_id = new.id and e.revision <> new.revision;
  end if;
  return null;
end $$;
alter function follow_memory() owner to mem_definer;
create trigger follow after update on memory for each row
  when (new.scope <> old.scope or new.owner_id <> old.owner_id or new.project_id is distinct from old.project_id
    or new.revision <> old.revision)
  execute function follow_memory();

create function follow_merge() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.memory_stat s set last_useful_at = greatest(s.last_useful_at, new.created_at)
    where s.tenant_id = new.tenant_id and s.memory_id = new.memory_id;
  return null;
end $$;
alter function follow_merge() owner to mem_definer;
create trigger follow_merge after insert on revision for each row when (new.reason = 'merged')
  execute function follow_merge();

-- ── Embedding ───────────────────────────────────────────────────────────────────────────────────────────────────────

-- The audience is copied before the policy looks at it. Where there is no such memory, the row becomes nobody's, so that
-- the policy refuses it with the words it has for a hidden one.
create function copy_audience() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select m.scope, m.owner_id, m.project_id into new.scope, new.owner_id, new.project_id
    from public.memory m where m.tenant_id = new.tenant_id and m.id = new.memory_id;
  if not found then
    new.scope := 'private';
    new.owner_id := '00000000-0000-0000-0000-000000000000';
    new.project_id := null;
  end if;
  return new;
end $$;
alter function copy_audience() owner to mem_definer;
create trigger copy_audience before insert on embedding for each row execute function copy_audience();

-- After the policies, so that it tells nothing to those who may not write here.
create function refuse_stale_embedding() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.memory m
    where m.tenant_id = new.tenant_id and m.id = new.memory_id and m.revision = new.revision) then
    raise exception using errcode = 'TM001', message = 'stale revision';
  end if;
  return null;
end $$;
alter function refuse_stale_embedding() owner to mem_definer;
create trigger refuse_stale after insert on embedding for each row execute function refuse_stale_embedding();

-- ── Retrievals and votes ────────────────────────────────────────────────────────────────────────────────────────────

-- Asked retrievals count once for each person and day (UTC), however often the question is put.
create function count_hits() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.memory_stat s
    where (s.tenant_id, s.memory_id) in (select h.tenant_id, h.memory_id from added h)
    order by s.tenant_id, s.memory_id for update;
  update public.memory_stat s set
    shown = s.shown + n.times,
    last_shown_at = greatest(s.last_shown_at, n.latest),
    asked_retrievals = s.asked_retrievals + n.asked
  from (
    select h.tenant_id, h.memory_id, count(*) as times, max(r.created_at) as latest,
      count(distinct (r.user_id, date_trunc('day', r.created_at, 'UTC'))) filter (where r.kind = 'asked' and not exists (
        select from public.retrieval q
          join public.retrieval_hit o on o.tenant_id = q.tenant_id and o.retrieval_id = q.id and o.memory_id = h.memory_id
        where q.tenant_id = r.tenant_id and q.user_id = r.user_id and q.kind = 'asked'
          and q.created_at >= date_trunc('day', r.created_at, 'UTC')
          and q.created_at < date_trunc('day', r.created_at, 'UTC') + interval '1 day'
          and not exists (select from added x where x.tenant_id = q.tenant_id and x.retrieval_id = q.id)
      )) as asked
    from added h join public.retrieval r on r.tenant_id = h.tenant_id and r.id = h.retrieval_id
    group by h.tenant_id, h.memory_id
  ) n
  where s.tenant_id = n.tenant_id and s.memory_id = n.memory_id;
  return null;
end $$;
alter function count_hits() owner to mem_definer;
create trigger count_hits after insert on retrieval_hit referencing new table as added
  for each statement execute function count_hits();

create function follow_votes() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  r record;
begin
  for r in select c.tenant_id, array_agg(distinct c.memory_id) as memories from changed c group by c.tenant_id loop
    perform public.recompute_evidence(r.tenant_id, r.memories);
  end loop;
  if tg_op = 'UPDATE' then
    update public.vote_question q set helpful = c.helpful from changed c
      where q.tenant_id = c.tenant_id and q.user_id = c.user_id and q.retrieval_id = c.retrieval_id
        and q.memory_id = c.memory_id and q.helpful <> c.helpful;
  end if;
  return null;
end $$;
alter function follow_votes() owner to mem_definer;
create trigger follow_insert after insert on vote referencing new table as changed
  for each statement execute function follow_votes();
create trigger follow_update after update on vote referencing new table as changed
  for each statement execute function follow_votes();
create trigger follow_delete after delete on vote referencing old table as changed
  for each statement execute function follow_votes();

-- Two hundred questions a memory and encoder; the oldest go.
create function bound_vote_questions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.vote_question q using (
    select o.user_id, o.retrieval_id from public.vote_question o
    where o.tenant_id = new.tenant_id and o.memory_id = new.memory_id and o.encoder = new.encoder
    order by o.created_at desc, o.retrieval_id desc, o.user_id offset 200
  ) excess
  where q.tenant_id = new.tenant_id and q.memory_id = new.memory_id and q.encoder = new.encoder
    and q.user_id = excess.user_id and q.retrieval_id = excess.retrieval_id;
  return null;
end $$;
alter function bound_vote_questions() owner to mem_definer;
create trigger bound after insert on vote_question for each row execute function bound_vote_questions();

-- Both run as the caller: the policies of retrieval_hit and vote decide what may be shown and voted on.
create function record_hits(p_retrieval uuid, p_memories uuid[], p_relevances double precision[], p_scores double precision[])
returns void language sql set search_path = '' as $$
  insert into public.retrieval_hit (tenant_id, retrieval_id, memory_id, place, relevance, score)
  select public.current_tenant(), p_retrieval, h.memory, h.place, h.relevance, h.score
  from unnest(p_memories, p_relevances, p_scores) with ordinality as h (memory, relevance, score, place)
$$;

-- Without a retrieval the vote goes to the caller's latest one that showed the memory. One row a person, retrieval and
-- memory: the last vote stands. Unknown, hidden and never shown answer alike.
create function record_vote(p_memory uuid, p_helpful boolean, p_retrieval uuid, p_note text, p_at timestamptz)
returns uuid language plpgsql set search_path = '' as $$
declare
  v_retrieval uuid;
  v_revision integer;
begin
  select r.id into v_retrieval from public.retrieval r
    join public.retrieval_hit h on h.tenant_id = r.tenant_id and h.retrieval_id = r.id
  where r.tenant_id = public.current_tenant() and r.user_id = public.uid() and h.memory_id = p_memory
    and (p_retrieval is null or r.id = p_retrieval)
  order by r.created_at desc, r.id desc limit 1;
  select m.revision into v_revision from public.memory m
    where m.tenant_id = public.current_tenant() and m.id = p_memory;
  if v_retrieval is null or v_revision is null then
    raise exception using errcode = 'TM002', message = 'no retrieval showed this memory';
  end if;
  insert into public.vote (tenant_id, user_id, retrieval_id, memory_id, helpful, note, revision, created_at)
  values (public.current_tenant(), public.uid(), v_retrieval, p_memory, p_helpful, p_note, v_revision, p_at)
  on conflict (tenant_id, user_id, retrieval_id, memory_id) do update
    set helpful = excluded.helpful, note = excluded.note, revision = excluded.revision, created_at = excluded.created_at;
  return v_retrieval;
end $$;

grant execute on function record_hits(uuid, uuid[], double precision[], double precision[]),
  record_vote(uuid, boolean, uuid, text, timestamptz) to mem_app;

-- ── People ──────────────────────────────────────────────────────────────────────────────────────────────────────────

-- Who makes a project maintains it; nobody else could let the first member in.
create function first_maintainer() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.membership (tenant_id, project_id, user_id, role)
  values (new.tenant_id, new.id, new.created_by, 'maintainer');
  return null;
end $$;
alter function first_maintainer() owner to mem_definer;
create trigger first_maintainer after insert on project for each row execute function first_maintainer();

create function keep_an_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- The tenant's row is the lock: two owners who step down at once do so one after the other.
  perform from public.tenant t where t.id = old.tenant_id for no key update;
  if not exists (select from public.app_user u
    where u.tenant_id = old.tenant_id and u.id <> old.id and u.role = 'owner' and u.status = 'active') then
    raise exception using errcode = 'TM003', message = 'a tenant keeps at least one owner';
  end if;
  return new;
end $$;
alter function keep_an_owner() owner to mem_definer;
create trigger keep_an_owner before update on app_user for each row
  when (old.role = 'owner' and old.status = 'active' and (new.role <> 'owner' or new.status <> 'active'))
  execute function keep_an_owner();

-- ── Audit ───────────────────────────────────────────────────────────────────────────────────────────────────────────

-- Each row holds the SHA-256 of the one before and of itself, so that a changed, removed or inserted row shows. The hash
-- is over a JSON array, which no value can blur the borders of; times are microseconds, whatever the session's zone.
create function audit_hash(p_tenant uuid, p_seq bigint, p_at timestamptz, p_actor_kind text, p_actor uuid, p_action text,
  p_subject_kind text, p_subject uuid, p_details jsonb, p_previous bytea)
returns bytea language sql stable set search_path = '' as $$
  select sha256(p_previous || convert_to(jsonb_build_array(p_tenant, p_seq, (extract(epoch from p_at) * 1000000)::bigint,
    p_actor_kind, p_actor, p_action, p_subject_kind, p_subject, p_details)::text, 'UTF8'))
$$;

create function append_audit(p_tenant uuid, p_actor_kind text, p_actor uuid, p_action text, p_subject_kind text,
  p_subject uuid, p_details jsonb)
returns bigint language plpgsql security definer set search_path = '' as $$
declare
  v_seq bigint;
  v_previous bytea;
  v_at timestamptz;
begin
  -- One writer at a time in a tenant until it commits: the chain has no forks. Hence the last statement of its
  -- transaction. (In the embedded database the lock does nothing, and there is one writer anyway.)
  perform pg_advisory_xact_lock(hashtextextended('audit:' || p_tenant::text, 0));
  select a.seq, a.hash into v_seq, v_previous from public.audit a
    where a.tenant_id = p_tenant order by a.seq desc limit 1;
  v_seq := coalesce(v_seq, 0) + 1;
  v_previous := coalesce(v_previous, decode(repeat('00', 32), 'hex'));
  v_at := clock_timestamp();
  insert into public.audit (tenant_id, seq, at, actor_kind, actor_id, action, subject_kind, subject_id, details,
    previous_hash, hash)
  values (p_tenant, v_seq, v_at, p_actor_kind, p_actor, p_action, p_subject_kind, p_subject, p_details, v_previous,
    public.audit_hash(p_tenant, v_seq, v_at, p_actor_kind, p_actor, p_action, p_subject_kind, p_subject, p_details,
      v_previous));
  return v_seq;
end $$;
alter function append_audit(uuid, text, uuid, text, text, uuid, jsonb) owner to mem_definer;

-- The actor is who the door says; nobody can sign for another.
create function audit_append(p_action text, p_subject_kind text, p_subject uuid, p_details jsonb)
returns bigint language plpgsql security definer set search_path = '' as $$
begin
  if public.current_tenant() is null then
    raise exception using errcode = '42501', message = 'permission denied for table audit';
  end if;
  return public.append_audit(public.current_tenant(), case when public.uid() is null then 'system' else 'user' end,
    public.uid(), p_action, p_subject_kind, p_subject, coalesce(p_details, '{}'));
end $$;
alter function audit_append(text, text, uuid, jsonb) owner to mem_definer;

grant execute on function audit_append(text, text, uuid, jsonb) to mem_app, mem_worker, mem_text;
grant execute on function audit_hash(uuid, bigint, timestamptz, text, uuid, text, text, uuid, jsonb, bytea) to mem_definer;
