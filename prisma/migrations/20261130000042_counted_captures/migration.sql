-- A capture is a new memory, or the next revision of one that it repeats; the first text of a memory is no row of revision.

create or replace function note_memory_usage() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    insert into public.usage_change (tenant_id, transaction_id, user_id, memories, bytes, captures, private_captures)
    select n.tenant_id, pg_current_xact_id()::text::bigint, n.owner_id, count(*) filter (where n.state = 'active'),
      sum(public.memory_bytes(n.title, n.text, n.tags, n.files_modified, n.errors_resolved, n.alternatives)),
      count(*) filter (where n.scope <> 'private'), count(*) filter (where n.scope = 'private')
    from added n group by n.tenant_id, n.owner_id;
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

create or replace function note_revision_usage() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    -- The text that a capture replaced: who merged captured. Edits are no captures.
    insert into public.usage_change (tenant_id, transaction_id, user_id, bytes, captures, private_captures)
    select n.tenant_id, pg_current_xact_id()::text::bigint, n.author_id,
      sum(octet_length(n.title)::bigint + octet_length(n.text)),
      count(*) filter (where n.reason = 'merged' and m.scope <> 'private'),
      count(*) filter (where n.reason = 'merged' and m.scope = 'private')
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
