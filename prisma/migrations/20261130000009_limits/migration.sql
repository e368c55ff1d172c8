-- Limits: what a tenant may keep (quota) and keeps (usage), what everyone did on a day, points a minute, wrong attempts
-- before a login; and dates that no client can read back.

grant select, insert, update, delete on all tables in schema public to mem_definer;

-- ── Tables ──────────────────────────────────────────────────────────────────────────────────────────────────────────

-- What holds for a tenant whose quota says nothing; one row, changed by operators.
create table quota_default (
  only_row boolean primary key default true check (only_row),
  memories bigint not null default 200000 check (memories between 0 and 1000000000),
  bytes bigint not null default 10737418240 check (bytes between 0 and 1000000000000000),
  embeddings_per_day bigint not null default 50000 check (embeddings_per_day between 0 and 1000000000),
  -- At least what the dearest request may cost, so that waiting always helps.
  user_points_per_minute bigint not null default 60000 check (user_points_per_minute between 5000 and 1000000000),
  tenant_points_per_minute bigint not null default 600000 check (tenant_points_per_minute between 5000 and 1000000000)
);
insert into quota_default default values;

-- Null: the instance's default.
create table quota (
  tenant_id uuid not null references tenant (id) on delete cascade,
  memories bigint check (memories between 0 and 1000000000),
  bytes bigint check (bytes between 0 and 1000000000000000),
  embeddings_per_day bigint check (embeddings_per_day between 0 and 1000000000),
  user_points_per_minute bigint check (user_points_per_minute between 5000 and 1000000000),
  tenant_points_per_minute bigint check (tenant_points_per_minute between 5000 and 1000000000),
  updated_at timestamptz not null default now(),
  primary key (tenant_id)
);

-- What a tenant keeps. `memories`: active ones, so archiving and forgetting free them at once. `bytes`: memories of any
-- state with their former texts, so that they are freed when rows are erased and nobody fills the disk by forgetting.
create table usage (
  tenant_id uuid not null references tenant (id) on delete cascade,
  memories bigint not null default 0,
  bytes bigint not null default 0,
  embeddings_on date not null default '1970-01-01', -- the day (UTC) that `embeddings` counts
  embeddings bigint not null default 0,
  primary key (tenant_id)
);

-- What a transaction changed, until it commits: see apply_usage().
create unlogged table usage_change (
  tenant_id uuid not null,
  transaction_id bigint not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid,
  memories bigint not null default 0,
  bytes bigint not null default 0,
  captures bigint not null default 0,
  private_captures bigint not null default 0,
  embeddings bigint not null default 0,
  private_embeddings bigint not null default 0,
  retrievals bigint not null default 0,
  primary key (tenant_id, transaction_id, id)
);

-- What a person did on a day (UTC). What concerns private memories is counted apart: admins see only the rest.
create table usage_day (
  tenant_id uuid not null,
  user_id uuid not null,
  day date not null,
  measure text not null check (measure in ('captures', 'embeddings', 'retrievals', 'points')),
  is_private boolean not null default false,
  amount bigint not null,
  primary key (tenant_id, user_id, day, measure, is_private),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);
create index usage_day_latest on usage_day (tenant_id, day);

-- Points a minute, shared by all replicas: one moment for each bucket, when it will be empty again (GCRA). The subject is
-- a user or the tenant itself. Unlogged: after a crash everyone may ask again.
create unlogged table rate_bucket (
  tenant_id uuid not null references tenant (id) on delete cascade,
  subject_id uuid not null,
  empty_at timestamptz not null,
  primary key (tenant_id, subject_id)
);

-- Wrong attempts to get in, by keyed hashes of addresses and accounts: before a tenant is known. Unlogged as above.
create unlogged table attempt (
  kind text not null check (length(kind) between 1 and 50),
  subject bytea not null,
  failures integer not null,
  failed_at timestamptz not null,
  blocked_until timestamptz not null,
  primary key (kind, subject)
);
create index attempt_oldest on attempt (failed_at);

