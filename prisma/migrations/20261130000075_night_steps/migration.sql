-- The whole row of a night's steps: each may be a run of its own, try out what it would do, and be cancelled. What a run did to
-- a memory, or would do, is a row that is read with the memory and goes with it.

-- Words of the code: another step is no reason for another migration.
alter table maintenance_step drop constraint maintenance_step_step_check;
alter table maintenance_step add constraint maintenance_step_step_check check (step ~ '^[a-z]{3,20}$');
alter table maintenance_run drop constraint maintenance_run_kind_check;
alter table maintenance_run add constraint maintenance_run_kind_check check (kind ~ '^[a-z]{3,20}$');
alter table maintenance_run drop constraint maintenance_run_status_check;
alter table maintenance_run add constraint maintenance_run_status_check
  check (status in ('requested', 'running', 'completed', 'failed', 'cancelled'));
alter table maintenance_run
  add column dry_run boolean not null default false,
  add column steps text[] not null default '{}',
  add column workflow_id text,
  add column stopped_at timestamptz;
comment on column maintenance_run.steps is 'Its plan, fixed when it begins: a run in flight keeps the steps it began with.';
comment on column maintenance_run.workflow_id is 'Who works on it in the workflow engine.';
comment on column maintenance_run.stopped_at is 'Cancelled, and the workflow engine has been told.';

drop index maintenance_run_unfinished;
create unique index maintenance_run_unfinished on maintenance_run (tenant_id, kind, run_date, dry_run)
  where status in ('requested', 'running');
create index maintenance_run_to_stop on maintenance_run (tenant_id, id) where status = 'cancelled' and stopped_at is null;

grant insert (dry_run) on maintenance_run to mem_app;
grant update (status, finished_at) on maintenance_run to mem_app;
create policy app_cancel on maintenance_run for update to mem_app
  using (status in ('requested', 'running') and (requested_by = (select uid()) or (select is_tenant_admin())))
  with check (status = 'cancelled' and (requested_by = (select uid()) or (select is_tenant_admin())));
grant update (steps, workflow_id) on maintenance_run to mem_worker;

create table maintenance_change (
  tenant_id uuid not null,
  run_id uuid not null,
  step text not null check (step ~ '^[a-z]{3,20}$'),
  memory_id uuid not null,
  action text not null check (action in ('expired', 'merged', 'proposed', 'pruned', 'erased', 'set-aside')),
  reasons text[] not null default '{}',
  into_id uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, run_id, step, memory_id),
  foreign key (tenant_id, run_id) references maintenance_run (tenant_id, id) on delete cascade,
  foreign key (tenant_id, memory_id) references memory (tenant_id, id) on delete cascade,
  foreign key (tenant_id, into_id) references memory (tenant_id, id) on delete set null (into_id)
);
create index maintenance_change_memory on maintenance_change (tenant_id, memory_id);
create index maintenance_change_into on maintenance_change (tenant_id, into_id) where into_id is not null;

alter table maintenance_change enable row level security, force row level security;
create policy tenant_only on maintenance_change as restrictive to mem_app, mem_worker, mem_text
  using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()));
create policy app_read on maintenance_change for select to mem_app using (
  exists (select from maintenance_run r where r.tenant_id = maintenance_change.tenant_id and r.id = maintenance_change.run_id)
  and exists (select from memory m where m.tenant_id = maintenance_change.tenant_id and m.id = maintenance_change.memory_id));
create policy worker_insert on maintenance_change for insert to mem_worker
  with check ((select current_tenant()) is not null);
grant select on maintenance_change to mem_app, mem_backup;
grant insert (tenant_id, run_id, step, memory_id, action, reasons, into_id) on maintenance_change to mem_worker;
grant select, insert, update, delete on maintenance_change to mem_definer;

-- ── What a night archives can be taken back as what people archive ──────────────────────────────────────────────────
-- One run for each audience: a project's maintainers, a group's, an owner of private memories and, of what everybody sees,
-- the admins take back what was done to theirs.

