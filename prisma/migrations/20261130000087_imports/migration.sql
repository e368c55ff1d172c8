-- Where imported memories come from, so that importing the same again adds nothing, however long ago it was. Each line is its
-- importer's own: what somebody else imports from the same source is theirs.

create table imported (
  tenant_id uuid not null references tenant (id) on delete cascade,
  user_id uuid not null,
  origin text not null check (length(origin) between 1 and 100),
  source_id text not null check (length(source_id) between 1 and 200),
  content_hash bytea not null check (length(content_hash) = 32),
  memory_id uuid not null,
  imported_at timestamptz not null default now(),
  primary key (tenant_id, user_id, origin, source_id),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade,
  foreign key (tenant_id, memory_id) references memory (tenant_id, id) on delete cascade
);
create index imported_memory on imported (tenant_id, memory_id);

alter table imported enable row level security, force row level security;
create policy tenant_only on imported as restrictive to mem_app, mem_worker, mem_text
  using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()));
create policy app_read on imported for select to mem_app using (user_id = (select uid()));
create policy app_write on imported for insert to mem_app with check (user_id = (select uid())
  and exists (select from memory m where m.tenant_id = imported.tenant_id and m.id = imported.memory_id));
create policy app_change on imported for update to mem_app using (user_id = (select uid()))
  with check (user_id = (select uid())
    and exists (select from memory m where m.tenant_id = imported.tenant_id and m.id = imported.memory_id));

grant select on imported to mem_app, mem_backup;
grant insert (tenant_id, user_id, origin, source_id, content_hash, memory_id, imported_at) on imported to mem_app;
grant update (content_hash, memory_id, imported_at) on imported to mem_app;
grant select, insert, update, delete on imported to mem_definer;
