-- Loans that need not wait for the night (docs/design.md, "Propagation"): of a memory that was captured, merged into or
-- embedded, from what is proved around it; and of what lies around a memory that was voted helpful. The rules are those of
-- borrowAtOnce in libs/core/src/propagation.ts; a test compares the two. Nobody names an amount: whoever may write memories
-- or votes can ask for these loans, and the database works out what they are. It only raises; falls wait for the night.

-- A number that the tenant has set and the rules know, else the default. The defaults are those of libs/core/src/settings.ts.
create function tenant_number(p_tenant uuid, p_key text, p_default double precision, p_min double precision,
  p_max double precision)
returns double precision language sql stable set search_path = '' as $$
  select coalesce((
    select (s.value #>> '{}')::double precision from public.setting s
    where s.tenant_id = p_tenant and s.project_id is null and s.key = p_key
      and case when jsonb_typeof(s.value) = 'number'
        then (s.value #>> '{}')::double precision between p_min and p_max else false end), p_default)
$$;
alter function tenant_number(uuid, text, double precision, double precision, double precision) owner to mem_definer;

-- Who lies around some memories, within one audience: neighbours from whichever end they were drawn, and session mates. Of a
-- session the hundred nearest in time: an import can hold thousands, and a vote must not wait for them; the night takes all.
create function lending_circle(p_tenant uuid, p_memories uuid[])
returns table (memory_id uuid, other_id uuid, weight double precision)
language sql stable set search_path = '' as $$
  select m.id, o.id, max(n.weight)
  from public.memory m
    cross join lateral (
      select l.to_id as other, l.weight from public.link l
        where l.tenant_id = m.tenant_id and l.from_id = m.id and l.kind = 'neighbour'
      union all
      select l.from_id, l.weight from public.link l
        where l.tenant_id = m.tenant_id and l.to_id = m.id and l.kind = 'neighbour'
      union all
      (select s.id, 0.9 from public.memory s
        where s.tenant_id = m.tenant_id and s.session_id = m.session_id and s.id <> m.id and s.state = 'active'
        order by abs(extract(epoch from s.ended_at - m.ended_at)), s.id limit 100)
    ) n
    join public.memory o on o.tenant_id = m.tenant_id and o.id = n.other and o.state = 'active' and o.scope = m.scope
      and case m.scope when 'private' then o.owner_id = m.owner_id when 'project' then o.project_id = m.project_id
        when 'group' then o.group_id = m.group_id else true end
  where m.tenant_id = p_tenant and m.id = any (p_memories) and m.state = 'active'
  group by m.id, o.id
$$;
alter function lending_circle(uuid, uuid[]) owner to mem_definer;

-- What some memories lend, of their own earnings alone, times gamma: x(e + credit)·f of those that are sources. Days are
-- those of two dates in the tenant's time zone, as in the night's snapshot.
create function lending_sources(p_tenant uuid, p_memories uuid[], p_at timestamptz)
returns table (memory_id uuid, amount double precision)
language sql stable set search_path = '' as $$
  select s.memory_id, g.gamma * greatest(0, 2 * least(1, s.evidence + s.credit) - 1)
    * (1 - case when m.pinned then 0 else case m.validity when 'forever' then 0 when 'language' then 0.001
        when 'domain' then 0.005 when 'project' then 0.01 when 'dependency' then 0.02 when 'workaround' then 0.05
        else g.none_rate end end)
      ^ greatest(0, (p_at at time zone g.time_zone)::date - (s.last_useful_at at time zone g.time_zone)::date)
  from public.memory_stat s
    join public.memory m on m.tenant_id = s.tenant_id and m.id = s.memory_id and m.state = 'active'
    cross join (
      select t.time_zone,
        public.tenant_number(p_tenant, 'bellman.gamma', 0.9, 0, 1) as gamma,
        public.tenant_number(p_tenant, 'bellman.decay_rate', 0.01, 0, 0.5) as none_rate,
        public.tenant_number(p_tenant, 'bellman.propagation_threshold', 0.5, 0, 1) as threshold,
        public.tenant_number(p_tenant, 'bellman.max_propagation_depth', 2, 0, 10) as depth,
        public.tenant_number(p_tenant, 'storage.min_retrievals', 2, 0, 1000) as min_retrievals
      from public.tenant t where t.id = p_tenant
    ) g
  where s.tenant_id = p_tenant and s.memory_id = any (p_memories)
    and g.depth >= 1 and s.evidence > g.threshold and s.asked_retrievals >= g.min_retrievals
    and case when m.scope = 'private' then s.helpful_voters else s.helpful_others end >= 1
$$;
alter function lending_sources(uuid, uuid[], timestamptz) owner to mem_definer;

-- Raises p and q of memories to what is offered. Who lends most is named: the new source only where q rises by it.
create function raise_loans(p_tenant uuid, p_memories uuid[], p_sources uuid[], p_amounts double precision[])
returns void language sql set search_path = '' as $$
  update public.memory_stat s set propagated = greatest(s.propagated, o.amount), reached = greatest(s.reached, o.amount),
    lent = least(greatest(s.propagated, o.amount), greatest(s.reached, o.amount)),
    lent_from = case when o.amount > s.reached or s.lent_from is null then o.source else s.lent_from end
  from (
    select distinct on (u.memory) u.memory, u.source, u.amount
    from unnest(p_memories, p_sources, p_amounts) as u (memory, source, amount)
    order by u.memory, u.amount desc, u.source
  ) o
  where s.tenant_id = p_tenant and s.memory_id = o.memory and o.amount >= 0.001
    and (s.propagated < o.amount or s.reached < o.amount)
$$;
alter function raise_loans(uuid, uuid[], uuid[], double precision[]) owner to mem_definer;

-- Before a ballot: the scores it may change, those of the memories and of what lies around them, in one order for everybody.
-- Two people who vote on neighbours would else each hold what the other waits for. Only of what was shown to the caller.
create function hold_lending(p_memories uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_shown uuid[];
begin
  select array_agg(distinct h.memory_id) into v_shown
  from public.retrieval_hit h
    join public.retrieval r on r.tenant_id = h.tenant_id and r.id = h.retrieval_id and r.user_id = public.uid()
  where h.tenant_id = public.current_tenant() and h.memory_id = any (p_memories);
  perform from public.memory_stat s
    where s.tenant_id = public.current_tenant() and s.memory_id in (
      select unnest(v_shown) union select c.other_id from public.lending_circle(public.current_tenant(), v_shown) c)
    order by s.memory_id for update;
end $$;
alter function hold_lending(uuid[]) owner to mem_definer;

-- After a ballot: what lies around the memories that the caller, who is not their author, has found helpful.
create function lend_at_once(p_memories uuid[], p_at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_tenant uuid := public.current_tenant();
  v_praised uuid[];
begin
  select array_agg(m.id) into v_praised from public.memory m
    where m.tenant_id = v_tenant and m.id = any (p_memories)
      and (m.scope = 'private' or m.owner_id <> public.uid())
      and exists (select from public.vote v
        where v.tenant_id = v_tenant and v.memory_id = m.id and v.user_id = public.uid() and v.helpful);
  perform public.raise_loans(v_tenant, array_agg(c.other_id), array_agg(c.memory_id), array_agg(c.weight * s.amount))
    from public.lending_sources(v_tenant, v_praised, p_at) s
      join public.lending_circle(v_tenant, v_praised) c on c.memory_id = s.memory_id;
end $$;
alter function lend_at_once(uuid[], timestamptz) owner to mem_definer;

-- What lies around one memory lends it what it has earned itself; nobody else's score is touched or waited for.
create function borrow_at_once(p_memory uuid, p_at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_tenant uuid := public.current_tenant();
  v_around uuid[];
begin
  select array_agg(c.other_id) into v_around from public.lending_circle(v_tenant, array[p_memory]) c;
  perform public.raise_loans(v_tenant, array_agg(p_memory), array_agg(s.memory_id), array_agg(c.weight * s.amount))
    from public.lending_sources(v_tenant, v_around, p_at) s
      join public.lending_circle(v_tenant, array[p_memory]) c on c.other_id = s.memory_id;
end $$;
alter function borrow_at_once(uuid, timestamptz) owner to mem_definer;

grant execute on function hold_lending(uuid[]), lend_at_once(uuid[], timestamptz) to mem_app;
grant execute on function borrow_at_once(uuid, timestamptz) to mem_app, mem_text;

-- What was lent within one audience does not go along to another: neither the amount nor who lent it.
create function return_loans() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.memory_stat s
    set propagated = 0, reached = 0, lent = 0, lent_from = null, propagated_on = null
    where s.tenant_id = new.tenant_id and s.memory_id = new.id;
  return null;
end $$;
alter function return_loans() owner to mem_definer;
create trigger return_loans after update on memory for each row
  when ((new.scope, new.owner_id, new.project_id, new.group_id)
    is distinct from (old.scope, old.owner_id, old.project_id, old.group_id))
  execute function return_loans();
