-- How the memory did, week by week: numbers of what is in use in each place, noted by night. What is asked and voted is
-- summed up over the memories that are there still; how many there were, and what they were worth, nothing else can tell later.

create table health_day (
  tenant_id uuid not null references tenant (id) on delete cascade,
  id uuid not null,
  day date not null,
  scope text not null check (scope in ('private', 'project', 'group', 'tenant')),
  owner_id uuid, -- of what is private
  project_id uuid,
  group_id uuid,
  memories integer not null check (memories >= 0),
  never_retrieved integer not null check (never_retrieved >= 0),
  high_value integer not null check (high_value >= 0),
  stale integer not null check (stale >= 0),
  utility float8 not null check (utility >= 0),
  primary key (tenant_id, id),
  check ((scope = 'private') = (owner_id is not null)),
  check (scope <> 'project' or project_id is not null),
  check ((scope = 'group') = (group_id is not null)),
  foreign key (tenant_id, owner_id) references app_user (tenant_id, id) on delete cascade,
  foreign key (tenant_id, project_id) references project (tenant_id, id) on delete cascade,
  foreign key (tenant_id, group_id) references project_group (tenant_id, id) on delete cascade
);
comment on column health_day.utility is 'The sum over the memories, so that places can be added up.';
create unique index health_day_place on health_day (tenant_id, day, scope, owner_id, project_id, group_id) nulls not distinct;
create index health_day_owner on health_day (tenant_id, owner_id) where owner_id is not null;
create index health_day_project on health_day (tenant_id, project_id) where project_id is not null;
create index health_day_group on health_day (tenant_id, group_id) where group_id is not null;

alter table health_day enable row level security, force row level security;
create policy tenant_only on health_day as restrictive to mem_app, mem_worker, mem_text
  using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()));
-- Who sees the memories of a place sees how many they were.
create policy app_read on health_day for select to mem_app using (
  scope = 'private' and owner_id = (select uid())
  or scope = 'project' and project_id = any ((select my_projects())::uuid[])
  or scope = 'group' and group_id = any ((select my_groups())::uuid[])
  or scope = 'tenant' and (select is_member()));
create policy worker_select on health_day for select to mem_worker using ((select current_tenant()) is not null);
create policy worker_insert on health_day for insert to mem_worker with check ((select current_tenant()) is not null);
create policy worker_update on health_day for update to mem_worker
  using ((select current_tenant()) is not null) with check ((select current_tenant()) is not null);

grant select on health_day to mem_app, mem_worker, mem_backup;
grant insert (tenant_id, id, day, scope, owner_id, project_id, group_id, memories, never_retrieved, high_value, stale, utility)
  on health_day to mem_worker;
grant update (memories, never_retrieved, high_value, stale, utility) on health_day to mem_worker;
grant select, insert, update, delete on health_day to mem_definer;
