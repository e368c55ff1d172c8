-- What was said between a person and their client, a turn each: private to that person, whatever project it was about, and kept
-- for a month, so that what is worth knowing can be drawn from it. And what was put before a session unasked.

-- The turns of one of the client's sessions about one project: what is drawn from them goes to no other.
create table conversation (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  project_id uuid,
  session_key text not null check (length(session_key) between 1 and 200),
  client text not null check (length(client) between 1 and 100),
  started_at timestamptz not null,
  last_turn_at timestamptz not null,
  -- By the server's clock; the two before are the client's.
  changed_at timestamptz not null default now(),
  turns integer not null default 0 check (turns >= 0),
  distilled_turns integer not null default 0 check (distilled_turns >= 0),
  distilled_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade,
  foreign key (tenant_id, project_id) references project (tenant_id, id) on delete cascade
);
create unique index conversation_session on conversation (tenant_id, user_id, session_key, project_id) nulls not distinct;
create index conversation_project on conversation (tenant_id, project_id) where project_id is not null;
create index conversation_changed on conversation (tenant_id, changed_at);

create table turn (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  conversation_id uuid not null,
  session_key text not null check (length(session_key) between 1 and 200),
  prompt_key text not null check (length(prompt_key) between 1 and 200),
  at timestamptz not null,
  prompt text not null check (octet_length(prompt) <= 65536),
  answer text not null check (octet_length(answer) <= 65536),
  tools jsonb not null default '[]' check (jsonb_typeof(tools) = 'array' and octet_length(tools::text) <= 524288),
  branch text check (length(branch) between 1 and 300),
  client text not null check (length(client) between 1 and 100),
  is_backfill boolean not null default false,
  kept_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade,
  foreign key (tenant_id, conversation_id) references conversation (tenant_id, id) on delete cascade
);
create unique index turn_prompt on turn (tenant_id, user_id, session_key, prompt_key);
create index turn_order on turn (tenant_id, conversation_id, at, id);
create index turn_kept on turn (tenant_id, kept_at);

-- What a hook was given: at a session's start (no prompt_key), or for a prompt. Without an answer where nothing was shown.
create table injection (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  project_id uuid not null,
  session_key text not null check (length(session_key) between 1 and 200),
  prompt_key text check (length(prompt_key) between 1 and 200),
  retrieval_id uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade,
  foreign key (tenant_id, project_id) references project (tenant_id, id) on delete cascade,
  foreign key (tenant_id, retrieval_id) references retrieval (tenant_id, id) on delete cascade
);
create unique index injection_prompt on injection (tenant_id, user_id, project_id, session_key, prompt_key)
  where prompt_key is not null;
create index injection_start on injection (tenant_id, user_id, project_id, created_at desc) where prompt_key is null;
create index injection_project on injection (tenant_id, project_id);
create index injection_retrieval on injection (tenant_id, retrieval_id) where retrieval_id is not null;

do $$
declare
  r record;
begin
  for r in select unnest(array['conversation', 'turn', 'injection']) as name loop
    execute format('alter table %I enable row level security, force row level security', r.name);
    execute format('create policy tenant_only on %I as restrictive to mem_app, mem_worker, mem_text
      using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))', r.name);
    execute format('create policy app_read on %I for select to mem_app using (user_id = (select uid()))', r.name);
    execute format('grant select on %I to mem_app, mem_backup', r.name);
    execute format('grant select, insert, update, delete on %I to mem_definer', r.name);
  end loop;
end $$;

create policy app_write on conversation for insert to mem_app with check (user_id = (select uid())
  and (project_id is null or project_id = any ((select my_contributor_projects())::uuid[])));
create policy app_change on conversation for update to mem_app
  using (user_id = (select uid())) with check (user_id = (select uid()));
create policy app_write on turn for insert to mem_app with check (user_id = (select uid())
  and exists (select from conversation c where c.tenant_id = turn.tenant_id and c.id = turn.conversation_id));
create policy app_change on turn for update to mem_app using (user_id = (select uid())) with check (user_id = (select uid())
  and exists (select from conversation c where c.tenant_id = turn.tenant_id and c.id = turn.conversation_id));
create policy app_write on injection for insert to mem_app with check (user_id = (select uid())
  and project_id = any ((select my_projects())::uuid[])
  and (retrieval_id is null
    or exists (select from retrieval r where r.tenant_id = injection.tenant_id and r.id = injection.retrieval_id)));
