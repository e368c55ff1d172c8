-- The same audience in the policies, said so that the planner can read it: that there is somebody who asks is true for
-- nearly every row (a bare boolean counts as one half, and made the planner sort where it should hash), and each question
-- that a policy asks once a query is asked in as few places as may be.

create or replace function visibility_predicate() returns text language sql immutable as $$
  select $p$(scope = 'tenant' and (select uid()) is not null
    or scope = 'project' and project_id = any ((select my_projects())::uuid[])
    or scope = 'group' and group_id = any ((select my_groups())::uuid[])
    or scope = 'private' and owner_id = (select uid()))$p$
$$;
call memory_policies();
call revision_policies();

alter policy not_forgotten on memory using (state <> 'forgotten' or (select uid()) = any (array[owner_id, state_by]));

-- memory_policies() does not write these: a migration that calls it calls this one after it.
create procedure copied_audience_policies() language plpgsql as $$
declare
  r record;
begin
  for r in select unnest(array['memory_stat', 'vote_question']) as name loop
    execute format('drop policy if exists app_read on %I', r.name);
    execute format('create policy app_read on %I for select to mem_app using (%s)', r.name, visibility_predicate());
  end loop;
end $$;
call copied_audience_policies();

create policy not_forgotten on memory_stat as restrictive for select to mem_app
  using (not forgotten or (select uid()) = any (array[owner_id, forgotten_by]));
create policy not_forgotten on vote_question as restrictive for select to mem_app
  using (not forgotten or (select uid()) = any (array[owner_id, forgotten_by]));

-- Both ends of a link in one look at memory instead of two.
alter policy app_read on link using (2 = (select count(*) from memory m
  where m.tenant_id = link.tenant_id and m.id = any (array[link.from_id, link.to_id])));
