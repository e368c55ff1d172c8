-- What people merged and pruned, so that all of it can be undone; and how a merge ends by itself. A merge holds while the
-- same people see both sides and neither is forgotten: what is derived has no wider audience than its sources.

create table upkeep_run (
  tenant_id uuid not null references tenant (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('consolidate', 'cleanup', 'merge')),
  project_id uuid, -- null: what its maker keeps in private
  made_by uuid,
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  undone_by uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, project_id) references project (tenant_id, id) on delete cascade,
  foreign key (tenant_id, made_by) references app_user (tenant_id, id) on delete set null (made_by),
  foreign key (tenant_id, undone_by) references app_user (tenant_id, id) on delete set null (undone_by)
);
create index upkeep_run_maker on upkeep_run (tenant_id, made_by, created_at desc);
create index upkeep_run_project on upkeep_run (tenant_id, project_id, created_at desc);

-- `joined`: the survivor, with what it said itself before and after; it is read with the memory and goes with it.
create table upkeep_effect (
  tenant_id uuid not null,
  run_id uuid not null,
  memory_id uuid not null,
  action text not null check (action in ('merged', 'joined', 'pruned')),
  into_id uuid,
  reasons text[] not null default '{}',
  before jsonb,
  after jsonb,
  created_at timestamptz not null default now(),
  primary key (tenant_id, run_id, memory_id),
  check ((action = 'joined') = (before is not null) and (action = 'joined') = (after is not null)),
  foreign key (tenant_id, run_id) references upkeep_run (tenant_id, id) on delete cascade,
  foreign key (tenant_id, memory_id) references memory (tenant_id, id) on delete cascade,
  foreign key (tenant_id, into_id) references memory (tenant_id, id) on delete set null (into_id)
);
create index upkeep_effect_memory on upkeep_effect (tenant_id, memory_id);
create index upkeep_effect_into on upkeep_effect (tenant_id, into_id) where into_id is not null;

alter table upkeep_run enable row level security, force row level security;
alter table upkeep_effect enable row level security, force row level security;
create policy tenant_only on upkeep_run as restrictive to mem_app, mem_worker, mem_text
  using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()));
create policy tenant_only on upkeep_effect as restrictive to mem_app, mem_worker, mem_text
  using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()));

create policy app_read on upkeep_run for select to mem_app
  using (made_by = (select uid()) or project_id = any ((select my_maintained_projects())::uuid[]));
create policy app_write on upkeep_run for insert to mem_app with check (made_by = (select uid())
  and (project_id is null or project_id = any ((select my_maintained_projects())::uuid[])));
-- What is undone stays so.
create policy app_change on upkeep_run for update to mem_app
  using (undone_at is null and (made_by = (select uid()) or project_id = any ((select my_maintained_projects())::uuid[])))
  with check (undone_by = (select uid()));
create policy app_read on upkeep_effect for select to mem_app using (
  exists (select from upkeep_run r where r.tenant_id = upkeep_effect.tenant_id and r.id = upkeep_effect.run_id)
  and exists (select from memory m where m.tenant_id = upkeep_effect.tenant_id and m.id = upkeep_effect.memory_id));
create policy app_write on upkeep_effect for insert to mem_app with check (
  exists (select from upkeep_run r where r.tenant_id = upkeep_effect.tenant_id and r.id = upkeep_effect.run_id
    and r.made_by = (select uid()) and r.undone_at is null)
  and exists (select from memory m where m.tenant_id = upkeep_effect.tenant_id and m.id = upkeep_effect.memory_id)
  and (into_id is null
    or exists (select from memory m where m.tenant_id = upkeep_effect.tenant_id and m.id = upkeep_effect.into_id)));

grant select on upkeep_run, upkeep_effect to mem_app, mem_backup;
grant insert (tenant_id, id, kind, project_id, made_by) on upkeep_run to mem_app;
grant insert (tenant_id, run_id, memory_id, action, into_id, reasons, before, after) on upkeep_effect to mem_app;
grant update (undone_at, undone_by) on upkeep_run to mem_app;
grant select, insert, update, delete on upkeep_run, upkeep_effect to mem_definer;

-- What a merge can change of a survivor.
create function merge_state(m memory) returns jsonb language sql stable set search_path = '' as $$
  select jsonb_build_object('tags', m.tags, 'filesModified', m.files_modified, 'errorsResolved', m.errors_resolved,
    'alternatives', m.alternatives, 'taskType', m.task_type, 'outcome', m.outcome, 'validity', m.validity,
    'verification', m.verification, 'pinned', m.pinned, 'expiresAt', m.expires_at, 'keywords', m.keywords::text,
    'keywordCount', m.keyword_count)
$$;
grant execute on function merge_state(memory) to mem_app, mem_definer;

-- ── How a merge ends ────────────────────────────────────────────────────────────────────────────────────────────────

-- As withoutLeaving of libs/core/src/consolidation.ts has it.
create function without_leaving(p_current jsonb, p_leaving jsonb, p_kept jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_agg(x.item order by x.n), '[]') from jsonb_array_elements(p_current) with ordinality as x (item, n)
  where not p_leaving @> jsonb_build_array(x.item) or p_kept @> jsonb_build_array(x.item)