-- Whose conversation it is and how far it is drawn from, so that the worker can open it in that person's name; no word of it.
create policy worker_select on conversation for select to mem_worker using ((select current_tenant()) is not null);

grant insert (tenant_id, id, user_id, project_id, session_key, client, started_at, last_turn_at, changed_at) on conversation to mem_app;
grant update (client, started_at, last_turn_at, changed_at, turns, distilled_turns, distilled_at) on conversation to mem_app;
grant insert (tenant_id, id, user_id, conversation_id, session_key, prompt_key, at, prompt, answer, tools, branch, client,
  is_backfill, kept_at) on turn to mem_app;
grant update (conversation_id, at, prompt, answer, tools, branch, client, is_backfill, kept_at) on turn to mem_app;
grant insert (tenant_id, id, user_id, project_id, session_key, prompt_key, retrieval_id, created_at) on injection to mem_app;
grant select (tenant_id, id, user_id, last_turn_at, changed_at, turns, distilled_turns, distilled_at) on conversation to mem_worker;

-- ── What they weigh ─────────────────────────────────────────────────────────────────────────────────────────────────

create function turn_bytes(p_prompt text, p_answer text, p_tools jsonb) returns bigint
language sql immutable set search_path = '' as $$
  select octet_length(p_prompt)::bigint + octet_length(p_answer) + octet_length(p_tools::text)
$$;

create function note_turn_usage() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    insert into public.usage_change (tenant_id, transaction_id, bytes)
    select n.tenant_id, pg_current_xact_id()::text::bigint, sum(public.turn_bytes(n.prompt, n.answer, n.tools))
    from added n group by n.tenant_id;
  elsif tg_op = 'DELETE' then
    insert into public.usage_change (tenant_id, transaction_id, bytes)
    select o.tenant_id, pg_current_xact_id()::text::bigint, -sum(public.turn_bytes(o.prompt, o.answer, o.tools))
    from removed o group by o.tenant_id;
  else
    insert into public.usage_change (tenant_id, transaction_id, bytes)
    select d.tenant_id, pg_current_xact_id()::text::bigint, d.bytes
    from (
      select n.tenant_id, sum(public.turn_bytes(n.prompt, n.answer, n.tools)
        - public.turn_bytes(o.prompt, o.answer, o.tools)) as bytes
      from added n join removed o on o.tenant_id = n.tenant_id and o.id = n.id group by n.tenant_id
    ) d where d.bytes <> 0;
  end if;
  return null;
end $$;
create trigger note_usage_insert after insert on turn referencing new table as added
  for each statement execute function note_turn_usage();
create trigger note_usage_update after update on turn referencing old table as removed new table as added
  for each statement execute function note_turn_usage();
create trigger note_usage_delete after delete on turn referencing old table as removed
  for each statement execute function note_turn_usage();

-- ── What is promised ────────────────────────────────────────────────────────────────────────────────────────────────

-- A wider one takes its place in the same transaction.
-- squawk-ignore ban-drop-constraint
alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check check (kind in ('memory.embed', 'maintenance.requested', 'schedule.changed',
  'memory.reembed', 'question.reembed', 'distil')) not valid;
create policy app_write_distil on outbox for insert to mem_app with check (kind = 'distil'
  and exists (select from conversation c where c.tenant_id = outbox.tenant_id and c.id = outbox.subject_id));

-- ── How long they are kept, what is taken along and what is erased ──────────────────────────────────────────────────

create or replace function purge_rows(p_kind text, p_limit integer, p_dry boolean) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  v_table text;
  v_due text;
  v_count integer;
