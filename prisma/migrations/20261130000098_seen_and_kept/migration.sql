-- Whoever tidied up in a project or group and has left it sees those runs no more, and takes none back: what 74 said, and the
-- policies that 75 put in its place for the runs of a night did not.
drop policy app_read on upkeep_run;
create policy app_read on upkeep_run for select to mem_app using (
  project_id is null and group_id is null and made_by = (select uid())
  or project_id = any ((select my_maintained_projects())::uuid[]) or group_id = any ((select my_maintained_groups())::uuid[])
  or maintenance_run_id is not null and made_by is null and project_id is null and group_id is null and (select is_tenant_admin()));
drop policy app_change on upkeep_run;
create policy app_change on upkeep_run for update to mem_app
  using (undone_at is null and (project_id is null and group_id is null and made_by = (select uid())
    or project_id = any ((select my_maintained_projects())::uuid[]) or group_id = any ((select my_maintained_groups())::uuid[])
    or maintenance_run_id is not null and made_by is null and project_id is null and group_id is null and (select is_tenant_admin())))
  with check (undone_by = (select uid()));

-- A night that was only tried out is none.
create or replace function night_states()
returns table (tenant_id uuid, missed boolean, failed boolean, completed_at timestamptz, last_run uuid)
language sql stable security definer set search_path = '' as $$
  select t.id, coalesce(done.finished_at, t.created_at) < now() - interval '36 hours', coalesce(last.status = 'failed', false),
    done.finished_at, last.id
  from public.tenant t left join public.schedule s on s.tenant_id = t.id and s.kind = 'nightly'
  left join lateral (select r.id, r.status from public.maintenance_run r
    where r.tenant_id = t.id and r.kind = 'nightly' and r.finished_at is not null and not r.dry_run
    order by r.requested_at desc, r.id desc limit 1) last on true
  left join lateral (select r.finished_at from public.maintenance_run r
    where r.tenant_id = t.id and r.kind = 'nightly' and r.status = 'completed' and not r.dry_run
    order by r.requested_at desc, r.id desc limit 1) done on true
  where t.status = 'active' and not coalesce(s.paused, false)
$$;

-- A dump reads every table or none: these three had been left out, and pg_dump as mem_backup ended at the first of them.
grant select on all tables in schema public to mem_backup;
