-- The change of an encoder, from its start to the end of the old vectors. The worker moves it on, a batch at a time; texts are
-- read by the API, which has the encoders, for promises in the outbox that come after those of captures.

-- A wider one takes its place in the same transaction.
-- squawk-ignore ban-drop-constraint
alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check check (kind in ('memory.embed', 'maintenance.requested', 'schedule.changed',
  'memory.reembed', 'question.reembed')) not valid;

-- ── By an admin ─────────────────────────────────────────────────────────────────────────────────────────────────────

-- The id of the change; null where the tenant's encoder of this model is not `p_from` (any more). The unique index refuses a
-- second one while the first is under way. A change back needs what was kept: that is not dropped any more.
create function start_encoder_change(p_name text, p_from text, p_to text, p_edge double precision, p_cluster double precision,
  p_keep_days integer) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_tenant uuid := public.current_tenant();
  v_id uuid;
begin
  if not public.is_tenant_admin() then
    raise exception using errcode = '42501', message = 'permission denied for table encoder_change';
  end if;
  perform from public.tenant t where t.id = v_tenant for no key update;
  if coalesce(public.tenant_encoders(v_tenant) -> 'active' ->> p_name, p_from) <> p_from then
    return null;
  end if;
  insert into public.encoder_change (tenant_id, name, from_encoder, to_encoder, edge, cluster, keep_days)
    values (v_tenant, p_name, p_from, p_to, p_edge, p_cluster, p_keep_days) returning id into v_id;
  update public.encoder_change c set status = 'completed', finished_at = clock_timestamp()
    where c.tenant_id = v_tenant and c.status in ('kept', 'dropping') and c.from_encoder = p_to;
  perform public.audit_append('encoder.change-started', 'encoder_change', v_id,
    jsonb_build_object('from', p_from, 'to', p_to, 'keepDays', p_keep_days));
  return v_id;
end $$;

