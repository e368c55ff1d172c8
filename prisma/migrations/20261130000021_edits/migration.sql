-- What people change of memories that are there: the words, pins, and whether they are shown at all. Who wrote the present
-- text, each text before it, and since when a memory is archived or forgotten follow by triggers, whoever writes the row.

-- ── Texts ───────────────────────────────────────────────────────────────────────────────────────────────────────────

alter table memory add column written_by uuid;
alter table memory add column written_as text not null default 'captured'
  check (written_as in ('captured', 'merged', 'edited'));
alter table memory add column says_other boolean not null default false;
alter table memory add constraint memory_written_by_fkey foreign key (tenant_id, written_by)
  references app_user (tenant_id, id) on delete set null (written_by);
comment on column memory.written_by is 'Who wrote the present text: its owner, or a maintainer who edited it.';
comment on column memory.says_other is 'The present text says something else than the one before it.';

-- As mem_definer, because row-level security is forced on the owner too.
set local role mem_definer;
update memory set written_by = owner_id, written_as = case when revision > 1 then 'merged' else 'captured' end;
set local role mem_owner;

create function start_text() returns trigger language plpgsql set search_path = '' as $$
begin
  new.written_by := new.owner_id;
  new.written_as := 'captured';
  new.says_other := false;
  return new;
end $$;
create trigger start_text before insert on memory for each row execute function start_text();

create function sign_text() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.written_by := coalesce(public.uid(), old.written_by);
  return new;
end $$;
alter function sign_text() owner to mem_definer;
create trigger sign_text before update on memory for each row when (new.revision <> old.revision)
  execute function sign_text();

-- Keeps the text that gave way, signed by who wrote it; so a history can be neither skipped nor made up.
create function keep_revision() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.revision (tenant_id, memory_id, revision, title, text, tags, files_modified, author_id, reason,
    says_other, created_at)
  values (old.tenant_id, old.id, old.revision, old.title, old.text, old.tags, old.files_modified,
    coalesce(old.written_by, old.owner_id), old.written_as, new.says_other,
    case when new.updated_at is distinct from old.updated_at then new.updated_at else now() end)
  on conflict do nothing;
  return null;
end $$;
alter function keep_revision() owner to mem_definer;
create trigger keep_revision after update on memory for each row when (new.revision <> old.revision)
  execute function keep_revision();

-- A revision is counted for who wrote what took its place; until now its author was always the same person.
create or replace function note_revision_usage() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    -- Whoever captured what took its place; edits are no captures.
    insert into public.usage_change (tenant_id, transaction_id, user_id, bytes, captures, private_captures)
    select n.tenant_id, pg_current_xact_id()::text::bigint, m.written_by,
      sum(octet_length(n.title)::bigint + octet_length(n.text)),
      count(*) filter (where m.written_as <> 'edited' and m.scope <> 'private'),
      count(*) filter (where m.written_as <> 'edited' and m.scope = 'private')
    from added n join public.memory m on m.tenant_id = n.tenant_id and m.id = n.memory_id
    group by n.tenant_id, m.written_by;
  elsif tg_op = 'DELETE' then
    insert into public.usage_change (tenant_id, transaction_id, bytes)
    select o.tenant_id, pg_current_xact_id()::text::bigint, -sum(octet_length(o.title)::bigint + octet_length(o.text))
    from removed o group by o.tenant_id;
  else
    insert into public.usage_change (tenant_id, transaction_id, bytes)
    select n.tenant_id, pg_current_xact_id()::text::bigint,
      sum(octet_length(n.title)::bigint + octet_length(n.text) - octet_length(o.title) - octet_length(o.text))
    from added n join removed o
      on o.tenant_id = n.tenant_id and o.memory_id = n.memory_id and o.revision = n.revision group by n.tenant_id;
  end if;
  return null;
end $$;

revoke insert on revision from mem_app;
grant update (written_as, says_other) on memory to mem_app;

-- Before `follow`, whose name comes later, and which removes the vectors of other revisions.
create function carry_vectors() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if (new.title, new.text) is not distinct from (old.title, old.text) then
    update public.embedding e set revision = new.revision where e.tenant_id = new.tenant_id and e.memory_id = new.id;
  else
    -- In the order in which links are written, so that no two writers wait for each other.
    perform from public.link l where l.tenant_id = new.tenant_id and new.id in (l.from_id, l.to_id)
      order by l.from_id, l.to_id, l.kind for update;
    delete from public.link l where l.tenant_id = new.tenant_id and new.id in (l.from_id, l.to_id)
      and l.kind in ('neighbour', 'near', 'conflict');
  end if;
  return null;
end $$;
alter function carry_vectors() owner to mem_definer;
create trigger carry_vectors after update on memory for each row when (new.revision <> old.revision)
  execute function carry_vectors();

