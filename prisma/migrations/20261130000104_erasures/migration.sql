-- A person is erased: every trace of them in every table, in batches, each with the place it has got to and what it counted;
-- then a search of every column for what is left; then a receipt. The operators' log has the promise, so that it can be kept
-- again after a backup from before it was restored.

create table erasure (
  tenant_id uuid not null references tenant (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- Whose and by whom: ids alone, without keys, since the first is to be nowhere else.
  user_id uuid not null,
  requested_by uuid not null,
  choice text not null check (choice in ('keep', 'transfer', 'erase')),
  to_user_id uuid,
  status text not null default 'requested' check (status in ('requested', 'running', 'completed', 'failed')),
  stage integer not null default 0 check (stage >= 0),
  round integer not null default 0 check (round >= 0),
  -- Rows by what became of which, a checksum of the ids of the memories that went, and the columns that were searched.
  counts jsonb not null default '{}',
  memory_sum bigint not null default 0,
  searched integer not null default 0,
  traces jsonb not null default '{}',
  mentions jsonb not null default '{}',
  requested_at timestamptz not null default now(),
  touched_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, user_id),
  check (choice = 'transfer' or to_user_id is null),
  check ((status in ('completed', 'failed')) = (finished_at is not null))
);
create index erasure_unfinished on erasure (requested_at) where status in ('requested', 'running');

alter table erasure enable row level security, force row level security;
create policy tenant_only on erasure as restrictive to mem_app, mem_worker, mem_text
  using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()));
create policy app_read on erasure for select to mem_app using ((select is_tenant_admin()));
grant select on erasure to mem_app, mem_backup;
grant select, insert, update, delete on erasure to mem_definer;

-- ── Memories that go ────────────────────────────────────────────────────────────────────────────────────────────────