-- ── Row-level security and grants ───────────────────────────────────────────────────────────────────────────────────

do $$
declare
  r record;
begin
  for r in select unnest(array['quota_default', 'quota', 'usage', 'usage_change', 'usage_day', 'rate_bucket', 'attempt']) as name
  loop
    execute format('alter table %I enable row level security, force row level security', r.name);
    execute format('grant select, insert, update, delete on %I to mem_definer', r.name);
    if r.name not in ('quota_default', 'attempt') then
      execute format('create policy tenant_only on %I as restrictive to mem_app, mem_worker, mem_text
        using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))', r.name);
    end if;
  end loop;
end $$;

create policy app_read on quota for select to mem_app using ((select is_member()));
create policy app_read on usage for select to mem_app using ((select is_tenant_admin()));
create policy app_read on usage_day for select to mem_app
  using (user_id = (select uid()) or (select is_tenant_admin()) and not is_private);

grant select on quota, usage, usage_day to mem_app;
grant select on quota_default, quota, usage, usage_day to mem_backup;

-- ── The quota that holds ────────────────────────────────────────────────────────────────────────────────────────────

create function quota_of(p_tenant uuid)
returns table (memories bigint, bytes bigint, embeddings_per_day bigint, user_points_per_minute bigint,
  tenant_points_per_minute bigint)
language sql stable security definer set search_path = '' as $$
  select coalesce(q.memories, d.memories), coalesce(q.bytes, d.bytes),
    coalesce(q.embeddings_per_day, d.embeddings_per_day),
    coalesce(q.user_points_per_minute, d.user_points_per_minute),
    coalesce(q.tenant_points_per_minute, d.tenant_points_per_minute)
  from public.quota_default d left join public.quota q on q.tenant_id = p_tenant
$$;

create function my_quota()
returns table (memories bigint, bytes bigint, embeddings_per_day bigint, user_points_per_minute bigint,
  tenant_points_per_minute bigint)
language sql stable security definer set search_path = '' as $$
  select q.* from public.quota_of(public.current_tenant()) q where public.is_member()
$$;

create function start_quota() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.quota (tenant_id) values (new.id) on conflict do nothing;
  insert into public.usage (tenant_id) values (new.id) on conflict do nothing;
  return null;
end $$;
create trigger start_quota after insert on tenant for each row execute function start_quota();

-- An absent key stays, a null one goes back to the default. Returns 'changed', 'unchanged' or 'missing'.
create function set_quota(p_tenant uuid, p_changes jsonb) returns text
language plpgsql security definer set search_path = '' as $$
declare
  v public.quota;
  v_new public.quota;
begin
  perform public.require_operator();
  select q.* into v from public.quota q join public.tenant t on t.id = q.tenant_id and t.status <> 'deleted'
    where q.tenant_id = p_tenant for update of q;
  if not found then
    return 'missing';
  end if;
  v_new := jsonb_populate_record(v, p_changes);
  if v_new is not distinct from v then
    return 'unchanged';
  end if;
  update public.quota q set memories = v_new.memories, bytes = v_new.bytes,
    embeddings_per_day = v_new.embeddings_per_day, user_points_per_minute = v_new.user_points_per_minute,
    tenant_points_per_minute = v_new.tenant_points_per_minute, updated_at = now()
    where q.tenant_id = p_tenant;
  perform public.append_audit(p_tenant, 'operator', public.acting_operator(), 'quota.changed', 'tenant', p_tenant, p_changes);
  return 'changed';
end $$;

