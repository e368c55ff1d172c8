-- What became of a conflict: a person who answers for both memories said so. The link stays, so that nobody is asked again.
-- And what a question about the past needs: since when a text stands, and that a retrieval asked for it.

alter table link add column resolution text check (resolution in ('keep_both', 'keep_from', 'keep_to'));
alter table link add column reason text check (length(reason) between 1 and 500);
-- Without a foreign key: who decided may be gone, and the decision stays.
alter table link add column resolved_by uuid;
alter table link add column resolved_at timestamptz;
alter table link add constraint link_resolved_check
  check ((resolution is null) = (resolved_at is null) and (resolution is null or kind = 'conflict'));
create index link_conflict on link (tenant_id, created_at desc) where kind = 'conflict' and resolution is null;

create policy app_change on link for update to mem_app using (
    kind = 'conflict'
    and exists (select from memory m where m.tenant_id = link.tenant_id and m.id = link.from_id and maintains_memory(m))
    and exists (select from memory m where m.tenant_id = link.tenant_id and m.id = link.to_id and maintains_memory(m)))
  with check (
    kind = 'conflict'
    and exists (select from memory m where m.tenant_id = link.tenant_id and m.id = link.from_id and maintains_memory(m))
    and exists (select from memory m where m.tenant_id = link.tenant_id and m.id = link.to_id and maintains_memory(m)));
grant update (resolution, reason) on link to mem_app;

create function sign_resolution() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'INSERT' or new.resolution is null then
    new.resolution := null;
    new.reason := null;
    new.resolved_by := null;
    new.resolved_at := null;
  elsif new.resolution is distinct from old.resolution then
    new.resolved_by := public.uid();
    new.resolved_at := now();
  end if;
  return new;
end $$;
create trigger sign_resolution before insert or update on link for each row execute function sign_resolution();

-- As before, and what a person had decided of the two is open again.
create or replace function reopen_conflict(p_tenant uuid, p_newer uuid, p_older uuid) returns void
language sql security definer set search_path = '' as $$
  update public.link l set resolution = null
    where l.tenant_id = p_tenant and (l.from_id, l.to_id) in ((p_newer, p_older), (p_older, p_newer))
      and l.kind = 'conflict' and l.resolution is not null;
  insert into public.link (tenant_id, from_id, to_id, kind, weight)
  select p_tenant, p_newer, p_older, 'conflict', coalesce((select max(l.weight) from public.link l
    where l.tenant_id = p_tenant and (l.from_id, l.to_id) in ((p_newer, p_older), (p_older, p_newer))), 0)
  where not exists (select from public.link l where l.tenant_id = p_tenant and l.from_id = p_older and l.to_id = p_newer
    and l.kind = 'conflict')
  on conflict do nothing
$$;

-- ── Past texts ──────────────────────────────────────────────────────────────────────────────────────────────────────

alter table memory add column text_since timestamptz default now();
alter table revision add column since timestamptz default now();
comment on column memory.text_since is 'When the present text came.';
comment on column revision.since is 'When this text came; created_at says when it gave way.';

set local role mem_definer;
update memory m set text_since = coalesce((select max(r.created_at) from revision r
  where r.tenant_id = m.tenant_id and r.memory_id = m.id), m.created_at);
update revision r set since = coalesce((select max(e.created_at) from revision e
    where e.tenant_id = r.tenant_id and e.memory_id = r.memory_id and e.revision < r.revision),
  (select m.created_at from memory m where m.tenant_id = r.tenant_id and m.id = r.memory_id));
set local role mem_owner;
alter table memory alter column text_since set not null;
alter table revision alter column since set not null;

create or replace function start_standing() returns trigger language plpgsql set search_path = '' as $$
begin
  new.superseded_by := null;
  new.superseded_at := null;
  new.absent := '{}';
  new.text_since := new.created_at;
  return new;
end $$;

create or replace function sign_text() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.written_by := coalesce(public.uid(), old.written_by);
  new.text_since := case when new.updated_at is distinct from old.updated_at then new.updated_at else now() end;
  return new;
end $$;

create or replace function keep_revision() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.revision (tenant_id, memory_id, revision, title, text, tags, files_modified, author_id, reason,
    says_other, since, created_at)
  values (old.tenant_id, old.id, old.revision, old.title, old.text, old.tags, old.files_modified,
    coalesce(old.written_by, old.owner_id), old.written_as, new.says_other, old.text_since, new.text_since)
  on conflict do nothing;
  return null;
end $$;

alter table retrieval add column as_of timestamptz;
comment on column retrieval.as_of is 'The moment it asked about; it counts no memory as shown.';
