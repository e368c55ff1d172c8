-- What is kept no longer. The periods are here and not with who asks: a machine may erase what is due and nothing else.

-- What is due to be erased: forgotten 30 days ago; archived for as long as the tenant keeps that (storage.erase_archived_days,
-- unset: for ever), but what was merged, whose votes count in the survivor; and what a person who left 30 days ago kept private.
create function list_erasable(p_after uuid, p_limit integer, p_only uuid[] default null)
returns table (id uuid, reason text)
language sql stable security definer set search_path = '' as $$
  select distinct on (d.id) d.id, d.reason from (
    select m.id, 'forgotten' as reason from public.memory m
      where m.tenant_id = (select public.current_tenant()) and m.state = 'forgotten'
        and m.state_since <= now() - interval '30 days'
    union all
    select m.id, 'archived' from public.memory m
      left join public.setting p on p.tenant_id = m.tenant_id and p.project_id = m.project_id
        and p.key = 'storage.erase_archived_days'
      left join public.setting t on t.tenant_id = m.tenant_id and t.project_id is null
        and t.key = 'storage.erase_archived_days'
      where m.tenant_id = (select public.current_tenant()) and m.state = 'archived' and m.merged_into is null
        and m.state_since <= now() - make_interval(days => (coalesce(p.value, t.value) #>> '{}')::integer)
    union all
    select m.id, 'owner-left' from public.app_user u join public.memory m on m.tenant_id = u.tenant_id and m.owner_id = u.id
      where u.tenant_id = (select public.current_tenant()) and u.status = 'removed'
        and u.removed_at <= now() - interval '30 days' and m.scope = 'private'
  ) d
  where (p_after is null or d.id > p_after) and (p_only is null or d.id = any (p_only))
  order by d.id, d.reason limit least(greatest(p_limit, 0), 1000)
$$;

-- Erases what is due of some memories, and what points at them without a key: idempotency answers, promises, loans and
-- what was noted of merges. Everything else goes by its foreign key. @returns how many
create function erase_memories(p_ids uuid[]) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  v_tenant uuid := public.current_tenant();
  v_ids uuid[];
  v_receivers uuid[];
  v_said jsonb;
  v_words text[];
  v_into uuid[];
begin
  perform from public.memory m where m.tenant_id = v_tenant and m.id = any (p_ids) order by m.id for update;
  select coalesce(array_agg(e.id order by e.id), '{}') into v_ids from public.list_erasable(null, 1000, p_ids) e;
  if v_ids = '{}' then
    return 0;
  end if;
  select array_agg(distinct l.receiver_id) into v_receivers from public.credit_ledger l
    where l.tenant_id = v_tenant and l.success_id = any (v_ids) and l.receiver_id <> all (v_ids);
  select jsonb_build_object(
      'tags', (select coalesce(jsonb_agg(i), '[]') from public.memory m, unnest(m.tags) i
        where m.tenant_id = v_tenant and m.id = any (v_ids)),
      'filesModified', (select coalesce(jsonb_agg(i), '[]') from public.memory m, unnest(m.files_modified) i
        where m.tenant_id = v_tenant and m.id = any (v_ids)),
      'errorsResolved', (select coalesce(jsonb_agg(i), '[]') from public.memory m, jsonb_array_elements(m.errors_resolved) i
        where m.tenant_id = v_tenant and m.id = any (v_ids)),
      'alternatives', (select coalesce(jsonb_agg(i), '[]') from public.memory m, jsonb_array_elements(m.alternatives) i
        where m.tenant_id = v_tenant and m.id = any (v_ids))),
    (select coalesce(array_agg(distinct w), '{}') from public.memory m, unnest(tsvector_to_array(m.keywords)) w
      where m.tenant_id = v_tenant and m.id = any (v_ids))
    into v_said, v_words;
  with recursive up (id, depth) as (
    select unnest(v_ids), 0
    union
    select e.into_id, u.depth + 1 from up u join public.upkeep_effect e
      on e.tenant_id = v_tenant and e.memory_id = u.id and e.action = 'merged' and e.into_id is not null
    where u.depth < 50
  )
  select array_agg(distinct u.id) into v_into from up u where u.id <> all (v_ids);

  delete from public.memory m where m.tenant_id = v_tenant and m.id = any (v_ids);

  perform public.scrub_merges(v_tenant, v_into, v_said, v_words);
  update public.memory_stat s set lent_from = null where s.tenant_id = v_tenant and s.lent_from = any (v_ids);
  delete from public.outbox o where o.tenant_id = v_tenant and o.subject_id = any (v_ids);
  delete from public.idempotency_key k where k.tenant_id = v_tenant and exists (
    select from regexp_matches(k.response::text, '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}', 'g') g
    where g[1]::uuid = any (v_ids));
  update public.memory_stat s set credit = least(0.3, coalesce((select sum(l.amount order by l.success_id)
      from public.credit_ledger l where l.tenant_id = s.tenant_id and l.receiver_id = s.memory_id), 0))
    where s.tenant_id = v_tenant and s.memory_id = any (v_receivers);
  return cardinality(v_ids);
end $$;

-- What a memory was, without what only p_said and p_words had brought, and p_now has no more.
create function scrub_state(p_state jsonb, p_now jsonb, p_said jsonb, p_words text[]) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_object_agg(k, public.without_leaving(p_state -> k, p_said -> k, p_now -> k)), '{}')
    || jsonb_build_object('keywords', ts_delete((p_state ->> 'keywords')::tsvector, array(
      select w from unnest(p_words) w where w <> all (tsvector_to_array((p_now ->> 'keywords')::tsvector))))::text)
  from unnest(array['tags', 'filesModified', 'errorsResolved', 'alternatives']) k
$$;

-- What memories were before and after something was merged into them keeps nothing that only what is erased by now had said.
create function scrub_merges(p_tenant uuid, p_memories uuid[], p_said jsonb, p_words text[]) returns void
language sql security definer set search_path = '' as $$
  update public.upkeep_effect e set
    before = e.before || public.scrub_state(e.before, merge_state, p_said, p_words),
    after = e.after || public.scrub_state(e.after, merge_state, p_said, p_words)
  from (select m.id, public.merge_state(m) as merge_state from public.memory m
    where m.tenant_id = p_tenant and m.id = any (p_memories)) s
  where e.tenant_id = p_tenant and e.memory_id = s.id and e.action = 'joined'
$$;

-- Clears or deletes what is due of one kind of row. @returns how many: of a dry run all that are due, else at most p_limit
create function purge_rows(p_kind text, p_limit integer, p_dry boolean) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  v_table text;
  v_due text;
  v_count integer;
begin
  select r.name, r.due into v_table, v_due from (values
    ('questions', 'retrieval', $q$t.question is not null and t.created_at <= now() - interval '180 days'$q$),
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
    ('runs', 'maintenance_run', $q$t.finished_at <= now() - interval '400 days'$q$)
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

alter function list_erasable(uuid, integer, uuid[]) owner to mem_definer;
alter function erase_memories(uuid[]) owner to mem_definer;
alter function scrub_merges(uuid, uuid[], jsonb, text[]) owner to mem_definer;
alter function scrub_state(jsonb, jsonb, jsonb, text[]) owner to mem_definer;
alter function purge_rows(text, integer, boolean) owner to mem_definer;
revoke execute on function list_erasable(uuid, integer, uuid[]), erase_memories(uuid[]),
  scrub_merges(uuid, uuid[], jsonb, text[]), scrub_state(jsonb, jsonb, jsonb, text[]),
  purge_rows(text, integer, boolean) from public;
grant execute on function list_erasable(uuid, integer, uuid[]), erase_memories(uuid[]), purge_rows(text, integer, boolean)
  to mem_worker;
