-- Consolidation by night: what one author wrote for the same people and says the same becomes one, by the rules of
-- consolidation by hand. Texts are read as mem_text; mem_worker, which reads none, hands in what was found.

grant select on upkeep_effect to mem_text;
create policy text_select on upkeep_effect for select to mem_text using ((select current_tenant()) is not null);
grant execute on function merge_state(memory) to mem_text;
-- The id follows from the run and the place, so that a night that was killed leaves the rows of one that was not.
grant insert (id) on upkeep_run to mem_worker;

-- Whether memories may be merged by machine, as they were when they were compared: of one author, audience, project and kind,
-- in use, and not in an archived project; and whether what is said of the survivor is said by one of them.
create function may_merge_by_night(p_tenant uuid, p_step jsonb) returns boolean
language sql stable security definer set search_path = '' as $$
  with given as (
    select (x ->> 'id')::uuid as id, (x ->> 'revision')::integer as revision from jsonb_array_elements(p_step -> 'revisions') x
  ), one as (
    select m.* from given g join public.memory m on m.tenant_id = p_tenant and m.id = g.id and m.revision = g.revision
    where m.state = 'active' and m.merged_into is null and m.superseded_by is null
  )
  select (select count(*) from one) = (select count(*) from given) and (select count(*) from given) > 1
    and (select count(distinct (o.owner_id, o.kind, o.scope, o.project_id, o.group_id)) from one o) = 1
    and exists (select from given g where g.id = (p_step ->> 'survivorId')::uuid)
    and not exists (select from one o join public.project j on j.tenant_id = p_tenant and j.id = o.project_id
      where o.scope = 'project' and j.archived_at is not null)
    and public.without_leaving(p_step -> 'said' -> 'tags',
      (select coalesce(jsonb_agg(i), '[]') from one o, unnest(o.tags) i), '[]') = '[]'
    and public.without_leaving(p_step -> 'said' -> 'filesModified',
      (select coalesce(jsonb_agg(i), '[]') from one o, unnest(o.files_modified) i), '[]') = '[]'
    and public.without_leaving(p_step -> 'said' -> 'errorsResolved',
      (select coalesce(jsonb_agg(i), '[]') from one o, jsonb_array_elements(o.errors_resolved) i), '[]') = '[]'
    and public.without_leaving(p_step -> 'said' -> 'alternatives',
      (select coalesce(jsonb_agg(i), '[]') from one o, jsonb_array_elements(o.alternatives) i), '[]') = '[]'
$$;

-- Merges under a run by which people take it back. What changed since it was compared is left alone.
-- @returns the survivors of what was merged
create function merge_memories(p_run uuid, p_steps jsonb) returns uuid[]
language plpgsql security definer set search_path = '' as $$
declare
  v_tenant uuid := public.current_tenant();
  v_all uuid[];
  v_step jsonb;
  v_survivor uuid;
  v_merged uuid[];
  v_done uuid[] := '{}';
begin
  if not exists (select from public.upkeep_run r where r.tenant_id = v_tenant and r.id = p_run and r.kind = 'consolidate'
      and r.maintenance_run_id is not null and r.undone_at is null) then
    raise exception using errcode = '42501', message = 'no such run of a night';
  end if;
  select array_agg((x ->> 'id')::uuid) into v_all
    from jsonb_array_elements(p_steps) s, jsonb_array_elements(s -> 'revisions') x;
  -- Captures in hand end first, which could otherwise go into what is being put away; then the memories, in one order.
  perform pg_advisory_xact_lock(hashtextextended('capture:' || v_tenant || ':' || o.owner_id, 0)) from (
    select distinct m.owner_id from public.memory m where m.tenant_id = v_tenant and m.id = any (v_all) order by 1) o;
  perform from public.memory m where m.tenant_id = v_tenant and m.id = any (v_all) order by m.id for no key update;
  for v_step in select x from jsonb_array_elements(p_steps) x loop
    if not public.may_merge_by_night(v_tenant, v_step) then
      continue;
    end if;
    v_survivor := (v_step ->> 'survivorId')::uuid;
    select array_agg((x ->> 'id')::uuid) into v_merged from jsonb_array_elements(v_step -> 'revisions') x
      where (x ->> 'id')::uuid <> v_survivor;
    update public.memory m set task_type = t ->> 'taskType', outcome = t ->> 'outcome', tags = public.as_texts(t -> 'tags'),
        files_modified = public.as_texts(t -> 'filesModified'), errors_resolved = t -> 'errorsResolved',
        alternatives = t -> 'alternatives', validity = t ->> 'validity', verification = t ->> 'verification',
        pinned = (t ->> 'pinned')::boolean, expires_at = (t ->> 'expiresAt')::timestamptz,
        keywords = (t ->> 'keywords')::tsvector, keyword_count = (t ->> 'keywordCount')::integer, updated_at = now()
      from (select v_step -> 'said' as t) s where m.tenant_id = v_tenant and m.id = v_survivor;
    update public.memory m set state = 'archived', merged_into = v_survivor, updated_at = now(),
        state_reason = 'merged into ' || left(v_survivor::text, 8)
      where m.tenant_id = v_tenant and m.id = any (v_merged);
    insert into public.upkeep_effect (tenant_id, run_id, memory_id, action, into_id)
      select v_tenant, p_run, x, 'merged', v_survivor from unnest(v_merged) x;
    insert into public.upkeep_effect (tenant_id, run_id, memory_id, action, before, after)
      select v_tenant, p_run, m.id, 'joined', v_step -> 'before', public.merge_state(m)
      from public.memory m where m.tenant_id = v_tenant and m.id = v_survivor;
    v_done := v_done || v_survivor;
  end loop;
  return v_done;
end $$;

alter function may_merge_by_night(uuid, jsonb) owner to mem_definer;
alter function merge_memories(uuid, jsonb) owner to mem_definer;
revoke execute on function may_merge_by_night(uuid, jsonb), merge_memories(uuid, jsonb) from public;
grant execute on function merge_memories(uuid, jsonb) to mem_worker;
