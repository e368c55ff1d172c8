-- By whom, and in which sessions, a memory was captured: a session says the same thing once, however often it says it. A
-- number alone cannot know that the third capture came from the session of the second.

create table proof (
  tenant_id uuid not null,
  memory_id uuid not null,
  session_id uuid not null, -- of one user, so a row is a distinct (user, session)
  created_at timestamptz not null default now(),
  primary key (tenant_id, memory_id, session_id),
  foreign key (tenant_id, memory_id) references memory (tenant_id, id) on delete cascade,
  foreign key (tenant_id, session_id) references work_session (tenant_id, id) on delete cascade
);
create index proof_session on proof (tenant_id, session_id);

insert into proof (tenant_id, memory_id, session_id, created_at)
select tenant_id, id, session_id, created_at from memory where session_id is not null;

alter table proof enable row level security, force row level security;
create policy tenant_only on proof as restrictive to mem_app, mem_worker, mem_text
  using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()));
-- Sessions are their user's own business; others see the number on the memory.
create policy app_read on proof for select to mem_app using (
  exists (select from work_session s where s.tenant_id = proof.tenant_id and s.id = proof.session_id)
  and exists (select from memory m where m.tenant_id = proof.tenant_id and m.id = proof.memory_id));
create policy app_write on proof for insert to mem_app with check (
  exists (select from work_session s where s.tenant_id = proof.tenant_id and s.id = proof.session_id)
  and exists (select from memory m where m.tenant_id = proof.tenant_id and m.id = proof.memory_id
    and m.owner_id = (select uid())));

grant select, insert on proof to mem_app;
grant select, insert, update, delete on proof to mem_definer;
grant select on proof to mem_backup;

-- The first one, whoever writes the memory.
create function start_proof() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.proof (tenant_id, memory_id, session_id, created_at)
  values (new.tenant_id, new.id, new.session_id, new.created_at) on conflict do nothing;
  return null;
end $$;
alter function start_proof() owner to mem_definer;
create trigger start_proof after insert on memory for each row when (new.session_id is not null)
  execute function start_proof();

-- A memory is useful when it is captured, again and again: a later capture moves the end of the work it tells of. Until
-- now only a merge after the first one did.
create function follow_capture() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.memory_stat s set last_useful_at = greatest(s.last_useful_at, new.ended_at)
    where s.tenant_id = new.tenant_id and s.memory_id = new.id;
  return null;
end $$;
alter function follow_capture() owner to mem_definer;
create trigger follow_capture after update of ended_at on memory for each row when (new.ended_at > old.ended_at)
  execute function follow_capture();

revoke execute on function start_proof(), follow_capture() from public;