-- With a lock: else a text could change between the look and the commit, and its old vectors would stay.
create or replace function refuse_stale_embedding() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.memory m
    where m.tenant_id = new.tenant_id and m.id = new.memory_id and m.revision = new.revision for no key update;
  if not found then
    raise exception using errcode = 'TM001', message = 'stale revision';
  end if;
  return null;
end $$;

-- A link is written by who may change one of its ends; both must be visible, as before.
do $$
begin
  drop policy app_write on link;
  execute format('create policy app_write on link for insert to mem_app with check (
    exists (select from memory m where m.tenant_id = link.tenant_id and m.id = link.from_id)
    and exists (select from memory m where m.tenant_id = link.tenant_id and m.id = link.to_id)
    and exists (select from memory m where m.tenant_id = link.tenant_id and m.id in (link.from_id, link.to_id)
      and (m.owner_id = (select uid()) or %s)))', edit_predicate());
end $$;

-- ── Pins ────────────────────────────────────────────────────────────────────────────────────────────────────────────

-- Whether the caller answers for the audience of a memory.
create function maintains_memory(m memory) returns boolean language sql stable set search_path = '' as $$
  select coalesce(case m.scope
    when 'private' then m.owner_id = public.uid()
    when 'project' then m.project_id = any (public.my_maintained_projects())
    when 'group' then m.group_id = any (public.my_maintained_groups())
    else public.is_tenant_admin()
      or m.owner_id = public.uid() and cardinality(public.my_maintained_projects()) > 0 end, false)
$$;
grant execute on function maintains_memory(memory) to mem_app;

-- A pin puts a memory before everything that others ask; an author alone does not decide that.
create function guard_pin() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'mem_app' and not public.maintains_memory(new) then
    raise exception using errcode = '42501', message = 'new row violates row-level security policy for table "memory"';
  end if;
  return new;
end $$;
create trigger guard_pin before update on memory for each row when (new.pinned <> old.pinned)
  execute function guard_pin();

-- ── Archived and forgotten ──────────────────────────────────────────────────────────────────────────────────────────

alter table memory add column state_since timestamptz not null default now();
alter table memory add column state_by uuid;
alter table memory add column state_reason text check (length(state_reason) between 1 and 500);
alter table memory add constraint memory_state_by_fkey foreign key (tenant_id, state_by)
  references app_user (tenant_id, id) on delete set null (state_by);
create index memory_forgotten on memory (tenant_id, state_since) where state = 'forgotten';
grant update (state_reason) on memory to mem_app;
grant select (state_since) on memory to mem_worker;

set local role mem_definer;
update memory set state_since = updated_at where state <> 'active';
set local role mem_owner;

create function follow_state() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.state_since := now();
  new.state_by := public.uid();
  if new.state <> 'archived' then
    new.state_reason := null;
  end if;
  if new.state = 'forgotten' then
    -- Nothing finds it any more; restored, it is embedded anew.
    delete from public.embedding e where e.tenant_id = new.tenant_id and e.memory_id = new.id;
    new.embedding_state := 'pending';
  end if;
  return new;
end $$;
alter function follow_state() owner to mem_definer;
create trigger follow_state before update on memory for each row when (new.state <> old.state)
  execute function follow_state();

-- What was forgotten is there for its owner, and for who forgot it: they may take it back. Restrictive, so that no other
-- policy opens it again; what hangs on a memory is seen with it.
create policy not_forgotten on memory as restrictive for select to mem_app
  using (state <> 'forgotten' or owner_id = (select uid()) or state_by = (select uid()));

-- An archived project takes in nothing: neither other words nor what was taken out of it. Taking out stays possible.
create trigger refuse_archived_change after update on memory for each row
  when (new.project_id is not null and new.scope <> 'private' and (new.revision <> old.revision
    or new.pinned <> old.pinned or new.verification <> old.verification or new.state = 'active' and old.state <> 'active'))
  execute function refuse_archived_project();

-- ── Evidence ────────────────────────────────────────────────────────────────────────────────────────────────────────

-- A memory was last useful when it was captured (`ended_at`, which each later capture moves) or praised. The revisions
-- say no more when: the text that a merge had brought is kept when the next one comes, which may be an edit.
drop trigger follow_merge on revision;
drop function follow_merge();

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
    last_useful_at = greatest(n.captured, n.praised)
  from (
    select m.id, m.ended_at as captured,
      coalesce(sum(w.h * w.share), 0) as h, coalesce(sum(w.u * w.share), 0) as u,
      count(w.user_id) filter (where w.h > 0) as voters,
      count(w.user_id) filter (where w.h > 0 and w.user_id <> m.owner_id) as others,
      max(w.praised) as praised
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
