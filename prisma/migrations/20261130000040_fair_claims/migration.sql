-- Claims go round the tenants: in order of time alone, a tenant that promised a hundred long texts would have everybody
-- else's promises wait behind them.

drop function claim_outbox(text[], integer, interval);

-- Takes waiting rows of some kinds for a while: a row that is not completed by then waits again. The oldest row of every
-- tenant comes before the second of any. Rows that another process holds are skipped, so any number of processes may claim.
-- `p_per_tenant` bounds the rows of one tenant, `p_except` leaves tenants out whose work is under way already.
create function claim_outbox(p_kinds text[], p_limit integer, p_lease interval, p_per_tenant integer default null,
  p_except uuid[] default '{}')
returns table (tenant_id uuid, id uuid, kind text, subject_id uuid, attempts integer)
language sql security definer set search_path = '' as $$
  -- From tenant to tenant along the index, so that it costs as much as tenants wait, not rows.
  with recursive waiting (tenant_id) as (
    (select w.tenant_id from public.outbox w where w.done_at is null order by w.tenant_id limit 1)
    union all
    select (select w.tenant_id from public.outbox w
      where w.done_at is null and w.tenant_id > waiting.tenant_id order by w.tenant_id limit 1)
    from waiting where waiting.tenant_id is not null
  )
  update public.outbox o set attempts = o.attempts + 1, available_at = now() + p_lease
  from (
    select c.tenant_id, c.id from waiting join public.tenant t on t.id = waiting.tenant_id
    cross join lateral (
      select l.tenant_id, l.id, l.available_at, row_number() over (order by l.available_at, l.id) as turn from (
        select w.tenant_id, w.id, w.available_at from public.outbox w
        where w.tenant_id = waiting.tenant_id and w.done_at is null and w.available_at <= now()
          and w.kind = any (p_kinds)
        order by w.available_at, w.id
        limit least(greatest(p_limit, 0), greatest(coalesce(p_per_tenant, 500), 0), 500)
        for update of w skip locked
      ) l
    ) c
    where t.status = 'active' and waiting.tenant_id <> all (p_except)
    order by c.turn, c.available_at, c.id limit least(greatest(p_limit, 0), 500)
  ) c
  where o.tenant_id = c.tenant_id and o.id = c.id
  returning o.tenant_id, o.id, o.kind, o.subject_id, o.attempts
$$;

grant execute on function claim_outbox(text[], integer, interval, integer, uuid[]) to mem_worker, mem_text;
alter function claim_outbox(text[], integer, interval, integer, uuid[]) owner to mem_definer;