-- Removes memories, and what points at them without a key: idempotency answers, promises, loans and what was noted of merges.
-- Everything else goes by its foreign key.
create function remove_memories(p_tenant uuid, p_ids uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_receivers uuid[];
  v_said jsonb;
  v_words text[];
  v_into uuid[];
begin
  select array_agg(distinct l.receiver_id) into v_receivers from public.credit_ledger l
    where l.tenant_id = p_tenant and l.success_id = any (p_ids) and l.receiver_id <> all (p_ids);
  select jsonb_build_object(
      'tags', (select coalesce(jsonb_agg(i), '[]') from public.memory m, unnest(m.tags) i
        where m.tenant_id = p_tenant and m.id = any (p_ids)),
      'filesModified', (select coalesce(jsonb_agg(i), '[]') from public.memory m, unnest(m.files_modified) i
        where m.tenant_id = p_tenant and m.id = any (p_ids)),
      'errorsResolved', (select coalesce(jsonb_agg(i), '[]') from public.memory m, jsonb_array_elements(m.errors_resolved) i
        where m.tenant_id = p_tenant and m.id = any (p_ids)),
      'alternatives', (select coalesce(jsonb_agg(i), '[]') from public.memory m, jsonb_array_elements(m.alternatives) i
        where m.tenant_id = p_tenant and m.id = any (p_ids))),
    (select coalesce(array_agg(distinct w), '{}') from public.memory m, unnest(tsvector_to_array(m.keywords)) w
      where m.tenant_id = p_tenant and m.id = any (p_ids))
    into v_said, v_words;
  with recursive up (id, depth) as (
    select unnest(p_ids), 0
    union
    select e.into_id, u.depth + 1 from up u join public.upkeep_effect e
      on e.tenant_id = p_tenant and e.memory_id = u.id and e.action = 'merged' and e.into_id is not null
    where u.depth < 50
  )
  select array_agg(distinct u.id) into v_into from up u where u.id <> all (p_ids);

  delete from public.memory m where m.tenant_id = p_tenant and m.id = any (p_ids);

  perform public.scrub_merges(p_tenant, v_into, v_said, v_words);
  update public.memory_stat s set lent_from = null where s.tenant_id = p_tenant and s.lent_from = any (p_ids);
  delete from public.outbox o where o.tenant_id = p_tenant and o.subject_id = any (p_ids);
  delete from public.idempotency_key k where k.tenant_id = p_tenant and exists (
    select from regexp_matches(k.response::text, '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}', 'g') g
    where g[1]::uuid = any (p_ids));
  update public.memory_stat s set credit = least(0.3, coalesce((select sum(l.amount order by l.success_id)
      from public.credit_ledger l where l.tenant_id = s.tenant_id and l.receiver_id = s.memory_id), 0))
    where s.tenant_id = p_tenant and s.memory_id = any (v_receivers);
end $$;

-- Erases what is due of some memories. @returns how many
create or replace function erase_memories(p_ids uuid[]) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  v_tenant uuid := public.current_tenant();
  v_ids uuid[];
begin
  perform from public.memory m where m.tenant_id = v_tenant and m.id = any (p_ids) order by m.id for update;
  select coalesce(array_agg(e.id order by e.id), '{}') into v_ids from public.list_erasable(null, 1000, p_ids) e;
  if v_ids <> '{}' then
    perform public.remove_memories(v_tenant, v_ids);
  end if;
  return cardinality(v_ids);
end $$;

-- Some memories of a person who is erased: what they kept for themselves or forgot, and with the choice 'erase' what they shared.
create function remove_memories_of(p_erasure public.erasure, p_limit integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  v_ids uuid[];
begin
  select coalesce(array_agg(x.id order by x.id), '{}') into v_ids from (
    select m.id from public.memory m where m.tenant_id = p_erasure.tenant_id and m.owner_id = p_erasure.user_id
      and (m.scope = 'private' or m.state = 'forgotten' or p_erasure.choice = 'erase')
    order by m.id limit p_limit for update) x;
  if v_ids <> '{}' then
    perform public.remove_memories(p_erasure.tenant_id, v_ids);
    update public.erasure e set memory_sum = e.memory_sum
        # (select bit_xor(hashtextextended(i::text, 0)) from unnest(v_ids) i)
      where e.tenant_id = p_erasure.tenant_id and e.id = p_erasure.id;
  end if;
  return cardinality(v_ids);
end $$;

-- ── Who is left in their place ──────────────────────────────────────────────────────────────────────────────────────

-- One for each tenant, whoever was erased: what they shared and others need is somebody's, and nobody can tell whose it was.
create function former_member_id(p_tenant uuid) returns uuid
language sql immutable set search_path = '' as $$
  select md5('former member of ' || p_tenant::text)::uuid
$$;

-- That somebody's name stands on a row of an archived project no more changes nothing there that anybody had decided.
create or replace function refuse_archived_project() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  r jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
  v_names text[] := array['created_by', 'updated_by', 'made_by', 'undone_by'];
begin
  if tg_op = 'UPDATE' and tg_table_name in ('setting', 'recall_rule', 'upkeep_run')
    and to_jsonb(old) - v_names = r - v_names then
    return null;
  end if;
  if exists (select from public.project p
    where p.tenant_id = (r ->> 'tenant_id')::uuid and p.id = coalesce(r ->> 'project_id', r ->> 'to_project_id')::uuid
      and p.archived_at is not null) then
    raise exception using errcode = 'TM020', message = 'the project is archived';
  end if;
  return null;
end $$;

-- ── The request ─────────────────────────────────────────────────────────────────────────────────────────────────────

-- Asks for a person to be erased, by an admin of no lower a role or by themself: out at once, the rest by the worker. Asked again it
-- is the same erasure, and one that failed is tried again. Null: no such person for whoever asks.
create function request_erasure(p_user uuid, p_choice text, p_to uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_tenant uuid := public.current_tenant();
  v_actor uuid := public.uid();
  v_role text := public.my_tenant_role();
  v_user public.app_user;
  v_id uuid;
begin
  if v_actor is null or not (v_role in ('owner', 'admin') or p_user = v_actor) then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('erasure:' || p_user::text, 0));
  update public.erasure e set status = case when e.status = 'failed' then 'requested' else e.status end,
      finished_at = case when e.status = 'failed' then null else e.finished_at end,
      stage = case when e.status = 'failed' then 0 else e.stage end, round = case when e.status = 'failed' then 0 else e.round end,
      traces = case when e.status = 'failed' then '{}' else e.traces end
    where e.tenant_id = v_tenant and e.user_id = p_user returning e.id into v_id;
  if v_id is not null then
    return v_id;
  end if;
  select u.* into v_user from public.app_user u where u.tenant_id = v_tenant and u.id = p_user
    and u.id <> public.former_member_id(v_tenant) and (u.role <> 'owner' or v_role = 'owner') for update;
  if not found then
    return null;
  end if;
  insert into public.erasure (tenant_id, user_id, requested_by, choice, to_user_id)
    values (v_tenant, p_user, v_actor, p_choice, p_to) returning id into v_id;
  update public.app_user u set status = 'removed', removed_at = coalesce(u.removed_at, now())
    where u.tenant_id = v_tenant and u.id = p_user and u.status <> 'removed';
  delete from public.membership m where m.tenant_id = v_tenant and m.user_id = p_user;
  update public.access_token a set revoked_at = now() where a.tenant_id = v_tenant and a.user_id = p_user and a.revoked_at is null;
  update public.login_session s set revoked_at = now(), revoked_reason = 'removed'
    where s.tenant_id = v_tenant and s.user_id = p_user and s.revoked_at is null;
  perform public.append_audit(v_tenant, 'user', v_actor, 'user.erasure_requested', 'user', p_user,
    jsonb_build_object('erasure', v_id, 'sharedMemories', p_choice, 'to', p_to));
  perform public.append_operator_log(null, 'user.erasure', 'user', p_user,
    jsonb_build_object('tenant', v_tenant, 'erasure', v_id, 'by', v_actor, 'sharedMemories', p_choice, 'to', p_to));
  return v_id;
end $$;

-- The same promise in a database that was restored from before it was made, or from before it was kept: for a superuser, who
-- restores. Null: the person is not there, and nothing is to be done.
create function repeat_erasure(p_tenant uuid, p_user uuid, p_id uuid, p_by uuid, p_choice text, p_to uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_id uuid;
begin
  if not exists (select from public.app_user u where u.tenant_id = p_tenant and u.id = p_user) then
    return null;
  end if;
  insert into public.erasure (tenant_id, id, user_id, requested_by, choice, to_user_id)
    values (p_tenant, p_id, p_user, p_by, p_choice, p_to)
    on conflict (tenant_id, user_id) do update set status = 'requested', stage = 0, round = 0, traces = '{}', finished_at = null
    returning id into v_id;
  update public.app_user u set status = 'removed', removed_at = coalesce(u.removed_at, now())
    where u.tenant_id = p_tenant and u.id = p_user and u.status <> 'removed';
  perform public.append_operator_log(null, 'user.erasure', 'user', p_user, jsonb_build_object('tenant', p_tenant, 'erasure', v_id,
    'by', p_by, 'sharedMemories', p_choice, 'to', p_to, 'again', true));
  return v_id;
end $$;

-- Erasures that wait, or whose worker has shown no life; of tenants that work, the oldest first.
create function list_wanted_erasures(p_limit integer) returns table (tenant_id uuid, erasure_id uuid)
language sql stable security definer set search_path = '' as $$
  select e.tenant_id, e.id from public.erasure e join public.tenant t on t.id = e.tenant_id
  where t.status = 'active' and (e.status = 'requested' or e.status = 'running' and e.touched_at < now() - interval '5 minutes')
  order by e.requested_at limit least(greatest(p_limit, 1), 500)
$$;

-- ── The work ────────────────────────────────────────────────────────────────────────────────────────────────────────

-- A statement that removes, or changes, some rows of a tenant and counts them. $1 tenant, $2 person, $3 who is left in their
-- place, $4 how many rows, $5 who takes over.
create function erasing_statement(p_table text, p_set text, p_where text) returns text
language sql immutable set search_path = '' as $$
  select format('with done as (%s public.%I t %s where t.ctid = any (array(select x.ctid from public.%2$I x
      where x.tenant_id = $1 and (%4$s) limit $4)) returning 1) select count(*)::integer from done',
    case when p_set is null then 'delete from' else 'update' end, p_table, coalesce('set ' || p_set, ''), p_where)
