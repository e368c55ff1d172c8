-- Where a tenant has its health noted more often than weekly, the last note of each week and place is enough after a year. All else
-- as before.

create or replace function purge_rows(p_kind text, p_limit integer, p_dry boolean) returns integer
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
