-- What people take with them: an export is asked for as a row, written in their own name page by page, and kept for a week.
-- It holds what its asker may see, so nobody else reads it; and not the asker either once the role is gone that it was for.

create table data_export (
  tenant_id uuid not null references tenant (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  requested_by uuid not null,
  kind text not null check (kind in ('tenant', 'project', 'mine')),
  project_id uuid,
  status text not null default 'requested' check (status in ('requested', 'running', 'completed', 'failed')),
  -- Where it goes on: the section, and the last row of the page before.
  section text not null default 'memories' check (section in ('memories', 'revisions', 'votes', 'questions', 'done')),
  after text,
  memories bigint not null default 0 check (memories >= 0),
  manifest jsonb,
  failure text,
  requested_at timestamptz not null default now(),
  touched_at timestamptz not null default now(),
  finished_at timestamptz,
  expires_at timestamptz not null default now() + interval '7 days',
  primary key (tenant_id, id),
  check ((kind = 'project') = (project_id is not null)),
  check ((status = 'completed') = (manifest is not null)),
  foreign key (tenant_id, requested_by) references app_user (tenant_id, id) on delete cascade,
  foreign key (tenant_id, project_id) references project (tenant_id, id) on delete cascade
);
create unique index data_export_unfinished on data_export (tenant_id, requested_by, kind, coalesce(project_id, requested_by))
  where status in ('requested', 'running');
create index data_export_asker on data_export (tenant_id, requested_by, requested_at desc);
create index data_export_expiry on data_export (expires_at);

create table export_part (
  tenant_id uuid not null,
  export_id uuid not null,
  file text not null check (file in ('memories.jsonl', 'memories.md', 'revisions.jsonl', 'votes.jsonl', 'questions.jsonl')),
  part integer not null check (part >= 0),
  content text not null check (octet_length(content) <= 1048576),
  primary key (tenant_id, export_id, file, part),
  foreign key (tenant_id, export_id) references data_export (tenant_id, id) on delete cascade
);

alter table data_export enable row level security, force row level security;
alter table export_part enable row level security, force row level security;
create policy tenant_only on data_export as restrictive to mem_app, mem_worker, mem_text
  using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()));
create policy tenant_only on export_part as restrictive to mem_app, mem_worker, mem_text
  using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()));

do $$
declare
  entitled text := $p$(requested_by = (select uid()) and (kind = 'mine'
    or kind = 'tenant' and (select is_tenant_admin())
    or kind = 'project' and project_id = any ((select my_maintained_projects())::uuid[])))$p$;
begin
  execute 'create policy app_read on data_export for select to mem_app using ' || entitled;
  execute 'create policy app_write on data_export for insert to mem_app with check ' || entitled;
  execute format('create policy app_change on data_export for update to mem_app
    using (status in (''requested'', ''running'') and %1$s) with check %1$s', entitled);
end $$;
create policy app_read on export_part for select to mem_app using (exists (select from data_export e
  where e.tenant_id = export_part.tenant_id and e.id = export_part.export_id and e.expires_at > now()));
create policy app_write on export_part for insert to mem_app with check (exists (select from data_export e
  where e.tenant_id = export_part.tenant_id and e.id = export_part.export_id and e.status = 'running'));
-- Who lost the right to an export cannot even end it; the worker notes that it failed.
create policy machine_read on data_export for select to mem_worker using (status in ('requested', 'running', 'failed'));
create policy machine_change on data_export for update to mem_worker
  using (status in ('requested', 'running')) with check (status = 'failed');

grant select on data_export, export_part to mem_app, mem_backup;
grant insert (tenant_id, id, requested_by, kind, project_id) on data_export to mem_app;
grant insert (tenant_id, export_id, file, part, content) on export_part to mem_app;
grant update (status, section, after, memories, manifest, touched_at, finished_at) on data_export to mem_app;
grant select (tenant_id, id, status) on data_export to mem_worker;
grant update (status, failure, finished_at) on data_export to mem_worker;
grant select, insert, update, delete on data_export, export_part to mem_definer;

-- What a tenant's export leaves out, in two numbers and for who administers it: what others keep for themselves, and what
-- projects and groups share that the asker is in no part of.
create function left_out_of_export() returns table (private_of_others bigint, shared_elsewhere bigint)
language sql stable security definer set search_path = '' as $$
  select count(*) filter (where m.scope = 'private' and m.owner_id <> public.uid()),
    count(*) filter (where m.scope = 'project' and m.project_id <> all (public.my_projects())
      or m.scope = 'group' and m.group_id <> all (public.my_groups()))
  from public.memory m
  where m.tenant_id = public.current_tenant() and public.is_tenant_admin() and m.state <> 'forgotten'
$$;

-- Exports that wait, or whose worker has shown no life; of tenants that work, the oldest first.
create function list_wanted_exports(p_limit integer) returns table (tenant_id uuid, export_id uuid, user_id uuid)
language sql stable security definer set search_path = '' as $$
  select e.tenant_id, e.id, e.requested_by from public.data_export e join public.tenant t on t.id = e.tenant_id
  where t.status = 'active' and (e.status = 'requested' or e.status = 'running' and e.touched_at < now() - interval '5 minutes')
  order by e.requested_at limit least(greatest(p_limit, 1), 500)
$$;

-- Removes what has expired, a batch at a time: parts first, since one statement should not carry a whole tenant.
create function purge_exports(p_limit integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  v_parts integer;
  v_exports integer;
begin
  delete from public.export_part p using (
    select x.tenant_id, x.export_id, x.file, x.part from public.export_part x
    join public.data_export e on e.tenant_id = x.tenant_id and e.id = x.export_id
    where e.expires_at <= now() limit least(greatest(p_limit, 1), 500)) d
  where p.tenant_id = d.tenant_id and p.export_id = d.export_id and p.file = d.file and p.part = d.part;
  get diagnostics v_parts = row_count;
  delete from public.data_export e where e.expires_at <= now()
    and not exists (select from public.export_part p where p.tenant_id = e.tenant_id and p.export_id = e.id);
  get diagnostics v_exports = row_count;
  return v_parts + v_exports;
end $$;

alter function left_out_of_export() owner to mem_definer;
alter function list_wanted_exports(integer) owner to mem_definer;
alter function purge_exports(integer) owner to mem_definer;
revoke execute on function left_out_of_export(), list_wanted_exports(integer), purge_exports(integer) from public;
grant execute on function left_out_of_export() to mem_app;
grant execute on function list_wanted_exports(integer), purge_exports(integer) to mem_worker;