create function set_default_quota(p_changes jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v public.quota_default;
begin
  perform public.require_operator();
  select (jsonb_populate_record(d, p_changes)).* into v from public.quota_default d for update;
  update public.quota_default d set memories = v.memories, bytes = v.bytes, embeddings_per_day = v.embeddings_per_day,
    user_points_per_minute = v.user_points_per_minute, tenant_points_per_minute = v.tenant_points_per_minute;
  perform public.append_operator_log(public.acting_operator(), 'quota.default-changed', 'instance', null, p_changes);
end $$;

-- For operators: the limits that hold for a tenant, and how much of them it uses. Without a tenant: the defaults.
create function tenant_quota(p_tenant uuid)
returns table (memories bigint, bytes bigint, embeddings_per_day bigint, user_points_per_minute bigint,
  tenant_points_per_minute bigint, used_memories bigint, used_bytes bigint, used_embeddings bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform public.require_operator();
  return query select q.*, u.memories, u.bytes,
      case when u.embeddings_on = (now() at time zone 'utc')::date then u.embeddings else 0 end
    from public.quota_of(p_tenant) q left join public.usage u on u.tenant_id = p_tenant
    where p_tenant is null or u.tenant_id is not null;
end $$;

-- ── Counting ────────────────────────────────────────────────────────────────────────────────────────────────────────
-- Triggers note what a statement changed; apply_usage() adds it up once, when the transaction commits. The tenant's row is
-- so locked last, after audit and everything else, and only for the moment of the commit: writers wait for each other no
-- longer than that, in one order everywhere (usage_day by key, then usage), so no two can wait for each other.

create function memory_bytes(p_title text, p_text text, p_tags text[], p_files text[], p_errors jsonb, p_alternatives jsonb)
returns bigint language sql immutable set search_path = '' as $$
  select octet_length(p_title)::bigint + octet_length(p_text) + octet_length(array_to_string(p_tags, ''))
    + octet_length(array_to_string(p_files, '')) + octet_length(p_errors::text) + octet_length(p_alternatives::text)
$$;

create function note_memory_usage() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    insert into public.usage_change (tenant_id, transaction_id, memories, bytes)
    select n.tenant_id, pg_current_xact_id()::text::bigint, count(*) filter (where n.state = 'active'),
      sum(public.memory_bytes(n.title, n.text, n.tags, n.files_modified, n.errors_resolved, n.alternatives))
    from added n group by n.tenant_id;
  elsif tg_op = 'DELETE' then
    insert into public.usage_change (tenant_id, transaction_id, memories, bytes)
    select o.tenant_id, pg_current_xact_id()::text::bigint, -count(*) filter (where o.state = 'active'),
      -sum(public.memory_bytes(o.title, o.text, o.tags, o.files_modified, o.errors_resolved, o.alternatives))
    from removed o group by o.tenant_id;
  else
    insert into public.usage_change (tenant_id, transaction_id, memories, bytes)
    select d.tenant_id, pg_current_xact_id()::text::bigint, d.memories, d.bytes
    from (
      select n.tenant_id, sum((n.state = 'active')::int - (o.state = 'active')::int) as memories,
        sum(public.memory_bytes(n.title, n.text, n.tags, n.files_modified, n.errors_resolved, n.alternatives)
          - public.memory_bytes(o.title, o.text, o.tags, o.files_modified, o.errors_resolved, o.alternatives)) as bytes
      from added n join removed o on o.tenant_id = n.tenant_id and o.id = n.id group by n.tenant_id
    ) d where d.memories <> 0 or d.bytes <> 0;
  end if;
  return null;
end $$;
create trigger note_usage_insert after insert on memory referencing new table as added
  for each statement execute function note_memory_usage();
create trigger note_usage_update after update on memory referencing old table as removed new table as added
  for each statement execute function note_memory_usage();
create trigger note_usage_delete after delete on memory referencing old table as removed
  for each statement execute function note_memory_usage();

create function note_revision_usage() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    -- Whoever captured or merged; edits are no captures.
    insert into public.usage_change (tenant_id, transaction_id, user_id, bytes, captures, private_captures)
    select n.tenant_id, pg_current_xact_id()::text::bigint, n.author_id,
      sum(octet_length(n.title)::bigint + octet_length(n.text)),
      count(*) filter (where n.reason <> 'edited' and m.scope <> 'private'),
      count(*) filter (where n.reason <> 'edited' and m.scope = 'private')
    from added n join public.memory m on m.tenant_id = n.tenant_id and m.id = n.memory_id
    group by n.tenant_id, n.author_id;
  elsif tg_op = 'DELETE' then
    insert into public.usage_change (tenant_id, transaction_id, bytes)
    select o.tenant_id, pg_current_xact_id()::text::bigint, -sum(octet_length(o.title)::bigint + octet_length(o.text))
    from removed o group by o.tenant_id;
  else
    insert into public.usage_change (tenant_id, transaction_id, bytes)
    select n.tenant_id, pg_current_xact_id()::text::bigint,
      sum(octet_length(n.title)::bigint + octet_length(n.text) - octet_length(o.title) - octet_length(o.text))
    from added n join removed o
      on o.tenant_id = n.tenant_id and o.memory_id = n.memory_id and o.revision = n.revision group by n.tenant_id;
  end if;
  return null;
end $$;
create trigger note_usage_insert after insert on revision referencing new table as added
  for each statement execute function note_revision_usage();
create trigger note_usage_update after update on revision referencing old table as removed new table as added
  for each statement execute function note_revision_usage();
create trigger note_usage_delete after delete on revision referencing old table as removed
  for each statement execute function note_revision_usage();

create function note_embedding_usage() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.usage_change (tenant_id, transaction_id, user_id, embeddings, private_embeddings)
  select n.tenant_id, pg_current_xact_id()::text::bigint, n.owner_id, count(*) filter (where n.scope <> 'private'),
    count(*) filter (where n.scope = 'private')
  from added n group by n.tenant_id, n.owner_id;
  return null;
end $$;
create trigger note_usage after insert on embedding referencing new table as added
  for each statement execute function note_embedding_usage();

create function note_retrieval_usage() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.usage_change (tenant_id, transaction_id, user_id, retrievals)
  select n.tenant_id, pg_current_xact_id()::text::bigint, n.user_id, count(*) from added n group by n.tenant_id, n.user_id;
  return null;
end $$;
create trigger note_usage after insert on retrieval referencing new table as added
  for each statement execute function note_retrieval_usage();

-- Refuses what a person adds beyond the quota. What machines do (merging, archiving) is not held up by it, but for vectors,
-- which can wait for another day.
create function apply_usage() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  v_today date := (now() at time zone 'utc')::date;
  v_role text := current_setting('role');
  v_memories bigint;
  v_bytes bigint;
  v_embeddings bigint;
  v_usage public.usage;
  v_quota record;
begin
  with taken as (
    delete from public.usage_change c
    where c.tenant_id = new.tenant_id and c.transaction_id = new.transaction_id
    returning c.*
  ), did as (
    select t.user_id, v.measure, v.is_private, sum(v.amount) as amount from taken t, lateral (values
      ('captures', false, t.captures), ('captures', true, t.private_captures), ('embeddings', false, t.embeddings),
      ('embeddings', true, t.private_embeddings), ('retrievals', false, t.retrievals)) as v (measure, is_private, amount)
    where t.user_id is not null and v.amount > 0
    group by t.user_id, v.measure, v.is_private order by t.user_id, v.measure, v.is_private
  ), counted as (
    insert into public.usage_day (tenant_id, user_id, day, measure, is_private, amount)
    select new.tenant_id, d.user_id, v_today, d.measure, d.is_private, d.amount from did d
    where exists (select from public.app_user u where u.tenant_id = new.tenant_id and u.id = d.user_id)
    on conflict (tenant_id, user_id, day, measure, is_private)
      do update set amount = usage_day.amount + excluded.amount
  )
  select sum(t.memories), sum(t.bytes), sum(t.embeddings + t.private_embeddings)
    into v_memories, v_bytes, v_embeddings from taken t;
  if coalesce(v_memories, 0) = 0 and coalesce(v_bytes, 0) = 0 and coalesce(v_embeddings, 0) = 0 then
    return null; -- nothing of it, or an earlier row of this transaction took everything
  end if;
  update public.usage u set memories = u.memories + v_memories, bytes = u.bytes + v_bytes,
    embeddings = case when u.embeddings_on = v_today then u.embeddings else 0 end + v_embeddings, embeddings_on = v_today
    where u.tenant_id = new.tenant_id returning u.* into v_usage;
  if not found then
    return null; -- the tenant itself is being deleted
  end if;
  if v_role not in ('mem_app', 'mem_text') then
    return null;
  end if;
  select * into v_quota from public.quota_of(new.tenant_id);
  if v_role = 'mem_app' and v_memories > 0 and v_usage.memories > v_quota.memories then
    raise exception using errcode = 'TM031', message = 'quota of ' || v_quota.memories;
  elsif v_role = 'mem_app' and v_bytes > 0 and v_usage.bytes > v_quota.bytes then
    raise exception using errcode = 'TM032', message = 'quota of ' || v_quota.bytes;
  elsif v_embeddings > 0 and v_usage.embeddings > v_quota.embeddings_per_day then
    raise exception using errcode = 'TM033', message = 'quota of ' || v_quota.embeddings_per_day;
  end if;
  return null;
end $$;
create constraint trigger apply_usage after insert on usage_change deferrable initially deferred
  for each row execute function apply_usage();

-- What people and projects keep. Of others an admin is told what they share and nothing of what they keep to themselves.
create function usage_by_user(p_limit integer)
returns table (user_id uuid, memories bigint, bytes bigint)
language sql stable security definer set search_path = '' as $$
  select m.owner_id, count(*) filter (where m.state = 'active'),
    sum(public.memory_bytes(m.title, m.text, m.tags, m.files_modified, m.errors_resolved, m.alternatives))::bigint
  from public.memory m
  where m.tenant_id = public.current_tenant()
    and (m.owner_id = public.uid() or public.is_tenant_admin() and m.scope <> 'private')
  group by m.owner_id order by (m.owner_id = public.uid()) desc, 3 desc, 1 limit least(greatest(p_limit, 1), 100)
$$;

create function usage_by_project(p_limit integer)
returns table (project_id uuid, memories bigint, bytes bigint)
language sql stable security definer set search_path = '' as $$
  select m.project_id, count(*) filter (where m.state = 'active'),
    sum(public.memory_bytes(m.title, m.text, m.tags, m.files_modified, m.errors_resolved, m.alternatives))::bigint
  from public.memory m
  where m.tenant_id = public.current_tenant() and m.scope = 'project'
    and (public.is_tenant_admin() or m.project_id = any (public.my_projects()))
  group by m.project_id order by 3 desc, 1 limit least(greatest(p_limit, 1), 100)
$$;

-- ── Points a minute ─────────────────────────────────────────────────────────────────────────────────────────────────

-- Takes points from the caller's bucket and the tenant's, all or nothing: what is wanted where it fits, else what is
-- needed. A bucket holds a minute's points and fills evenly; it is full when `empty_at` has passed. The user's row is
-- locked before the tenant's, everywhere. The debts tell how far from full the buckets are.
create function charge_points(p_user_need bigint, p_user_want bigint, p_tenant_need bigint, p_tenant_want bigint)
returns table (granted boolean, user_points bigint, tenant_points bigint, user_debt_ms double precision,
  tenant_debt_ms double precision, user_limit bigint, tenant_limit bigint)
language plpgsql security definer set search_path = '' as $$
declare
  v_tenant uuid := public.current_tenant();
  v_user uuid := public.uid();
  v_now timestamptz := clock_timestamp();
  v_minute constant double precision := 60000;
  v_quota record;
begin
  if v_tenant is null or v_user is null then
    raise exception using errcode = '42501', message = 'permission denied for table rate_bucket';
  end if;
  -- Nothing here is worth a wait for the disk.
  perform set_config('synchronous_commit', 'off', true);
  select * into v_quota from public.quota_of(v_tenant);
  user_limit := v_quota.user_points_per_minute;
  tenant_limit := v_quota.tenant_points_per_minute;
  insert into public.rate_bucket (tenant_id, subject_id, empty_at) values (v_tenant, v_user, v_now) on conflict do nothing;
  select greatest(extract(epoch from b.empty_at - v_now) * 1000, 0) into user_debt_ms
    from public.rate_bucket b where b.tenant_id = v_tenant and b.subject_id = v_user for update;
  insert into public.rate_bucket (tenant_id, subject_id, empty_at) values (v_tenant, v_tenant, v_now) on conflict do nothing;
  select greatest(extract(epoch from b.empty_at - v_now) * 1000, 0) into tenant_debt_ms
    from public.rate_bucket b where b.tenant_id = v_tenant and b.subject_id = v_tenant for update;
  user_points := case when user_debt_ms + p_user_want * v_minute / user_limit <= v_minute
    then greatest(p_user_want, p_user_need) else p_user_need end;
  tenant_points := case when tenant_debt_ms + p_tenant_want * v_minute / tenant_limit <= v_minute
    then greatest(p_tenant_want, p_tenant_need) else p_tenant_need end;
  granted := user_debt_ms + user_points * v_minute / user_limit <= v_minute
    and tenant_debt_ms + tenant_points * v_minute / tenant_limit <= v_minute;
  if granted then
    user_debt_ms := user_debt_ms + user_points * v_minute / user_limit;
    tenant_debt_ms := tenant_debt_ms + tenant_points * v_minute / tenant_limit;
    update public.rate_bucket b set empty_at = v_now + user_debt_ms * interval '1 millisecond'
      where b.tenant_id = v_tenant and b.subject_id = v_user;
    update public.rate_bucket b set empty_at = v_now + tenant_debt_ms * interval '1 millisecond'
      where b.tenant_id = v_tenant and b.subject_id = v_tenant;
    if user_points > 0 then
      insert into public.usage_day (tenant_id, user_id, day, measure, amount)
      values (v_tenant, v_user, (v_now at time zone 'utc')::date, 'points', user_points)
      on conflict (tenant_id, user_id, day, measure, is_private) do update set amount = usage_day.amount + excluded.amount;
    end if;
  else
    user_points := 0;
    tenant_points := 0;
  end if;
  return next;
end $$;

-- ── Wrong attempts ──────────────────────────────────────────────────────────────────────────────────────────────────

-- Seconds until any of the subjects may try again; 0: now.
create function check_attempts(p_kind text, p_subjects bytea[]) returns integer
language sql stable security definer set search_path = '' as $$
  select greatest(0, coalesce(ceil(max(extract(epoch from a.blocked_until - clock_timestamp()))), 0))::integer
  from public.attempt a where a.kind = p_kind and a.subject = any (p_subjects)
$$;

-- One more wrong attempt of each subject. After `free` of them each further one closes the door for twice as long, a
-- quarter of an hour at most; ten quiet minutes and it is forgotten. Rows are locked in order.
create function count_attempts(p_kind text, p_subjects bytea[], p_free integer[], p_first_seconds integer) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_now timestamptz := clock_timestamp();
  r record;
begin
  perform set_config('synchronous_commit', 'off', true);
  for r in select g.subject, g.free from unnest(p_subjects, p_free) as g (subject, free) order by g.subject loop
    insert into public.attempt as a (kind, subject, failures, failed_at, blocked_until)
    values (p_kind, r.subject, 1, v_now, v_now)
    on conflict (kind, subject) do update set failed_at = v_now,
      failures = case when greatest(a.failed_at, a.blocked_until) < v_now - interval '10 minutes' then 1 else a.failures + 1 end;
    update public.attempt a set blocked_until = v_now
        + least(p_first_seconds * power(2, least(a.failures - r.free, 20)), greatest(p_first_seconds, 900)) * interval '1 second'
      where a.kind = p_kind and a.subject = r.subject and a.failures >= r.free;
  end loop;
  delete from public.attempt a where (a.kind, a.subject) in (
    select o.kind, o.subject from public.attempt o where o.failed_at < v_now - interval '1 day'
    order by o.failed_at limit 20 for update skip locked);
end $$;

-- ── Sessions of machines ────────────────────────────────────────────────────────────────────────────────────────────

-- Ending a machine's session ends the token it came from, for good: the list of tokens must say so.
create function end_token_of_session() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.access_token a set revoked_at = new.revoked_at
    where a.tenant_id = new.tenant_id and a.session_id = new.id and a.revoked_at is null;
  return null;
end $$;
create trigger end_token after update on login_session for each row
  when (new.kind = 'token' and old.revoked_at is null and new.revoked_at is not null)
  execute function end_token_of_session();

-- ── Dates ───────────────────────────────────────────────────────────────────────────────────────────────────────────

-- A year of five digits is stored by Postgres and read by no client. Of columns that callers can set.
do $$
declare
  r record;
begin
  for r in select v.* from (values
      ('memory', 'expires_at'), ('memory', 'valid_from'), ('memory', 'valid_to'), ('memory', 'started_at'),
      ('memory', 'ended_at'), ('work_session', 'started_at'), ('work_session', 'last_at'), ('maintenance_run', 'run_date'),
      ('invitation', 'expires_at'), ('access_token', 'expires_at'), ('login_session', 'expires_at')) as v (name, col)
  loop
    execute format($f$alter table %1$I add constraint %1$s_%2$s_range
      check (%2$I >= '0001-01-01' and %2$I < '9999-12-31') not valid$f$, r.name, r.col);
    execute format('alter table %I validate constraint %1$s_%2$s_range', r.name, r.col);
  end loop;
end $$;

-- ── What there is already ───────────────────────────────────────────────────────────────────────────────────────────

-- As mem_definer: forced row-level security would show the migrations' own role no rows, and say nothing.
create function backfill_usage() returns void language plpgsql security definer set search_path = '' as $$
begin
  insert into public.quota (tenant_id) select t.id from public.tenant t;
  insert into public.usage (tenant_id, memories, bytes)
  select t.id, coalesce(m.memories, 0), coalesce(m.bytes, 0) + coalesce(r.bytes, 0) from public.tenant t
  left join (select x.tenant_id, count(*) filter (where x.state = 'active') as memories,
      sum(public.memory_bytes(x.title, x.text, x.tags, x.files_modified, x.errors_resolved, x.alternatives)) as bytes
    from public.memory x group by x.tenant_id) m on m.tenant_id = t.id
  left join (select x.tenant_id, sum(octet_length(x.title)::bigint + octet_length(x.text)) as bytes
    from public.revision x group by x.tenant_id) r on r.tenant_id = t.id;
end $$;
grant execute on function memory_bytes(text, text, text[], text[], jsonb, jsonb) to mem_definer;
alter function backfill_usage() owner to mem_definer;
select backfill_usage();
drop function backfill_usage();

-- ── Owners and grants of functions ──────────────────────────────────────────────────────────────────────────────────

do $$
declare
  r record;
begin
  for r in
    select v.name::regprocedure as name, v.roles from (values
      ('quota_of(uuid)', null),
      ('my_quota()', 'mem_app'),
      ('start_quota()', null),
      ('set_quota(uuid, jsonb)', 'mem_operator'),
      ('set_default_quota(jsonb)', 'mem_operator'),
      ('tenant_quota(uuid)', 'mem_operator'),
      ('note_memory_usage()', null),
      ('note_revision_usage()', null),
      ('note_embedding_usage()', null),
      ('note_retrieval_usage()', null),
      ('apply_usage()', null),
      ('usage_by_user(integer)', 'mem_app'),
      ('usage_by_project(integer)', 'mem_app'),
      ('charge_points(bigint, bigint, bigint, bigint)', 'mem_app'),
      ('check_attempts(text, bytea[])', 'mem_app'),
      ('count_attempts(text, bytea[], integer[], integer)', 'mem_app'),
      ('end_token_of_session()', null)
    ) as v (name, roles)
  loop
    if r.roles is not null then
      execute format('grant execute on function %s to %s', r.name, r.roles);
    end if;
    execute format('alter function %s owner to mem_definer', r.name);
  end loop;
end $$;
