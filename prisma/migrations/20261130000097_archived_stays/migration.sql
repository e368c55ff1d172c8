-- An archived project is not changed either: not its name, its review or its settings, and what it shares is shown to nobody
-- more, whoever proposed that before. What the service says early holds here in any case.

create trigger refuse_archived after insert or update on setting for each row when (new.project_id is not null)
  execute function refuse_archived_project();
-- By hand alone: what goes with a project that is erased goes.
create trigger refuse_archived_removal after delete on setting for each row
  when (current_user = 'mem_app' and old.project_id is not null) execute function refuse_archived_project();

create function refuse_archived_change() returns trigger
language plpgsql security invoker set search_path = '' as $$
begin
  raise exception using errcode = 'TM020', message = 'the project is archived';
end $$;
create trigger refuse_archived after update on project for each row
  when (old.archived_at is not null and new.archived_at is not null
    and (new.slug, new.name, new.review_required) is distinct from (old.slug, old.name, old.review_required))
  execute function refuse_archived_change();

create function refuse_archived_departure() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.project p
    where p.tenant_id = old.tenant_id and p.id = old.project_id and p.archived_at is not null) then
    raise exception using errcode = 'TM020', message = 'the project is archived';
  end if;
  return null;
end $$;
create trigger refuse_archived_departure after update on memory for each row
  when (old.scope = 'project' and new.scope in ('group', 'tenant'))
  execute function refuse_archived_departure();

do $$
declare
  r record;
begin
  for r in select unnest(array['refuse_archived_change()', 'refuse_archived_departure()']) as name loop
    execute format('alter function %s owner to mem_definer', r.name);
    execute format('revoke execute on function %s from public', r.name);
  end loop;
end $$;