-- 'cancelled', 'missing', or 'switched': then only a change back helps.
create function cancel_encoder_change(p_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  v public.encoder_change;
begin
  if not public.is_tenant_admin() then
    raise exception using errcode = '42501', message = 'permission denied for table encoder_change';
  end if;
  select c.* into v from public.encoder_change c
    where c.tenant_id = public.current_tenant() and c.id = p_id for update;
  if not found then
    return 'missing';
  elsif v.switched_at is not null then
    return 'switched';
  elsif v.status in ('cancelling', 'cancelled') then
    return 'cancelled';
  end if;
  update public.encoder_change c set status = 'cancelling', after = null, touched_at = null, waits_for = null
    where c.tenant_id = v.tenant_id and c.id = v.id;
  perform public.audit_append('encoder.change-cancelled', 'encoder_change', v.id, '{}');
  return 'cancelled';
end $$;

-- How much there is to read, and how much of it is done: numbers over the whole tenant, for who administers it.
create function encoder_figures(p_from text, p_to text, p_since timestamptz)
returns table (memories bigint, done bigint, parts bigint, set_aside bigint, questions bigint, questions_done bigint,
  questions_lost bigint)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_tenant uuid := public.current_tenant();
begin
  if not public.is_tenant_admin() then
    raise exception using errcode = '42501', message = 'permission denied for table encoder_change';
  end if;
  return query
    select e.memories, e.done, e.parts,
      (select count(distinct o.subject_id) from public.outbox o where o.tenant_id = v_tenant and o.kind = 'memory.reembed'
        and o.done_at is not null and o.last_error is not null and o.created_at >= p_since),
      q.questions, q.done, q.lost
    from (
      select count(*) filter (where x.is_old) as memories, count(*) filter (where x.is_old and x.is_new) as done,
        coalesce(sum(x.parts), 0)::bigint as parts
      from (select bool_or(v.encoder = p_from) as is_old, bool_or(v.encoder = p_to) as is_new,
          count(*) filter (where v.encoder = p_from) as parts
        from public.embedding v where v.tenant_id = v_tenant and v.encoder in (p_from, p_to) group by v.memory_id) x
    ) e, (
      select count(*) filter (where x.is_old and x.has_words) as questions,
        count(*) filter (where x.is_old and x.is_new) as done,
        count(*) filter (where x.is_old and not x.is_new and not x.has_words) as lost
      from (select bool_or(v.encoder = p_from) as is_old, bool_or(v.encoder = p_to) as is_new,
          bool_or(r.question is not null) as has_words
        from public.vote_question v
          join public.retrieval r on r.tenant_id = v.tenant_id and r.id = v.retrieval_id
        where v.tenant_id = v_tenant and v.encoder in (p_from, p_to) group by v.retrieval_id) x
    ) q;
end $$;

-- ── By the API's loop, which reads ──────────────────────────────────────────────────────────────────────────────────

-- Holds the change under way until the transaction ends, so that it is not cancelled while vectors of it are stored. Null:
-- there is none.
create function hold_encoder_change() returns text
language sql security definer set search_path = '' as $$
  select c.to_encoder from public.encoder_change c
  where c.tenant_id = public.current_tenant() and c.status in ('memories', 'questions', 'switching') for share
$$;

-- The words of a question whose vector is to be made anew.
create function question_to_reembed(p_retrieval uuid) returns text
language sql stable security definer set search_path = '' as $$
  select r.question from public.retrieval r
  where r.tenant_id = public.current_tenant() and r.id = p_retrieval and exists (
    select from public.encoder_change c join public.vote_question v on v.tenant_id = c.tenant_id
      and v.retrieval_id = p_retrieval and v.encoder = c.from_encoder
    where c.tenant_id = r.tenant_id and c.status in ('memories', 'questions', 'switching'))
$$;

-- A question's vector for all its votes. What was voted stays as it is.
create function carry_question(p_retrieval uuid, p_vector public.halfvec) returns void
language sql security definer set search_path = '' as $$
  insert into public.vote_question (tenant_id, user_id, retrieval_id, memory_id, encoder, helpful, vector, created_at)
  select v.tenant_id, v.user_id, v.retrieval_id, v.memory_id, c.to_encoder, v.helpful, p_vector, v.created_at
  from public.encoder_change c join public.vote_question v on v.tenant_id = c.tenant_id and v.encoder = c.from_encoder
  where c.tenant_id = public.current_tenant() and c.status in ('memories', 'questions', 'switching')
    and v.retrieval_id = p_retrieval
  order by v.memory_id, v.user_id
  on conflict do nothing
$$;

-- What an encoder cannot read is not tried again; the reason stays with the promise. A code, as in postpone_outbox().
create function set_aside_outbox(p_id uuid, p_error text) returns void
language sql security definer set search_path = '' as $$
  update public.outbox o set done_at = now(), last_error = left(p_error, 100)
    where o.tenant_id = public.current_tenant() and o.id = p_id and o.done_at is null
$$;

-- ── By the worker, which moves it on ────────────────────────────────────────────────────────────────────────────────

-- Memories that have a vector of the old encoder and none of the new, and that nobody gave up; in order of id.
create function memories_to_reembed(p_change public.encoder_change, p_after uuid, p_limit integer) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select e.memory_id from public.embedding e
  where e.tenant_id = p_change.tenant_id and e.encoder = p_change.from_encoder
    and (p_after is null or e.memory_id > p_after)
    and not exists (select from public.embedding n where n.tenant_id = e.tenant_id and n.memory_id = e.memory_id
      and n.encoder = p_change.to_encoder)
    and not exists (select from public.outbox o where o.tenant_id = e.tenant_id and o.kind = 'memory.reembed'
      and o.subject_id = e.memory_id and o.done_at is not null and o.last_error is not null
      and o.created_at >= p_change.requested_at)
  group by e.memory_id order by e.memory_id limit p_limit
$$;

-- Questions of votes likewise, as far as their words are there still.
create function questions_to_reembed(p_change public.encoder_change, p_after uuid, p_limit integer) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select v.retrieval_id from public.vote_question v
    join public.retrieval r on r.tenant_id = v.tenant_id and r.id = v.retrieval_id and r.question is not null
  where v.tenant_id = p_change.tenant_id and v.encoder = p_change.from_encoder
    and (p_after is null or v.retrieval_id > p_after)
    and not exists (select from public.vote_question n where n.tenant_id = v.tenant_id
      and n.retrieval_id = v.retrieval_id and n.encoder = p_change.to_encoder)
    and not exists (select from public.outbox o where o.tenant_id = v.tenant_id and o.kind = 'question.reembed'
      and o.subject_id = v.retrieval_id and o.done_at is not null and o.last_error is not null
      and o.created_at >= p_change.requested_at)
  group by v.retrieval_id order by v.retrieval_id limit p_limit
$$;

-- Whether the tenant's own partition has an index for the old encoder and none that can be used for the new one. The names
-- are those of libs/platform/src/database/vector-index.ts.
create function lacks_index(p_change public.encoder_change) returns boolean
language sql stable security definer set search_path = '' as $$
  with named as (
    select e.encoder, to_regclass('public.hnsw_' || replace(p_change.tenant_id::text, '-', '') || '_'
      || left(encode(sha256(convert_to(e.encoder, 'UTF8')), 'hex'), 12)) as index
    from (values (p_change.from_encoder), (p_change.to_encoder)) e (encoder)
  )
  select exists (select from named n join pg_catalog.pg_index i on i.indexrelid = n.index and i.indisvalid
      where n.encoder = p_change.from_encoder)
    and not exists (select from named n join pg_catalog.pg_index i on i.indexrelid = n.index and i.indisvalid
      where n.encoder = p_change.to_encoder)
$$;

-- Promises the next batch of a stage: 'more' (look again at once), 'wait' (the loop has enough to do), 'done'.
create function promise_reembedding(p_change public.encoder_change, p_rows integer) returns text
language plpgsql security definer set search_path = '' as $$
declare
  v_kind text := case p_change.status when 'memories' then 'memory.reembed' else 'question.reembed' end;
  v_waiting integer;
  v_ids uuid[];
begin
  select count(*) into v_waiting from public.outbox o
    where o.tenant_id = p_change.tenant_id and o.kind = v_kind and o.done_at is null;
  if v_waiting >= p_rows then
    return 'wait';
  end if;
  if p_change.status = 'memories' then
    select array_agg(i) into v_ids from public.memories_to_reembed(p_change, p_change.after, p_rows) i;
  else
    select array_agg(i) into v_ids from public.questions_to_reembed(p_change, p_change.after, p_rows) i;
  end if;
  if v_ids is null then
    if v_waiting > 0 then
      return 'wait';
    end if;
    -- From the beginning once more, until nothing is left: what was captured meanwhile has any id.
    update public.encoder_change c set after = null where c.tenant_id = p_change.tenant_id and c.id = p_change.id;
    return case when p_change.after is null then 'done' else 'more' end;
  end if;
  insert into public.outbox (tenant_id, kind, subject_id)
    select p_change.tenant_id, v_kind, i from unnest(v_ids) i
    where not exists (select from public.outbox o where o.tenant_id = p_change.tenant_id and o.kind = v_kind
      and o.subject_id = i and o.done_at is null);
  update public.encoder_change c set after = v_ids[array_upper(v_ids, 1)]
    where c.tenant_id = p_change.tenant_id and c.id = p_change.id;
  return 'more';
end $$;

-- Looks that nothing lacks its new vector, and makes the new encoder the one that counts: one transaction, so that each
-- search uses the one or the other.
create function switch_encoder(p_change public.encoder_change) returns text
language plpgsql security definer set search_path = '' as $$
declare
  v_aside uuid[];
  v_memories bigint;
  v_lost bigint;
  v_now timestamptz := clock_timestamp();
begin
  if exists (select from public.memories_to_reembed(p_change, null, 1))
    or exists (select from public.questions_to_reembed(p_change, null, 1)) then
    update public.encoder_change c set status = 'memories', after = null, waits_for = null
      where c.tenant_id = p_change.tenant_id and c.id = p_change.id;
    return 'more';
  elsif public.lacks_index(p_change) then
    update public.encoder_change c set waits_for = 'partition'
      where c.tenant_id = p_change.tenant_id and c.id = p_change.id;
    return 'wait';
  end if;
  select coalesce(array_agg(distinct o.subject_id), '{}') into v_aside from public.outbox o
    where o.tenant_id = p_change.tenant_id and o.kind = 'memory.reembed' and o.done_at is not null
      and o.last_error is not null and o.created_at >= p_change.requested_at
      and not exists (select from public.embedding n where n.tenant_id = o.tenant_id and n.memory_id = o.subject_id
        and n.encoder = p_change.to_encoder);
  select count(distinct e.memory_id) into v_memories from public.embedding e
    where e.tenant_id = p_change.tenant_id and e.encoder = p_change.to_encoder;
  select count(*) into v_lost from public.vote_question v
    where v.tenant_id = p_change.tenant_id and v.encoder = p_change.from_encoder and not exists (
      select from public.vote_question n where n.tenant_id = v.tenant_id and n.user_id = v.user_id
        and n.retrieval_id = v.retrieval_id and n.memory_id = v.memory_id and n.encoder = p_change.to_encoder);
  -- Their words find them from now on, and they are counted among those that no encoder could read.
  update public.memory m set embedding_state = 'failed'
    where m.tenant_id = p_change.tenant_id and m.id = any (v_aside) and m.embedding_state <> 'failed';
  update public.encoder_change c set status = 'linking', after = null, waits_for = null, switched_at = v_now,
      keep_until = v_now + make_interval(days => c.keep_days), memories = v_memories,
      set_aside = cardinality(v_aside), questions_lost = v_lost
    where c.tenant_id = p_change.tenant_id and c.id = p_change.id;
  perform public.append_audit(p_change.tenant_id, 'system', null, 'encoder.switched', 'encoder_change', p_change.id,
    jsonb_build_object('from', p_change.from_encoder, 'to', p_change.to_encoder, 'memories', v_memories,
      'setAside', cardinality(v_aside), 'questionsLost', v_lost));
  return 'more';
end $$;

-- Draws the neighbours of a page of memories anew, by the encoders that count, and weighs what else links them by the same:
-- weights of two encoders do not stand side by side. `p_encoders` and `p_edges`: each encoder with what its card calls near.
create function relink_memories(p_change public.encoder_change, p_ids uuid[], p_encoders text[], p_edges double precision[])
returns void
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.link l where l.tenant_id = p_change.tenant_id and l.from_id = any (p_ids) and l.kind = 'neighbour';
  insert into public.link (tenant_id, from_id, to_id, kind, weight)
  select p_change.tenant_id, i.id, n.id, 'neighbour', n.weight
  from unnest(p_ids) i (id)
    join public.memory m on m.tenant_id = p_change.tenant_id and m.id = i.id and m.state = 'active' and m.superseded_by is null
    cross join lateral (
      select o.memory_id as id, max(1 - (o.vector operator(public.<=>) v.vector)) as weight
      from public.embedding v
        join unnest(p_encoders, p_edges) x (encoder, edge) on x.encoder = v.encoder
        join public.embedding o on o.tenant_id = v.tenant_id and o.encoder = v.encoder and o.memory_id <> v.memory_id
          and o.scope = v.scope and case v.scope when 'private' then o.owner_id = v.owner_id
            when 'project' then o.project_id = v.project_id when 'group' then o.group_id = v.group_id else true end
        join public.memory p on p.tenant_id = o.tenant_id and p.id = o.memory_id and p.state = 'active'
          and p.superseded_by is null
      where v.tenant_id = m.tenant_id and v.memory_id = m.id
        and 1 - (o.vector operator(public.<=>) v.vector) >= x.edge
      group by o.memory_id order by weight desc, o.memory_id limit 10
    ) n
  order by i.id, n.id
  on conflict (tenant_id, from_id, to_id, kind) do update set weight = excluded.weight;
  update public.link l set weight = w.weight
  from (
    select k.from_id, k.to_id, max(1 - (a.vector operator(public.<=>) b.vector)) as weight
    from public.link k
      join public.embedding a on a.tenant_id = k.tenant_id and a.memory_id = k.from_id and a.encoder = any (p_encoders)
      join public.embedding b on b.tenant_id = k.tenant_id and b.memory_id = k.to_id and b.encoder = a.encoder
    where k.tenant_id = p_change.tenant_id and k.from_id = any (p_ids) and k.kind in ('near', 'conflict')
    group by k.from_id, k.to_id
  ) w
  where l.tenant_id = p_change.tenant_id and l.from_id = w.from_id and l.to_id = w.to_id and l.kind in ('near', 'conflict');
end $$;

-- Removes a batch of one encoder's vectors. How many went.
create function drop_vectors(p_tenant uuid, p_encoder text, p_rows integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  v_vectors integer;
  v_questions integer;
begin
  delete from public.embedding e using (
    select x.memory_id, x.part from public.embedding x
    where x.tenant_id = p_tenant and x.encoder = p_encoder order by x.memory_id, x.part limit p_rows) d
  where e.tenant_id = p_tenant and e.encoder = p_encoder and e.memory_id = d.memory_id and e.part = d.part;
  get diagnostics v_vectors = row_count;
  delete from public.vote_question v using (
    select x.user_id, x.retrieval_id, x.memory_id from public.vote_question x
    where x.tenant_id = p_tenant and x.encoder = p_encoder order by x.memory_id, x.user_id, x.retrieval_id limit p_rows) d
  where v.tenant_id = p_tenant and v.encoder = p_encoder and v.user_id = d.user_id and v.retrieval_id = d.retrieval_id
    and v.memory_id = d.memory_id;
  get diagnostics v_questions = row_count;
  return v_vectors + v_questions;
end $$;

-- The next batch of the tenant's change, whatever stage it is in: 'more', 'wait' or 'over'. A tenant that does not work has
-- none. `p_standard`: the standard encoders, and `p_edges` what their cards call near.
create function advance_encoder_change(p_rows integer, p_standard text[], p_edges double precision[]) returns text
language plpgsql security definer set search_path = '' as $$
declare
  v public.encoder_change;
  v_step text;
  v_ids uuid[];
  v_encoders text[];
  v_near double precision[];
begin
  select c.* into v from public.encoder_change c join public.tenant t on t.id = c.tenant_id and t.status = 'active'
    where c.tenant_id = public.current_tenant() and (c.status not in ('kept', 'completed', 'cancelled')
      or c.status = 'kept' and c.keep_until <= clock_timestamp())
    order by c.requested_at desc, c.id limit 1 for update of c;
  if not found then
    return 'over';
  end if;
  update public.encoder_change c set touched_at = clock_timestamp() where c.tenant_id = v.tenant_id and c.id = v.id;
  if v.status in ('memories', 'questions') then
    v_step := public.promise_reembedding(v, p_rows);
    if v_step <> 'done' then
      return v_step;
    end if;
    update public.encoder_change c set status = case v.status when 'memories' then 'questions' else 'switching' end
      where c.tenant_id = v.tenant_id and c.id = v.id;
  elsif v.status = 'switching' then
    return public.switch_encoder(v);
  elsif v.status = 'linking' then
    select array_agg(i.memory_id) into v_ids from (
      select e.memory_id from public.embedding e
      where e.tenant_id = v.tenant_id and e.encoder = v.to_encoder and (v.after is null or e.memory_id > v.after)
      group by e.memory_id order by e.memory_id limit p_rows) i;
    if v_ids is null then
      -- Whoever captured by the old encoder alone, in a transaction that was older than the change, is read like any text.
      insert into public.outbox (tenant_id, kind, subject_id)
        select v.tenant_id, 'memory.embed', i from public.memories_to_reembed(v, null, p_rows) i;
      update public.encoder_change c set status = 'kept', after = null where c.tenant_id = v.tenant_id and c.id = v.id;
      return 'more';
    end if;
    -- Of every model the encoder that counts now, with its edge.
    select array_agg(x.encoder), array_agg(x.edge) into v_encoders, v_near from (
      select distinct on (c.name) c.to_encoder as encoder, c.edge from public.encoder_change c
        where c.tenant_id = v.tenant_id and c.switched_at is not null order by c.name, c.switched_at desc) x;
    select v_encoders || coalesce(array_agg(s.encoder), '{}'), v_near || coalesce(array_agg(s.edge), '{}')
      into v_encoders, v_near from unnest(p_standard, p_edges) s (encoder, edge)
      where s.encoder <> all (v_encoders) and s.encoder <> all (public.encoders_beside(v.tenant_id));
    perform public.relink_memories(v, v_ids, v_encoders, v_near);
    update public.encoder_change c set after = v_ids[array_upper(v_ids, 1)] where c.tenant_id = v.tenant_id and c.id = v.id;
  elsif v.status = 'kept' then
    update public.encoder_change c set status = 'dropping' where c.tenant_id = v.tenant_id and c.id = v.id;
  elsif v.status = 'dropping' then
    if public.drop_vectors(v.tenant_id, v.from_encoder, p_rows) = 0 then
      update public.encoder_change c set status = 'completed', finished_at = clock_timestamp()
        where c.tenant_id = v.tenant_id and c.id = v.id;
    end if;
  elsif v.status = 'cancelling' then
    update public.outbox o set done_at = now() where o.tenant_id = v.tenant_id and o.done_at is null
      and o.kind in ('memory.reembed', 'question.reembed');
    if public.drop_vectors(v.tenant_id, v.to_encoder, p_rows) = 0 then
      update public.encoder_change c set status = 'cancelled', finished_at = clock_timestamp()
        where c.tenant_id = v.tenant_id and c.id = v.id;
    end if;
  end if;
  return 'more';
end $$;

-- Of tenants that work: changes that nobody has moved on for a while, or that have just been asked for.
create function list_wanted_encoder_changes(p_limit integer) returns table (tenant_id uuid)
language sql stable security definer set search_path = '' as $$
  select distinct c.tenant_id from public.encoder_change c join public.tenant t on t.id = c.tenant_id and t.status = 'active'
  where (c.status not in ('kept', 'completed', 'cancelled') or c.status = 'kept' and c.keep_until <= clock_timestamp())
    and coalesce(c.touched_at, '-infinity') < clock_timestamp() - interval '1 minute'
  limit least(greatest(p_limit, 1), 500)
$$;

-- ── Reading anew is nobody's capture: it takes nothing from what a tenant may have read in a day ──────────────────────
create or replace function note_embedding_usage() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.usage_change (tenant_id, transaction_id, user_id, embeddings, private_embeddings)
  select n.tenant_id, pg_current_xact_id()::text::bigint, n.owner_id, count(*) filter (where n.scope <> 'private'),
    count(*) filter (where n.scope = 'private')
  from added n
  where not exists (select from public.encoder_change c where c.tenant_id = n.tenant_id and c.to_encoder = n.encoder
    and c.status in ('memories', 'questions', 'switching'))
  group by n.tenant_id, n.owner_id;
  return null;
end $$;

do $$
declare
  r record;
begin
  for r in select * from (values
    ('start_encoder_change(text, text, text, double precision, double precision, integer)', 'mem_app'),
    ('cancel_encoder_change(uuid)', 'mem_app'), ('encoder_figures(text, text, timestamptz)', 'mem_app'),
    ('hold_encoder_change()', 'mem_text'), ('question_to_reembed(uuid)', 'mem_text'),
    ('carry_question(uuid, public.halfvec)', 'mem_text'), ('set_aside_outbox(uuid, text)', 'mem_text'),
    ('advance_encoder_change(integer, text[], double precision[])', 'mem_worker'),
    ('list_wanted_encoder_changes(integer)', 'mem_worker'),
    ('memories_to_reembed(public.encoder_change, uuid, integer)', 'mem_definer'),
    ('questions_to_reembed(public.encoder_change, uuid, integer)', 'mem_definer'),
    ('lacks_index(public.encoder_change)', 'mem_definer'),
    ('promise_reembedding(public.encoder_change, integer)', 'mem_definer'),
    ('switch_encoder(public.encoder_change)', 'mem_definer'),
    ('relink_memories(public.encoder_change, uuid[], text[], double precision[])', 'mem_definer'),
    ('drop_vectors(uuid, text, integer)', 'mem_definer')) f (name, role)
  loop
    execute format('alter function %s owner to mem_definer', r.name);
    execute format('revoke execute on function %s from public', r.name);
    execute format('grant execute on function %s to %I', r.name, r.role);
  end loop;
end $$;