$$;

-- What is done, in order; what is long to follow by its triggers in smaller batches. By hand where no key leads to the person or
-- where more than the name is theirs; the rest by the keys that lead to app_user, read from the catalogue so that no later table
-- is forgotten.
create function erasing_work() returns table (place integer, name text, slow boolean, statement text)
language sql stable security definer set search_path = '' as $$
  select (row_number() over (order by w.place, w.name))::integer - 1, w.name, w.slow, public.erasing_statement(w.about, w.change, w.which)
  from (
    select v.place, v.name, v.slow, v.about, v.change, v.which from (values
      (1, 'memory given on', true, 'memory', $q$owner_id = case when $5 is not null
          and public.may_keep_there($5, t.scope, t.project_id, t.group_id) then $5 else $3 end, updated_at = now()$q$,
        $q$x.owner_id = $2$q$),
      (2, 'vote', true, 'vote', null, $q$x.user_id = $2$q$),
      (3, 'retrieval', true, 'retrieval', null, $q$x.user_id = $2$q$),
      (4, 'idempotency_key', false, 'idempotency_key', null, $q$x.user_id = $2 or strpos(x.response::text, $2::text) > 0
        or strpos(x.response::text, (select to_jsonb(u.display_name)::text from public.app_user u where u.tenant_id = $1 and u.id = $2)) > 0$q$),
      (5, 'outbox', false, 'outbox', null, $q$x.subject_id = $2$q$),
      (6, 'rate_bucket', false, 'rate_bucket', null, $q$x.subject_id = $2$q$),
      (7, 'usage_change without a name', false, 'usage_change', 'user_id = null', $q$x.user_id = $2$q$),
      (8, 'work_session', false, 'work_session', null, $q$x.user_id = $2
        and not exists (select from public.memory m where m.tenant_id = $1 and m.session_id = x.id)
        and not exists (select from public.proof p where p.tenant_id = $1 and p.session_id = x.id)$q$),
      (9, 'work_session without a name', false, 'work_session', 'user_id = $3, client_key = null', $q$x.user_id = $2$q$),
      (10, 'revision', true, 'revision', null, $q$x.owner_id = $2 and x.scope = 'private'$q$),
      (11, 'revision without a name', true, 'revision', $q$author_id = case when t.author_id = $2 then $3 else t.author_id end,
        owner_id = case when t.owner_id = $2 then $3 else t.owner_id end$q$, $q$ $2 in (x.author_id, x.owner_id)$q$),
      (12, 'audience_change without a name', false, 'audience_change', $q$actor_id = nullif(t.actor_id, $2),
        from_owner_id = case when t.from_owner_id = $2 then $3 else t.from_owner_id end,
        to_owner_id = case when t.to_owner_id = $2 then $3 else t.to_owner_id end$q$,
        $q$ $2 in (x.from_owner_id, x.to_owner_id) or x.actor_id = $2$q$),
      (13, 'link without a name', false, 'link', 'resolved_by = null, reason = null', $q$x.resolved_by = $2$q$),
      (14, 'proposal without a name', false, 'proposal', 'decided_by = null, reason = null', $q$x.decided_by = $2$q$),
      (15, 'memory without a name', true, 'memory', $q$written_by = case when t.written_by = $2 then $3 else t.written_by end,
        state_reason = case when t.state_by = $2 or t.verdict_by = $2 then null else t.state_reason end,
        state_by = nullif(t.state_by, $2), verdict_by = nullif(t.verdict_by, $2)$q$,
        $q$x.written_by = $2 or x.state_by = $2 or x.verdict_by = $2$q$),
      (16, 'invitation', false, 'invitation', null, $q$x.used_by = $2 or x.user_id = $2 or lower(x.email) = (
        select lower(u.email) from public.app_user u where u.tenant_id = $1 and u.id = $2)$q$),
      (17, 'invitation without a name', false, 'invitation', 'invited_by = null', $q$x.invited_by = $2$q$),
      (18, 'upkeep_run', false, 'upkeep_run', null, $q$x.made_by = $2 and x.project_id is null and x.group_id is null$q$),
      -- What is in a file cannot lose a name: whoever wants such an export asks for it again.
      (20, 'data_export ended', false, 'data_export', $q$status = 'failed', manifest = null,
        failure = 'Somebody was erased whose texts it may hold; ask for it again.', finished_at = coalesce(t.finished_at, now())$q$,
        $q$x.status <> 'failed'$q$),
      (21, 'export_part', true, 'export_part', null, $q$exists (select from public.data_export e
        where e.tenant_id = $1 and e.id = x.export_id and e.status = 'failed')$q$)
    ) as v (place, name, slow, about, change, which)
    union all
    select 30, c.relname || case k.confdeltype when 'c' then '' else ' without a name' end, false, c.relname,
      case k.confdeltype when 'c' then null when 'n' then format('%I = null', a.attname) else format('%I = $3', a.attname) end,
      format('x.%I = $2', a.attname)
    from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid
    join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[cardinality(k.conkey)]
    where k.contype = 'f' and k.confrelid = 'public.app_user'::regclass and not c.relispartition
  ) w