alter table upkeep_run add column maintenance_run_id uuid, add column group_id uuid;
alter table upkeep_run
  add foreign key (tenant_id, maintenance_run_id) references maintenance_run (tenant_id, id)
    on delete set null (maintenance_run_id),
  add foreign key (tenant_id, group_id) references project_group (tenant_id, id) on delete cascade;
create unique index upkeep_run_of_night on upkeep_run (tenant_id, maintenance_run_id, kind, project_id, group_id, made_by)
  nulls not distinct where maintenance_run_id is not null;
create index upkeep_run_group on upkeep_run (tenant_id, group_id) where group_id is not null;

drop policy app_read on upkeep_run;
create policy app_read on upkeep_run for select to mem_app using (made_by = (select uid())
  or project_id = any ((select my_maintained_projects())::uuid[]) or group_id = any ((select my_maintained_groups())::uuid[])
  or maintenance_run_id is not null and made_by is null and project_id is null and group_id is null
    and (select is_tenant_admin()));
drop policy app_change on upkeep_run;
create policy app_change on upkeep_run for update to mem_app
  using (undone_at is null and (made_by = (select uid())
    or project_id = any ((select my_maintained_projects())::uuid[]) or group_id = any ((select my_maintained_groups())::uuid[])
    or maintenance_run_id is not null and made_by is null and project_id is null and group_id is null
      and (select is_tenant_admin())))
  with check (undone_by = (select uid()));

create policy worker_select on upkeep_run for select to mem_worker using ((select current_tenant()) is not null);
create policy worker_insert on upkeep_run for insert to mem_worker with check (maintenance_run_id is not null);
create policy worker_insert on upkeep_effect for insert to mem_worker with check (
  exists (select from upkeep_run r where r.tenant_id = upkeep_effect.tenant_id and r.id = upkeep_effect.run_id
    and r.maintenance_run_id is not null and r.undone_at is null));
grant select on upkeep_run to mem_worker;
grant insert (tenant_id, kind, project_id, group_id, made_by, maintenance_run_id) on upkeep_run to mem_worker;
grant insert (tenant_id, run_id, memory_id, action, reasons) on upkeep_effect to mem_worker;
-- Why it was archived: a word of ours, never of what people wrote.
grant update (state_reason) on memory to mem_worker;
grant select (tenant_id, id, archived_at) on project to mem_worker;
create policy worker_select on project for select to mem_worker using ((select current_tenant()) is not null);

-- ── What must end though its tenant has no rows any more ────────────────────────────────────────────────────────────

-- Cancels what closed tenants have running, and tells which cancelled runs the workflow engine has not heard of.
create function list_stopped_runs(p_limit integer) returns table (tenant_id uuid, run_id uuid, workflow_id text)
language plpgsql security definer set search_path = '' as $$
begin
  update public.maintenance_run r set status = 'cancelled', finished_at = now(), failure = 'The tenant was closed.'
    from public.tenant t
    where t.status <> 'active' and r.tenant_id = t.id and r.status in ('requested', 'running');
  return query select r.tenant_id, r.id, r.workflow_id from public.maintenance_run r
    where r.status = 'cancelled' and r.stopped_at is null limit least(greatest(p_limit, 1), 500);
end $$;
create function note_stopped_run(p_tenant uuid, p_run uuid) returns void
language sql security definer set search_path = '' as $$
  update public.maintenance_run r set stopped_at = now()
  where r.tenant_id = p_tenant and r.id = p_run and r.status = 'cancelled'
$$;
alter function list_stopped_runs(integer) owner to mem_definer;
alter function note_stopped_run(uuid, uuid) owner to mem_definer;
revoke execute on function list_stopped_runs(integer), note_stopped_run(uuid, uuid) from public;
grant execute on function list_stopped_runs(integer), note_stopped_run(uuid, uuid) to mem_worker;
