-- What was so then is not what is so now: who saw a memory, who wrote it, and what people said of another text.

-- ── Who sees a memory ───────────────────────────────────────────────────────────────────────────────────────────────

-- For functions that read more than their caller may: what they tell is of what the caller sees.
create function sees_memory(m memory) returns boolean language sql stable security definer set search_path = '' as $$
  select coalesce((m.scope = 'private' and m.owner_id = public.uid()
      or m.scope = 'project' and m.project_id = any (public.my_projects())
      or m.scope = 'group' and m.group_id = any (public.my_groups())
      or m.scope = 'tenant' and public.is_member())
    and (m.state <> 'forgotten' or m.owner_id = public.uid() or m.state_by = public.uid()), false)
$$;
alter function sees_memory(memory) owner to mem_definer;
revoke execute on function sees_memory(memory) from public;

-- ── Who saw it then ─────────────────────────────────────────────────────────────────────────────────────────────────

alter table memory add column audience_since timestamptz not null default now();
comment on column memory.audience_since is 'Since when its present audience sees it.';
set local role mem_definer;
update memory m set audience_since = coalesce((select max(c.created_at) from audience_change c
  where c.tenant_id = m.tenant_id and c.memory_id = m.id), m.created_at);
set local role mem_owner;

create or replace function start_standing() returns trigger language plpgsql set search_path = '' as $$
begin
  new.superseded_by := null;
  new.superseded_at := null;
  new.superseded_until := null;
  new.absent := '{}';
  new.text_since := new.created_at;
  new.audience_since := new.created_at;
  return new;
end $$;

create function date_audience() returns trigger language plpgsql set search_path = '' as $$
begin
  new.audience_since := clock_timestamp();
  return new;
end $$;
create trigger date_audience before update on memory for each row
  when ((new.scope, new.owner_id, new.project_id, new.group_id)
    is distinct from (old.scope, old.owner_id, old.project_id, old.group_id))
  execute function date_audience();

-- Whether the audience that a memory had at a moment, as it is made up today, holds the caller. Of a memory that the caller
-- does not see, nothing is told.
create function saw_memory_then(p_memory uuid, p_at timestamptz) returns boolean
language sql stable security definer set search_path = '' as $$
  select not exists (
    select from public.memory m
    cross join lateral (
      select c.* from public.audience_change c where c.tenant_id = m.tenant_id and c.memory_id = m.id and c.created_at > p_at
      order by c.number limit 1
    ) c
    where m.tenant_id = public.current_tenant() and m.id = p_memory and public.sees_memory(m)
      and not coalesce(case c.from_scope
        when 'private' then c.from_owner_id = public.uid()
        when 'project' then c.from_project_id = any (public.my_projects())
        when 'group' then c.from_group_id = any (public.my_groups())
        else public.is_member() end, false))
$$;
alter function saw_memory_then(uuid, timestamptz) owner to mem_definer;
revoke execute on function saw_memory_then(uuid, timestamptz) from public;
grant execute on function saw_memory_then(uuid, timestamptz) to mem_app;

-- ── Who wrote it ────────────────────────────────────────────────────────────────────────────────────────────────────

-- A person whose words a memory holds or held, whoever owns it by now.
create function wrote_memory(p_memory uuid, p_user uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.memory m
    where m.tenant_id = public.current_tenant() and m.id = p_memory and public.sees_memory(m)
      and (coalesce(m.written_by, m.owner_id) = p_user or exists (select from public.revision r
        where r.tenant_id = m.tenant_id and r.memory_id = m.id and r.author_id = p_user)))
$$;
alter function wrote_memory(uuid, uuid) owner to mem_definer;
revoke execute on function wrote_memory(uuid, uuid) from public;
grant execute on function wrote_memory(uuid, uuid) to mem_app;

-- As before, but that an author is who wrote the memory.
create or replace function lend_at_once(p_memories uuid[], p_at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_tenant uuid := public.current_tenant();
  v_praised uuid[];
begin
  select array_agg(m.id) into v_praised from public.memory m
    where m.tenant_id = v_tenant and m.id = any (p_memories)
      and (m.scope = 'private' or not public.wrote_memory(m.id, public.uid()))
      and exists (select from public.vote v
        where v.tenant_id = v_tenant and v.memory_id = m.id and v.user_id = public.uid() and v.helpful);
  perform public.raise_loans(v_tenant, array_agg(c.other_id), array_agg(c.memory_id), array_agg(c.weight * s.amount))
    from public.lending_sources(v_tenant, v_praised, p_at) s
      join public.lending_circle(v_tenant, v_praised) c on c.memory_id = s.memory_id;
end $$;

-- Only who changes the words signs them: tags and facts have no author. The date is that of the revision.
create or replace function sign_text() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if (new.title, new.text) is distinct from (old.title, old.text) then
    new.written_by := coalesce(public.uid(), old.written_by);
  end if;
  new.text_since := case when new.updated_at is distinct from old.updated_at then new.updated_at else now() end;
  return new;
end $$;

-- ── What people said of it ──────────────────────────────────────────────────────────────────────────────────────────

-- As before, but that people found helpful what it says now: praise of a text that said something else keeps half its
-- weight, and names nobody.
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
  ) n
  where s.tenant_id = p_tenant and s.memory_id = n.id;
end $$;
set local role mem_definer;
select recompute_evidence(r.tenant_id, array_agg(distinct r.memory_id)) from revision r where r.says_other group by r.tenant_id;
set local role mem_owner;

-- ── What lends to it, and who tidied up ─────────────────────────────────────────────────────────────────────────────

-- Who lends most is told where it is seen, too, and to nobody else.
create function seen_lender(p_memory uuid) returns uuid language sql stable security definer set search_path = '' as $$
  select l.id from public.memory m
    join public.memory_stat s on s.tenant_id = m.tenant_id and s.memory_id = m.id
    join public.memory l on l.tenant_id = m.tenant_id and l.id = s.lent_from
  where m.tenant_id = public.current_tenant() and m.id = p_memory and public.sees_memory(m) and public.sees_memory(l)
$$;
alter function seen_lender(uuid) owner to mem_definer;
revoke execute on function seen_lender(uuid) from public;
grant execute on function seen_lender(uuid) to mem_app;
do $$
begin
  revoke select on memory_stat from mem_app;
  execute (select format('grant select (%s) on memory_stat to mem_app', string_agg(quote_ident(a.attname), ', '))
    from pg_attribute a where a.attrelid = 'memory_stat'::regclass and a.attnum > 0 and not a.attisdropped
      and a.attname <> 'lent_from');
end $$;

-- What was merged and pruned in a project is for who maintains it today; who made it may have left.
drop policy app_read on upkeep_run;
create policy app_read on upkeep_run for select to mem_app using (
  project_id is null and made_by = (select uid()) or project_id = any ((select my_maintained_projects())::uuid[]));
drop policy app_change on upkeep_run;
create policy app_change on upkeep_run for update to mem_app
  using (undone_at is null
    and (project_id is null and made_by = (select uid()) or project_id = any ((select my_maintained_projects())::uuid[])))
  with check (undone_by = (select uid()));