$$;

-- The columns in which a person could be named, a table each. What people type in is told apart: their own words about another
-- are theirs, and are counted, not changed.
create function erasing_search() returns table (place integer, name text, columns integer, is_typed boolean, ids text, words text)
language sql stable security definer set search_path = '' as $$
  select (row_number() over (order by c.relname))::integer - 1, c.relname::text, count(*)::integer,
    c.relname in ('memory', 'revision', 'proposal', 'retrieval', 'vote', 'proof', 'recall_rule', 'setting', 'project', 'project_group'),
    coalesce(string_agg(case a.atttypid when 'uuid'::regtype then format('x.%I = $2', a.attname)
      when 'uuid[]'::regtype then format('$2 = any (x.%I)', a.attname) end, ' or '), 'false'),
    coalesce(string_agg(case when a.atttypid not in ('uuid'::regtype, 'uuid[]'::regtype)
      then format('lower(x.%I::text)', a.attname) end, ' || '' '' || '), 'null')
  from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0
    and not a.attisdropped and c.relname not in ('erasure', 'app_user') and a.attname <> 'tenant_id'
    and a.atttypid in ('uuid'::regtype, 'uuid[]'::regtype, 'text'::regtype, 'text[]'::regtype, 'varchar'::regtype, 'jsonb'::regtype,
      'json'::regtype, 'tsvector'::regtype)
    and exists (select from pg_catalog.pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')
  group by c.relname
$$;

-- How often a table names a person: by id, or by address. The audit keeps ids, as its chain must; addresses it has none.
create function traces_in(p_tenant uuid, p_user uuid, p_table text) returns table (traces bigint, mentions bigint)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_email text;
  s record;
begin
  select lower(u.email) into v_email from public.app_user u where u.tenant_id = p_tenant and u.id = p_user;
  select * into s from public.erasing_search() e where e.name = p_table;
  return query execute format('select
      count(*) filter (where %1$L <> ''audit'' and ((%2$s) or not %4$L and w.words like $4) or not %4$L and w.words like $3),
      count(*) filter (where %4$L and (w.words like $3 or w.words like $4))
    from public.%1$I x cross join lateral (select concat_ws('' '', %3$s) as words) w where x.tenant_id = $1',
    s.name, s.ids, case s.words when 'null' then 'null' else replace(s.words, ' || '' '' || ', ', ') end, s.is_typed)
  using p_tenant, p_user, '%' || replace(replace(replace(v_email, '\', '\\'), '%', '\%'), '_', '\_') || '%', '%' || p_user::text || '%';
end $$;

-- A batch of an erasure: some rows, with the place it has got to and what was counted; then the search, a table at a time; last the
-- person's own row. What came meanwhile is found by the search and begins it anew, twice; what is found then is a failure that
-- names its tables. Run again it goes on; two at once do so one after the other.
create function erase_user(p_tenant uuid, p_id uuid, p_limit integer) returns table (done integer, finished boolean)
language plpgsql security definer set search_path = '' as $$
declare
  e public.erasure;
  v_former uuid := public.former_member_id(p_tenant);
  v_left integer := least(greatest(p_limit, 1), 5000);
  v_limit integer;
  v_count integer;
  v_until timestamptz := clock_timestamp() + interval '1 second';
  v_work integer;
  v_found record;
  r record;
begin
  select x.* into e from public.erasure x where x.tenant_id = p_tenant and x.id = p_id for update;
  if not found or e.status in ('completed', 'failed') then
    return query select 0, true;
    return;
  end if;
  insert into public.app_user (tenant_id, id, display_name, role, status, removed_at)
    values (p_tenant, v_former, 'Former member', 'viewer', 'removed', now()) on conflict do nothing;
  done := 0;
  select count(*)::integer + 1 into v_work from public.erasing_work();
  for r in select 0 as place, 'memory' as name, true as slow, null as statement
    union all select w.place + 1, w.name, w.slow, w.statement from public.erasing_work() w order by place
  loop
    continue when r.place < e.stage;
    v_limit := case when r.slow then least(v_left, 100) else v_left end;
    if r.statement is null then
      v_count := public.remove_memories_of(e, v_limit);
    else
      execute r.statement into v_count using p_tenant, e.user_id, v_former, v_limit, e.to_user_id;
    end if;
    if v_count > 0 then
      e.counts := e.counts || jsonb_build_object(r.name, coalesce((e.counts ->> r.name)::integer, 0) + v_count);
    end if;
    done := done + v_count;
    v_left := v_left - v_count;
    exit when v_count = v_limit or v_left <= 0;
    e.stage := r.place + 1;
    exit when clock_timestamp() > v_until;
  end loop;
  if e.stage >= v_work then
    for r in select s.place + v_work as place, s.name, s.columns from public.erasing_search() s order by s.place loop
      continue when r.place < e.stage;
      select t.* into v_found from public.traces_in(p_tenant, e.user_id, r.name) t;
      e.searched := e.searched + r.columns;
      if v_found.traces > 0 then e.traces := e.traces || jsonb_build_object(r.name, v_found.traces); end if;
      if v_found.mentions > 0 then e.mentions := e.mentions || jsonb_build_object(r.name, v_found.mentions); end if;
      e.stage := r.place + 1;
      exit when clock_timestamp() > v_until;
    end loop;
    finished := e.stage >= v_work + (select count(*) from public.erasing_search());
  else
    finished := false;
  end if;
  if finished and e.traces <> '{}' and e.round < 2 then
    e.stage := 0;
    e.round := e.round + 1;
    e.searched := 0;
    e.traces := '{}';
    e.mentions := '{}';
    finished := false;
  end if;
  if finished and e.traces = '{}' then
    delete from public.app_user u where u.tenant_id = p_tenant and u.id = e.user_id;
  end if;
  update public.erasure x set stage = e.stage, round = e.round, counts = e.counts, searched = e.searched, traces = e.traces,
      mentions = e.mentions, touched_at = now(), finished_at = case when finished then now() end,
      status = case when not finished then 'running' when e.traces = '{}' then 'completed' else 'failed' end
    where x.tenant_id = p_tenant and x.id = p_id;
  if finished then
    perform public.append_audit(p_tenant, 'system', null,
      case when e.traces = '{}' then 'user.erased' else 'user.erasure_failed' end, 'user', e.user_id,
      jsonb_build_object('erasure', p_id, 'traces', e.traces));
  end if;
  return next;
end $$;

do $$
declare
  r record;
begin
  for r in
    select v.name::regprocedure as name, v.roles from (values
      ('remove_memories(uuid, uuid[])', null),
      ('remove_memories_of(public.erasure, integer)', null),
      ('former_member_id(uuid)', null),
      ('request_erasure(uuid, text, uuid)', 'mem_app'),
      ('repeat_erasure(uuid, uuid, uuid, uuid, text, uuid)', null),
      ('list_wanted_erasures(integer)', 'mem_worker'),
      ('erasing_statement(text, text, text)', null),
      ('erasing_work()', null),
      ('erasing_search()', null),
      ('traces_in(uuid, uuid, text)', null),
      ('erase_user(uuid, uuid, integer)', 'mem_worker')
    ) as v (name, roles)
  loop
    execute format('revoke execute on function %s from public', r.name);
    execute format('alter function %s owner to mem_definer', r.name);
    if r.roles is not null then
      execute format('grant execute on function %s to %s', r.name, r.roles);
    end if;
  end loop;
end $$;
