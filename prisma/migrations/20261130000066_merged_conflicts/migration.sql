-- A conflict may end in one memory: the two are merged, by who answers for both. When that merge ends, in whatever way, they
-- contradict each other again. And an archived project refutes nothing, as it decides nothing else.

alter table link drop constraint link_resolution_check;
alter table link add constraint link_resolution_check
  check (resolution in ('keep_both', 'keep_from', 'keep_to', 'merged'));

create function reopen_merged() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.link l set resolution = null
    where l.tenant_id = new.tenant_id and new.id in (l.from_id, l.to_id) and l.kind = 'conflict' and l.resolution = 'merged';
  return null;
end $$;
alter function reopen_merged() owner to mem_definer;
revoke execute on function reopen_merged() from public;
create trigger reopen_merged after update on memory for each row
  when (old.merged_into is not null and new.merged_into is distinct from old.merged_into) execute function reopen_merged();

create trigger refuse_archived_refutation after update on memory for each row
  when (current_user = 'mem_app' and new.project_id is not null and new.scope <> 'private'
    and new.state = 'refuted' and old.state <> 'refuted')
  execute function refuse_archived_project();
