-- A past text belongs to those who saw the memory while it said so. Without this a text that was written in private, and
-- reworded before it was shared, would be read in the history by everybody it was shared with.

alter table revision add column scope text, add column owner_id uuid, add column project_id uuid, add column group_id uuid;

-- What is there was written for those who see it now. FORCE would show the owner of the tables no row to change.
alter table revision no force row level security;
alter table memory no force row level security;
update revision r set scope = m.scope, owner_id = m.owner_id, project_id = m.project_id, group_id = m.group_id
  from memory m where m.tenant_id = r.tenant_id and m.id = r.memory_id;
alter table memory force row level security;
alter table revision force row level security;
alter table revision alter column scope set not null, alter column owner_id set not null;
create index revision_owner on revision (tenant_id, owner_id);
create index revision_project on revision (tenant_id, project_id);

create function copy_revision_audience() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select m.scope, m.owner_id, m.project_id, m.group_id
    into new.scope, new.owner_id, new.project_id, new.group_id
    from public.memory m where m.tenant_id = new.tenant_id and m.id = new.memory_id;
  return new;
end $$;
alter function copy_revision_audience() owner to mem_definer;
create trigger copy_audience before insert on revision for each row execute function copy_revision_audience();

-- memory_policies() writes this policy without the audience: a migration that calls it calls this one after it.
create procedure revision_policies() language plpgsql as $$
begin
  drop policy if exists app_read on revision;
  execute 'create policy app_read on revision for select to mem_app using (exists (select from memory m
    where m.tenant_id = revision.tenant_id and m.id = revision.memory_id) and ' || visibility_predicate() || ')';
end $$;
call revision_policies();

-- The reason for putting a memory away was for those who saw it then, too.
create function drop_state_reason() returns trigger language plpgsql set search_path = '' as $$
begin
  new.state_reason := null;
  return new;
end $$;
alter function drop_state_reason() owner to mem_definer;
create trigger drop_state_reason before update on memory for each row
  when (new.state_reason is not null and old.scope = 'private' and new.scope <> 'private')
  execute function drop_state_reason();

-- An archived project takes nothing in: neither by moving a memory to it, nor by sharing one that lay in it in private,
-- by hand, by an approval or by undoing. Taking back and narrowing stay possible.
drop trigger refuse_archived_move on memory;
create trigger refuse_archived_move after update on memory for each row
  when (new.project_id is not null and (new.project_id is distinct from old.project_id
    or old.scope = 'private' and new.scope <> 'private'))
  execute function refuse_archived_project();
