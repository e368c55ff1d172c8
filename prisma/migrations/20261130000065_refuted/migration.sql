-- A memory that turned out to be false is refuted: kept and labelled, and out of every answer that does not ask for such. What
-- refutes it is named where somebody said so; what the refuted memory had retired passes on as with any that leaves.

alter table memory drop constraint memory_state_check;
alter table memory add constraint memory_state_check check (state in ('active', 'archived', 'forgotten', 'refuted'));
alter table memory add column refuted_by uuid;
comment on column memory.refuted_by is 'What shows that it is false, while it is refuted.';
alter table memory add constraint memory_refuted_by_fkey foreign key (tenant_id, refuted_by)
  references memory (tenant_id, id) on delete set null (refuted_by);
alter table memory add constraint memory_refuted_check check (refuted_by is null or state = 'refuted' and refuted_by <> id);
create index memory_refuted_by on memory (tenant_id, refuted_by) where refuted_by is not null;
grant update (refuted_by) on memory to mem_app;

-- A new memory is refuted by nothing.
create function start_unrefuted() returns trigger language plpgsql set search_path = '' as $$
begin
  new.refuted_by := null;
  return new;
end $$;
create trigger start_unrefuted before insert on memory for each row when (new.refuted_by is not null)
  execute function start_unrefuted();

create or replace function follow_state() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.state_since := now();
  new.state_by := public.uid();
  if new.state not in ('archived', 'refuted') then
    new.state_reason := null;
  end if;
  if new.state <> 'refuted' then
    new.refuted_by := null;
  end if;
  if new.state = 'forgotten' then
    -- Nothing finds it any more; restored, it is embedded anew.
    delete from public.embedding e where e.tenant_id = new.tenant_id and e.memory_id = new.id;
    new.embedding_state := 'pending';
  end if;
  return new;
end $$;

-- Nobody points at what they do not see; hidden and missing are refused in the same words.
create function guard_refuted() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user <> 'mem_definer'
    and not exists (select from public.memory m where m.tenant_id = new.tenant_id and m.id = new.refuted_by) then
    raise exception using errcode = '42501', message = 'new row violates row-level security policy for table "memory"';
  end if;
  return new;
end $$;
create trigger guard_refuted before update on memory for each row
  when (new.refuted_by is distinct from old.refuted_by and new.refuted_by is not null)
  execute function guard_refuted();

-- One that stands again beside what had refuted it contradicts it: a person decides.
create function follow_refutation() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.memory m where m.tenant_id = new.tenant_id and m.id = old.refuted_by
    and m.state = 'active' and public.same_people(m, new)) then
    perform public.reopen_conflict(new.tenant_id, old.refuted_by, new.id);
  end if;
  return null;
end $$;
alter function follow_refutation() owner to mem_definer;
revoke execute on function follow_refutation() from public;
create trigger follow_refutation after update on memory for each row
  when (old.refuted_by is not null and new.state = 'active') execute function follow_refutation();
