-- Limits that are fair to who shares an address, bounds for what proposals and changes of audience leave behind, and a
-- review that covers all that a memory tells.

-- ── Wrong attempts ──────────────────────────────────────────────────────────────────────────────────────────────────

-- One more wrong attempt of a subject; how many there are by now. The waits are as before.
create function note_attempt(p_kind text, p_subject bytea, p_free integer, p_first_seconds integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  v_now timestamptz := clock_timestamp();
  v_failures integer;
begin
  insert into public.attempt as a (kind, subject, failures, failed_at, blocked_until)
  values (p_kind, p_subject, 1, v_now, v_now)
  on conflict (kind, subject) do update set failed_at = v_now,
    failures = case when greatest(a.failed_at, a.blocked_until) < v_now - interval '10 minutes' then 1 else a.failures + 1 end
  returning failures into v_failures;
  if v_failures >= p_free then
    update public.attempt a set blocked_until = v_now
        + least(p_first_seconds * power(2, least(v_failures - p_free, 20)), greatest(p_first_seconds, 900)) * interval '1 second'
      where a.kind = p_kind and a.subject = p_subject;
  end if;
  return v_failures;
end $$;

-- Counted for the account, or the secret, that was tried; for the address once for each of them, so that who mistypes, or a
-- program that shows one dead token over and over, shuts out nobody else. An account is locked before its address, always.
create function count_attempt(p_kind text, p_account bytea, p_account_free integer, p_account_seconds integer,
  p_address bytea, p_address_free integer) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  if public.note_attempt(p_kind, p_account, p_account_free, p_account_seconds) = 1 then
    perform public.note_attempt(p_kind, p_address, p_address_free, 1);
  end if;
  delete from public.attempt a where (a.kind, a.subject) in (
    select o.kind, o.subject from public.attempt o where o.failed_at < clock_timestamp() - interval '1 day'
    order by o.failed_at limit 20 for update skip locked);
end $$;
alter function note_attempt(text, bytea, integer, integer) owner to mem_definer;
alter function count_attempt(text, bytea, integer, integer, bytea, integer) owner to mem_definer;
grant execute on function count_attempt(text, bytea, integer, integer, bytea, integer) to mem_app;
-- Programs of the release before are still running while this is applied, and call it.
comment on function count_attempts(text, bytea[], integer[], integer) is 'Replaced by count_attempt().';

-- ── What proposals and changes of audience leave behind ─────────────────────────────────────────────────────────────

-- There is one proposal a memory that waits, and its copy of the words counts like the words. What was decided has no
-- words; of that, and of changes of audience, each memory keeps the latest. So all of it is bounded by the quota.
create function proposal_bytes(p_title text, p_text text, p_parts jsonb) returns bigint
language sql immutable set search_path = '' as $$
  select coalesce(octet_length(p_title)::bigint + octet_length(p_text) + octet_length(p_parts::text), 0)
$$;
grant execute on function proposal_bytes(text, text, jsonb) to mem_definer;

create function note_proposal_usage() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    insert into public.usage_change (tenant_id, transaction_id, bytes)
    select n.tenant_id, pg_current_xact_id()::text::bigint, sum(public.proposal_bytes(n.title, n.text, n.parts))
    from added n group by n.tenant_id;
  elsif tg_op = 'DELETE' then
    insert into public.usage_change (tenant_id, transaction_id, bytes)
    select o.tenant_id, pg_current_xact_id()::text::bigint, -sum(public.proposal_bytes(o.title, o.text, o.parts))
    from removed o group by o.tenant_id having sum(public.proposal_bytes(o.title, o.text, o.parts)) > 0;
  else
    insert into public.usage_change (tenant_id, transaction_id, bytes)
    select n.tenant_id, pg_current_xact_id()::text::bigint,
      sum(public.proposal_bytes(n.title, n.text, n.parts) - public.proposal_bytes(o.title, o.text, o.parts))
    from added n join removed o on o.tenant_id = n.tenant_id and o.id = n.id group by n.tenant_id
    having sum(public.proposal_bytes(n.title, n.text, n.parts) - public.proposal_bytes(o.title, o.text, o.parts)) <> 0;
  end if;
  return null;
end $$;
alter function note_proposal_usage() owner to mem_definer;
create trigger note_usage_insert after insert on proposal referencing new table as added
  for each statement execute function note_proposal_usage();
create trigger note_usage_update after update on proposal referencing old table as removed new table as added
  for each statement execute function note_proposal_usage();
create trigger note_usage_delete after delete on proposal referencing old table as removed
  for each statement execute function note_proposal_usage();

create function trim_proposals() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from public.proposal p where p.tenant_id = new.tenant_id and p.id in (
    select x.id from public.proposal x
    where x.tenant_id = new.tenant_id and x.memory_id = new.memory_id and x.state <> 'pending'
    order by x.decided_at desc, x.id offset 20);
  return null;
end $$;
alter function trim_proposals() owner to mem_definer;
create trigger trim_proposals after insert on proposal for each row execute function trim_proposals();

create function trim_audience_changes() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from public.audience_change c
    where c.tenant_id = new.tenant_id and c.memory_id = new.memory_id and c.number <= new.number - 100;
  return null;
end $$;
alter function trim_audience_changes() owner to mem_definer;
create trigger trim_changes after insert on audience_change for each row when (new.number > 100)
  execute function trim_audience_changes();

-- What waits already. As mem_definer: forced row-level security would show the migrations' own role no rows.
set local role mem_definer;
update usage u set bytes = u.bytes + p.bytes
  from (select tenant_id, sum(proposal_bytes(title, text, parts)) as bytes from proposal group by tenant_id) p
  where p.tenant_id = u.tenant_id;
set local role mem_owner;

-- ── Reviews ─────────────────────────────────────────────────────────────────────────────────────────────────────────

-- Where a project reviews, all that was reviewed is a maintainer's to change: a memory that turned from a guess into a
-- proved decision, or outlives its date, says something else, with the same words. (guard_memory() has those.)
create function guard_review() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user <> 'mem_definer' and new.scope = 'project' and new.project_id <> all (public.my_open_projects())
    and new.project_id = any (public.my_contributor_projects()) then
    raise exception using errcode = 'TM072', message = 'the project reviews what is shared into it';
  end if;
  return new;
end $$;
create trigger guard_review before update on memory for each row
  when ((new.kind, new.task_type, new.outcome, new.validity, new.verification, new.expires_at)
    is distinct from (old.kind, old.task_type, old.outcome, old.validity, old.verification, old.expires_at))
  execute function guard_review();
