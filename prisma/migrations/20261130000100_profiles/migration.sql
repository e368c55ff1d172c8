-- What is worth knowing about a person, and about a project: which memories tell it, in which order, and no word of them.
-- So what is edited, hidden, retired or erased is gone from a profile in the same moment, and nothing of it is left there.

create table profile (
  tenant_id uuid not null references tenant (id) on delete cascade,
  id uuid not null,
  user_id uuid,
  project_id uuid,
  refreshed_at timestamptz not null default now(),
  primary key (tenant_id, id),
  check (num_nonnulls(user_id, project_id) = 1),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade,
  foreign key (tenant_id, project_id) references project (tenant_id, id) on delete cascade
);
create unique index profile_user on profile (tenant_id, user_id) where user_id is not null;
create unique index profile_project on profile (tenant_id, project_id) where project_id is not null;

create table profile_line (
  tenant_id uuid not null,
  profile_id uuid not null,
  memory_id uuid not null,
  part text not null check (part ~ '^[a-z]{3,20}$'),
  place smallint not null check (place >= 0),
  primary key (tenant_id, profile_id, memory_id),
  foreign key (tenant_id, profile_id) references profile (tenant_id, id) on delete cascade,
  foreign key (tenant_id, memory_id) references memory (tenant_id, id) on delete cascade
);
create index profile_line_memory on profile_line (tenant_id, memory_id);

alter table profile enable row level security, force row level security;
alter table profile_line enable row level security, force row level security;
create policy tenant_only on profile as restrictive to mem_app, mem_worker, mem_text
  using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()));
create policy tenant_only on profile_line as restrictive to mem_app, mem_worker, mem_text
  using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()));

-- A person's is that person's alone; a project's is its members', and written anew by who contributes there.
create policy app_read on profile for select to mem_app
  using (user_id = (select uid()) or project_id = any ((select my_projects())::uuid[]));
create policy app_write on profile for insert to mem_app
  with check (user_id = (select uid()) or project_id = any ((select my_contributor_projects())::uuid[]));
create policy app_change on profile for update to mem_app
  using (user_id = (select uid()) or project_id = any ((select my_contributor_projects())::uuid[]))
  with check (user_id = (select uid()) or project_id = any ((select my_contributor_projects())::uuid[]));

-- A line holds of a memory that its reader sees, and that is the person's own or shared with the project: also where the
-- memory was shared, or taken back, since.
do $$
declare
  told text := $p$(exists (select from profile p join memory m on m.tenant_id = p.tenant_id
    where p.tenant_id = profile_line.tenant_id and p.id = profile_line.profile_id and m.id = profile_line.memory_id
      and (m.owner_id = p.user_id or m.scope = 'project' and m.project_id = p.project_id)))$p$;
  mine text := $p$(exists (select from profile p where p.tenant_id = profile_line.tenant_id and p.id = profile_line.profile_id
    and (p.user_id = (select uid()) or p.project_id = any ((select my_contributor_projects())::uuid[]))))$p$;
begin
  execute 'create policy app_read on profile_line for select to mem_app using ' || told;
  execute format('create policy app_write on profile_line for insert to mem_app with check (%s and %s)', told, mine);
  execute 'create policy app_remove on profile_line for delete to mem_app using ' || mine;
  execute 'create policy worker_insert on profile_line for insert to mem_worker with check ' || told;
end $$;

create policy worker_select on profile for select to mem_worker using ((select current_tenant()) is not null);
create policy worker_insert on profile for insert to mem_worker with check ((select current_tenant()) is not null);
create policy worker_update on profile for update to mem_worker
  using ((select current_tenant()) is not null) with check ((select current_tenant()) is not null);
create policy worker_select on profile_line for select to mem_worker using ((select current_tenant()) is not null);
create policy worker_delete on profile_line for delete to mem_worker using ((select current_tenant()) is not null);
-- Who is in which project, for what a person shared there and sees no more to be left out; ids, and no role.
create policy worker_select on membership for select to mem_worker using ((select current_tenant()) is not null);
grant select (tenant_id, user_id, project_id) on membership to mem_worker;

grant select on profile, profile_line to mem_app, mem_worker, mem_backup;
grant insert (tenant_id, id, user_id, project_id, refreshed_at) on profile to mem_app, mem_worker;
grant update (refreshed_at) on profile to mem_app, mem_worker;
grant insert (tenant_id, profile_id, memory_id, part, place) on profile_line to mem_app, mem_worker;
grant delete on profile_line to mem_app, mem_worker;
grant select, insert, update, delete on profile, profile_line to mem_definer;