$$;
create function as_texts(p_list jsonb) returns text[] language sql immutable set search_path = '' as $$
  select coalesce(array_agg(x.item order by x.n), '{}') from jsonb_array_elements_text(p_list) with ordinality as x (item, n)
$$;

-- Takes out of a survivor what only the memory that leaves had brought. What people changed since stays: the text is the
-- survivor's own, and of the rest only what is as the merge left it goes back. Words by which it is found that are not as
-- they were left lose those that only came with the merge; the next edit computes them anew.
create function part_from(p_survivor uuid, p_left public.memory) returns void
language plpgsql security definer set search_path = '' as $$
declare
  s public.memory;
  e public.upkeep_effect;
  v_staying public.memory[];
  v_words text[];
begin
  select * into s from public.memory m where m.tenant_id = p_left.tenant_id and m.id = p_survivor for no key update;
  if not found then
    return;
  end if;
  select * into e from public.upkeep_effect x
    where x.tenant_id = s.tenant_id and x.memory_id = s.id and x.action = 'joined' order by x.created_at desc limit 1;
  if found then
    select coalesce(array_agg(m), '{}') into v_staying from public.merge_parts(s.tenant_id, array[s.id]) q
      join public.memory m on m.tenant_id = s.tenant_id and m.id = q.id and m.id <> s.id;
    select coalesce(array_agg(w), '{}') into v_words from unnest(tsvector_to_array(p_left.keywords)) w
      where w <> all (tsvector_to_array((e.before ->> 'keywords')::tsvector))
        and not exists (select from unnest(v_staying) m where w = any (tsvector_to_array(m.keywords)));
    update public.memory m set
      tags = public.as_texts(public.without_leaving(to_jsonb(m.tags), to_jsonb(p_left.tags), e.before -> 'tags'
        || (select coalesce(jsonb_agg(i), '[]') from unnest(v_staying) y, unnest(y.tags) i))),
      files_modified = public.as_texts(public.without_leaving(to_jsonb(m.files_modified), to_jsonb(p_left.files_modified),
        e.before -> 'filesModified' || (select coalesce(jsonb_agg(i), '[]') from unnest(v_staying) y, unnest(y.files_modified) i))),
      errors_resolved = public.without_leaving(m.errors_resolved, p_left.errors_resolved, e.before -> 'errorsResolved'
        || (select coalesce(jsonb_agg(i), '[]') from unnest(v_staying) y, jsonb_array_elements(y.errors_resolved) i)),
      alternatives = public.without_leaving(m.alternatives, p_left.alternatives, e.before -> 'alternatives'
        || (select coalesce(jsonb_agg(i), '[]') from unnest(v_staying) y, jsonb_array_elements(y.alternatives) i)),
      keywords = case when v_staying = '{}' and m.keywords::text = e.after ->> 'keywords'
        then (e.before ->> 'keywords')::tsvector else ts_delete(m.keywords, v_words) end,
      keyword_count = case when v_staying = '{}' and m.keywords::text = e.after ->> 'keywords'
        then (e.before ->> 'keywordCount')::int else m.keyword_count end
    where m.tenant_id = s.tenant_id and m.id = s.id;
    if v_staying = '{}' then
      perform public.part_facts(s, e);
    end if;
  end if;
  if s.merged_into is not null then
    perform public.part_from(s.merged_into, p_left);
  end if;
end $$;

create function part_facts(s public.memory, e public.upkeep_effect) returns void
language sql security definer set search_path = '' as $$
  update public.memory m set
    task_type = case when m.task_type is not distinct from e.after ->> 'taskType' then e.before ->> 'taskType' else m.task_type end,
    outcome = case when m.outcome is not distinct from e.after ->> 'outcome' then e.before ->> 'outcome' else m.outcome end,
    validity = case when m.validity = e.after ->> 'validity' then e.before ->> 'validity' else m.validity end,
    verification = case when m.verification = e.after ->> 'verification' then e.before ->> 'verification' else m.verification end,
    pinned = case when m.pinned = (e.after ->> 'pinned')::boolean then (e.before ->> 'pinned')::boolean else m.pinned end,
    expires_at = case when m.expires_at is not distinct from (e.after ->> 'expiresAt')::timestamptz
      then (e.before ->> 'expiresAt')::timestamptz else m.expires_at end
  where m.tenant_id = s.tenant_id and m.id = s.id
$$;

-- What was merged is part of nothing any more when it is active again, when other people see it, when it is forgotten by
-- itself, and when the survivor is gone; it is active then, but in a project that is archived.
create function end_merge() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_state text;
  v_revision integer;
