-- An archived project takes nothing in and decides nothing any more: what its memories say, which of them holds, how they
-- are judged and by which rules they are found stays as it was. Taking back stays possible: forgetting, demoting, withdrawing.

-- By hand alone (WHEN is evaluated as who wrote the statement): what follows by itself, when a memory is forgotten or its
-- owner leaves, goes on.
create trigger refuse_archived_decision after update on memory for each row
  when (current_user = 'mem_app' and new.project_id is not null and new.project_id = old.project_id
    and new.scope = old.scope and new.scope <> 'private'
    and (new.superseded_by is distinct from old.superseded_by or new.merged_into is distinct from old.merged_into
      or new.state = 'archived' and old.state <> 'archived'))
  execute function refuse_archived_project();
create trigger refuse_archived after insert or update on upkeep_run for each row when (new.project_id is not null)
  execute function refuse_archived_project();
create trigger refuse_archived after insert on proposal for each row when (new.to_project_id is not null)
  execute function refuse_archived_project();
create trigger refuse_archived after insert or update on recall_rule for each row when (new.project_id is not null)
  execute function refuse_archived_project();
create trigger refuse_archived_removal after delete on recall_rule for each row
  when (current_user = 'mem_app' and old.project_id is not null) execute function refuse_archived_project();

create or replace function refuse_archived_project() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  r jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  if exists (select from public.project p
    where p.tenant_id = (r ->> 'tenant_id')::uuid and p.id = coalesce(r ->> 'project_id', r ->> 'to_project_id')::uuid
      and p.archived_at is not null) then
    raise exception using errcode = 'TM020', message = 'the project is archived';
  end if;
  return null;
end $$;

-- A group's memory is its other projects' concern too, so it is voted on.
create function refuse_archived_vote() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.memory m join public.project p on p.tenant_id = m.tenant_id and p.id = m.project_id
    where m.tenant_id = new.tenant_id and m.id = new.memory_id and m.scope = 'project' and p.archived_at is not null) then
    raise exception using errcode = 'TM020', message = 'the project is archived';
  end if;
  return null;
end $$;
create trigger refuse_archived after insert or update on vote for each row execute function refuse_archived_vote();

create function refuse_archived_resolution() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.memory m join public.project p on p.tenant_id = m.tenant_id and p.id = m.project_id
    where m.tenant_id = new.tenant_id and m.id in (new.from_id, new.to_id) and m.scope <> 'private'
      and p.archived_at is not null) then
    raise exception using errcode = 'TM020', message = 'the project is archived';
  end if;
  return null;
end $$;
create trigger refuse_archived after update on link for each row
  when (current_user = 'mem_app' and new.resolution is distinct from old.resolution)
  execute function refuse_archived_resolution();

do $$
declare
  r record;
begin
  for r in select unnest(array['refuse_archived_vote()', 'refuse_archived_resolution()']) as name loop
    execute format('alter function %s owner to mem_definer', r.name);
    execute format('revoke execute on function %s from public', r.name);
  end loop;
end $$;

-- As before; and neither does what was reviewed give way to another memory, nor stand again, without a maintainer.
drop trigger guard_review on memory;
create trigger guard_review before update on memory for each row
  when ((new.kind, new.task_type, new.outcome, new.validity, new.verification, new.expires_at, new.superseded_by)
    is distinct from (old.kind, old.task_type, old.outcome, old.validity, old.verification, old.expires_at, old.superseded_by))
  execute function guard_review();
