-- Who said that a memory is false, and that it stays said: of what others see, a verdict is taken back by who gave it or who
-- maintains it, and what was merged away by who maintains it. Forgetting a refuted memory does not wash it.

alter table memory add column verdict_at timestamptz;
alter table memory add column verdict_by uuid;
comment on column memory.verdict_at is 'When it was refuted; kept while it is forgotten, for it comes back refuted.';
comment on column memory.verdict_by is 'Who refuted it.';
alter table memory add constraint memory_verdict_by_fkey foreign key (tenant_id, verdict_by)
  references app_user (tenant_id, id) on delete set null (verdict_by);
alter table memory drop constraint memory_refuted_check;
alter table memory add constraint memory_refuted_check
  check (refuted_by is null or state in ('refuted', 'forgotten') and refuted_by <> id);

-- As mem_definer, because row-level security is forced on the owner too.
set local role mem_definer;
update memory set verdict_at = state_since, verdict_by = state_by where state = 'refuted';
set local role mem_owner;
alter table memory add constraint memory_verdict_check
  check (verdict_at is null or state in ('refuted', 'forgotten'));

create or replace function follow_state() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.state = 'active' and old.state = 'forgotten' and old.verdict_at is not null then
    new.state := 'refuted';
  end if;
  new.state_since := now();
  new.state_by := public.uid();
  if old.verdict_at is not null and new.state in ('refuted', 'forgotten') then
    new.state_reason := old.state_reason;
    new.refuted_by := old.refuted_by;
  elsif new.state = 'refuted' then
    new.verdict_at := now();
    new.verdict_by := public.uid();
  else
    new.verdict_at := null;
    new.verdict_by := null;
    new.refuted_by := null;
    if new.state <> 'archived' then
      new.state_reason := null;
    end if;
  end if;
  if new.state = 'forgotten' then
    -- Nothing finds it any more; restored, it is embedded anew.
    delete from public.embedding e where e.tenant_id = new.tenant_id and e.memory_id = new.id;
    new.embedding_state := 'pending';
  end if;
  return new;
end $$;

create function guard_return() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user <> 'mem_app' then
    return new;
  end if;
  -- Not in one expression: the right to call a function is asked for wherever it stands in one.
  if not public.maintains_memory(new)
    and (old.merged_into is not null or old.verdict_by is distinct from public.uid()) then
    raise exception using errcode = 'TM0A3', message = 'a maintainer lets it stand again';
  end if;
  return new;
end $$;
create trigger guard_return before update on memory for each row
  when (new.state = 'active' and (old.state = 'refuted' or old.state = 'archived' and old.merged_into is not null))
  execute function guard_return();

-- Where a project reviews, what was reviewed is neither called false nor true again without a maintainer.
create trigger guard_reviewed_verdict before update on memory for each row
  when ((new.state = 'refuted') <> (old.state = 'refuted') and 'forgotten' not in (new.state, old.state))
  execute function guard_review();

-- What shows that a memory is false is seen by all who see the memory. As before, nobody points at what they do not see;
-- hidden and missing are refused in the same words.
create or replace function guard_refuted() returns trigger language plpgsql set search_path = '' as $$
declare
  v_proof public.memory;
begin
  if current_user = 'mem_definer' then
    return new;
  end if;
  select * into v_proof from public.memory m where m.tenant_id = new.tenant_id and m.id = new.refuted_by;
  if not found then
    raise exception using errcode = '42501', message = 'new row violates row-level security policy for table "memory"';
  end if;
  if not (new.scope = 'private' or v_proof.scope = 'tenant' or public.same_people(v_proof, new)
    or new.scope = 'project' and v_proof.scope = 'group' and exists (select from public.group_project g
      where g.tenant_id = new.tenant_id and g.group_id = v_proof.group_id and g.project_id = new.project_id)) then
    raise exception using errcode = 'TM0A4', message = 'not all who see the memory see what refutes it';
  end if;
  return new;
end $$;
