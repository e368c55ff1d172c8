-- What was drawn from a conversation: the worker writes it in its owner's name, the API makes memories of it as of every capture. It goes with the
-- conversation; the memories stay.

alter table conversation add column summary text;
alter table conversation add constraint conversation_summary_check check (length(summary) between 1 and 2000) not valid;
grant update (summary) on conversation to mem_app;

create table distilled_fact (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  conversation_id uuid not null,
  -- Of the kind and the words, so that a fact is written once however often its turns are read.
  key bytea not null check (octet_length(key) = 32),
  kind text not null check (kind in ('episode', 'preference', 'background', 'decision', 'todo', 'correction')),
  content text not null check (length(content) between 1 and 4000),
  -- When it was said and until when it holds, tags, quotations, and of episodes outcome, files and errors.
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object' and octet_length(details::text) <= 131072),
  status text not null default 'pending' check (status in ('pending', 'kept', 'refused')),
  -- Why it was refused: a code.
  reason text check (length(reason) between 1 and 60),
  memory_id uuid,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  primary key (tenant_id, id),
  check ((status = 'refused') = (reason is not null)),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade,
  foreign key (tenant_id, conversation_id) references conversation (tenant_id, id) on delete cascade,
  foreign key (tenant_id, memory_id) references memory (tenant_id, id) on delete set null (memory_id)
);
create unique index distilled_fact_key on distilled_fact (tenant_id, conversation_id, key);
create index distilled_fact_user on distilled_fact (tenant_id, user_id);
create index distilled_fact_memory on distilled_fact (tenant_id, memory_id) where memory_id is not null;

alter table distilled_fact enable row level security, force row level security;
create policy tenant_only on distilled_fact as restrictive to mem_app, mem_worker, mem_text
  using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()));
create policy app_read on distilled_fact for select to mem_app using (user_id = (select uid()));
create policy app_write on distilled_fact for insert to mem_app with check (user_id = (select uid()) and memory_id is null
  and exists (select from conversation c where c.tenant_id = distilled_fact.tenant_id and c.id = distilled_fact.conversation_id));
create policy app_change on distilled_fact for update to mem_app using (user_id = (select uid()))
  with check (user_id = (select uid()) and (memory_id is null
    or exists (select from memory m where m.tenant_id = distilled_fact.tenant_id and m.id = distilled_fact.memory_id)));
-- Whose facts wait, so that the API's loop can open them in that person's name; no word of them.
create policy text_select on distilled_fact for select to mem_text using ((select current_tenant()) is not null);
grant select on distilled_fact to mem_app, mem_backup;
grant insert (tenant_id, user_id, conversation_id, key, kind, content, details, status, reason, decided_at) on distilled_fact to mem_app;
grant update (status, reason, memory_id, decided_at) on distilled_fact to mem_app;
grant select (tenant_id, conversation_id, user_id, status) on distilled_fact to mem_text;
grant select, insert, update, delete on distilled_fact to mem_definer;

-- A wider one takes its place in the same transaction.
-- squawk-ignore ban-drop-constraint
alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check check (kind in ('memory.embed', 'maintenance.requested', 'schedule.changed',
  'memory.reembed', 'question.reembed', 'distil', 'distil.now', 'distilled')) not valid;
create policy app_write_distilled on outbox for insert to mem_app with check (kind in ('distil.now', 'distilled')
  and exists (select from conversation c where c.tenant_id = outbox.tenant_id and c.id = outbox.subject_id));

-- What was drawn from what people said is theirs as much as that: it may name somebody. All else as before.
create or replace function erasing_search() returns table (place integer, name text, columns integer, is_typed boolean, ids text, words text)
language sql stable security definer set search_path = '' as $$
  select (row_number() over (order by c.relname))::integer - 1, c.relname::text, count(*)::integer,
    c.relname in ('memory', 'revision', 'proposal', 'retrieval', 'vote', 'proof', 'recall_rule', 'setting', 'project', 'project_group',
      'turn', 'conversation', 'distilled_fact'),
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