begin
  select r.name, r.due into v_table, v_due from (values
    ('questions', 'retrieval', $q$t.question is not null and t.created_at <= now() - interval '180 days'$q$),
    ('turns', 'turn', $q$t.kept_at <= now() - make_interval(days => coalesce((select (s.value #>> '{}')::integer
      from public.setting s where s.tenant_id = t.tenant_id and s.project_id is null and s.key = 'storage.turn_keep_days'), 30))$q$),
    ('conversations', 'conversation', $q$t.changed_at <= now() - interval '30 days' and not exists (select from public.turn n
      where n.tenant_id = t.tenant_id and n.conversation_id = t.id)$q$),
    ('injections', 'injection', $q$t.created_at <= now() - case when t.prompt_key is null then interval '400 days'
      else interval '30 days' end$q$),
    ('keys', 'idempotency_key', $q$t.created_at <= now() - interval '90 days'$q$),
    ('promises', 'outbox', $q$t.done_at <= now() - interval '7 days'$q$),
    ('refreshes', 'refresh_token', $q$t.expires_at <= now() - interval '7 days'$q$),
    ('tokens', 'access_token', $q$least(t.expires_at, t.revoked_at) <= now() - interval '90 days'$q$),
    ('logins', 'login_session', $q$least(t.expires_at, t.revoked_at) <= now() - interval '90 days'$q$),
    ('invitations', 'invitation',
      $q$least(t.expires_at, t.used_at, t.revoked_at) <= now() - interval '90 days'$q$),
    ('buckets', 'rate_bucket', $q$t.empty_at <= now() - interval '1 day'$q$),
    ('snapshots', 'snapshot', $q$exists (select from public.maintenance_run r where r.tenant_id = t.tenant_id
      and r.id = t.run_id and r.finished_at <= now() - interval '7 days')$q$),
    ('pages', 'maintenance_step', $q$exists (select from public.maintenance_run r where r.tenant_id = t.tenant_id
      and r.id = t.run_id and r.finished_at <= now() - interval '90 days')$q$),
    ('changes', 'maintenance_change', $q$exists (select from public.maintenance_run r where r.tenant_id = t.tenant_id
      and r.id = t.run_id and r.finished_at <= now() - interval '90 days')$q$),
    ('runs', 'maintenance_run', $q$t.finished_at <= now() - interval '400 days'$q$),
    ('health', 'health_day', $q$t.day < current_date - 366 and exists (select from public.health_day l
      where l.tenant_id = t.tenant_id and l.day > t.day and date_trunc('week', l.day) = date_trunc('week', t.day)
        and (l.scope, l.owner_id, l.project_id, l.group_id) is not distinct from (t.scope, t.owner_id, t.project_id, t.group_id))$q$)
  ) as r (kind, name, due) where r.kind = p_kind;
  if v_table is null then
    raise exception 'nothing of the kind % is purged', p_kind;
  end if;
  if p_dry then
    execute format('select count(*)::integer from public.%I t where t.tenant_id = $1 and (%s)', v_table, v_due)
      into v_count using public.current_tenant();
    return v_count;
  end if;
  execute format(case p_kind
      when 'questions' then 'update public.%1$I set question = null where tenant_id = $1 and ctid = any (array(%2$s))'
      else 'delete from public.%1$I where tenant_id = $1 and ctid = any (array(%2$s))' end,
    v_table, format('select t.ctid from public.%I t where t.tenant_id = $1 and (%s) limit $2 for update skip locked',
      v_table, v_due))
    using public.current_tenant(), least(greatest(p_limit, 1), 1000);
  get diagnostics v_count = row_count;
  return v_count;
end $$;

-- squawk-ignore ban-drop-constraint
alter table data_export drop constraint data_export_section_check;
alter table data_export add constraint data_export_section_check
  check (section in ('memories', 'revisions', 'votes', 'questions', 'turns', 'done')) not valid;
-- squawk-ignore ban-drop-constraint
alter table export_part drop constraint export_part_file_check;
alter table export_part add constraint export_part_file_check check (file in ('memories.jsonl', 'memories.md', 'revisions.jsonl',
  'votes.jsonl', 'questions.jsonl', 'turns.jsonl')) not valid;

-- What people say to their clients is typed, like what they capture: that it names somebody is theirs. All else as before.
create or replace function erasing_search() returns table (place integer, name text, columns integer, is_typed boolean, ids text, words text)
language sql stable security definer set search_path = '' as $$
  select (row_number() over (order by c.relname))::integer - 1, c.relname::text, count(*)::integer,
    c.relname in ('memory', 'revision', 'proposal', 'retrieval', 'vote', 'proof', 'recall_rule', 'setting', 'project', 'project_group',
      'turn'),
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

do $$
declare
  r record;
begin
  for r in select * from (values ('turn_bytes(text, text, jsonb)', 'mem_app, mem_definer'), ('note_turn_usage()', 'mem_definer')) f (name, roles)
  loop
    execute format('alter function %s owner to mem_definer', r.name);
    execute format('revoke execute on function %s from public', r.name);
    execute format('grant execute on function %s to %s', r.name, r.roles);
  end loop;
end $$;