begin
  select m.state, m.revision into v_state, v_revision from public.memory m
    where m.tenant_id = new.tenant_id and m.id = coalesce(new.merged_into, old.merged_into);
  if old.merged_into is null then
    new.merged_revision := v_revision;
    return new;
  end if;
  if new.state = 'active'
    or (new.scope, new.group_id) is distinct from (old.scope, old.group_id)
    or new.scope = 'project' and new.project_id <> old.project_id or new.scope = 'private' and new.owner_id <> old.owner_id
    or new.state = 'forgotten' and old.state <> 'forgotten' and v_state <> 'forgotten' then
    new.merged_into := null;
  end if;
  if new.merged_into is null then
    new.merged_revision := null;
    if new.state = 'archived' and not exists (select from public.project p where p.tenant_id = new.tenant_id
        and p.id = new.project_id and new.scope <> 'private' and p.archived_at is not null) then
      new.state := 'active';
    end if;
  end if;
  return new;
end $$;
-- Before `follow_state`, whose name comes later.
create trigger end_merge before update on memory for each row
  when (old.merged_into is not null or new.merged_into is not null) execute function end_merge();

-- What follows a merge, its end, and a survivor that leaves. Once a statement, so that stats are locked in one order.
create function follow_merges() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  r record;
  v_left public.memory;
begin
  for r in select o.merged_into as survivor, n.tenant_id, n.id from removed o
    join added n on n.tenant_id = o.tenant_id and n.id = o.id
    where o.merged_into is not null and n.merged_into is distinct from o.merged_into order by 1, 3
  loop
    select * into v_left from public.memory m where m.tenant_id = r.tenant_id and m.id = r.id;
    perform public.part_from(r.survivor, v_left);
    if v_left.state = 'active' then
      insert into public.outbox (tenant_id, kind, subject_id) values (r.tenant_id, 'memory.embed', r.id);
    end if;
  end loop;
  for r in select n.tenant_id, array_agg(distinct x.id) as memories from removed o
    join added n on n.tenant_id = o.tenant_id and n.id = o.id
    cross join lateral (values (n.id), (o.merged_into), (n.merged_into)) as x (id)
    where n.merged_into is distinct from o.merged_into and x.id is not null group by n.tenant_id
  loop
    perform public.recompute_evidence(r.tenant_id, r.memories);
    perform public.count_unhelpful_voters(r.tenant_id, r.memories);
    perform public.count_joined_asked(r.tenant_id, r.memories);
  end loop;
  perform public.follow_survivor(o.state, n) from removed o join added n on n.tenant_id = o.tenant_id and n.id = o.id
    where ((n.state = 'forgotten') <> (o.state = 'forgotten') or (n.scope, n.group_id) is distinct from (o.scope, o.group_id)
        or n.scope = 'project' and n.project_id <> o.project_id or n.scope = 'private' and n.owner_id <> o.owner_id)
      and exists (select from public.memory s where s.tenant_id = n.tenant_id and s.merged_into = n.id);
  return null;
end $$;

-- A survivor that is forgotten takes along what its owner had merged into it, and brings it back with it; what others wrote
-- is theirs again. One that moves to another audience lets all go.
create function follow_survivor(p_old_state text, n public.memory) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if n.state = 'forgotten' and p_old_state <> 'forgotten' then
    update public.memory s set merged_into = null
      where s.tenant_id = n.tenant_id and s.merged_into = n.id and s.owner_id <> n.owner_id;
    update public.memory s set state = 'forgotten'
      where s.tenant_id = n.tenant_id and s.merged_into = n.id and s.state <> 'forgotten';
  elsif n.state <> 'forgotten' and p_old_state = 'forgotten' then
    update public.memory s set state = 'archived'
      where s.tenant_id = n.tenant_id and s.merged_into = n.id and s.state = 'forgotten';
  else
    update public.memory s set merged_into = null where s.tenant_id = n.tenant_id and s.merged_into = n.id;
  end if;
end $$;

alter function part_from(uuid, public.memory) owner to mem_definer;
alter function part_facts(public.memory, public.upkeep_effect) owner to mem_definer;
alter function end_merge() owner to mem_definer;
alter function follow_merges() owner to mem_definer;
alter function follow_survivor(text, public.memory) owner to mem_definer;
alter function without_leaving(jsonb, jsonb, jsonb) owner to mem_definer;
alter function as_texts(jsonb) owner to mem_definer;

create trigger follow_merges after update on memory referencing old table as removed new table as added
  for each statement execute function follow_merges();

-- What is erased is gone from what it was merged into.
create function follow_erased() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_left public.memory;
  r record;
begin
  for v_left in select o.* from removed o join public.memory s on s.tenant_id = o.tenant_id and s.id = o.merged_into
    order by o.merged_into, o.id
  loop
    perform public.part_from(v_left.merged_into, v_left);
  end loop;
  for r in select o.tenant_id, array_agg(distinct s.id) as memories from removed o
    join public.memory s on s.tenant_id = o.tenant_id and s.id = o.merged_into group by o.tenant_id
  loop
    perform public.recompute_evidence(r.tenant_id, r.memories);
    perform public.count_unhelpful_voters(r.tenant_id, r.memories);
    perform public.count_joined_asked(r.tenant_id, r.memories);
  end loop;
  return null;
end $$;
alter function follow_erased() owner to mem_definer;
create trigger follow_erased after delete on memory referencing old table as removed
  for each statement execute function follow_erased();
