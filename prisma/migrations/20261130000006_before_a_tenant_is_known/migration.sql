-- What must run before a tenant is known, or across tenants: each a narrow function of mem_definer that answers with
-- ids. Secrets come in as SHA-256 hashes and never go out. Nobody may execute one unless granted here.

-- ── Sessions ────────────────────────────────────────────────────────────────────────────────────────────────────────

-- Run for each request: roles come from the database, not from the token. No row: the session is over, the user or the
-- tenant is gone. A generation is confirmed by the first use of an access token issued with it; the refresh token before
-- it is spent from then on.
create function check_session(p_tenant uuid, p_user uuid, p_session uuid, p_generation integer)
returns table (tenant_role text, session_kind text)
language plpgsql security definer set search_path = '' as $$
begin
  update public.login_session s
    set last_used_at = now(), confirmed_generation = greatest(s.confirmed_generation, p_generation)
    where s.tenant_id = p_tenant and s.id = p_session and s.user_id = p_user and s.revoked_at is null
      and s.expires_at > now() and p_generation between 0 and s.generation
      -- at most one write a minute, else every request of one session would queue for its row
      and (s.last_used_at < now() - interval '1 minute' or s.confirmed_generation < p_generation);
  return query
    select u.role, s.kind from public.login_session s
      join public.app_user u on u.tenant_id = s.tenant_id and u.id = s.user_id
      join public.tenant t on t.id = s.tenant_id
    where s.tenant_id = p_tenant and s.id = p_session and s.user_id = p_user
      and s.revoked_at is null and s.expires_at > now() and p_generation between 0 and s.generation
      and u.status = 'active' and t.status = 'active';
end $$;

-- key_id: the key that derives this token's child.
create function find_refresh(p_hash bytea)
returns table (tenant_id uuid, user_id uuid, session_id uuid, generation integer, key_id text)
language sql stable security definer set search_path = '' as $$
  select s.tenant_id, s.user_id, s.id, r.generation, r.hmac_key_id from public.refresh_token r
    join public.login_session s on s.tenant_id = r.tenant_id and s.id = r.session_id
  where r.token_hash = p_hash
$$;

-- One step of a refresh family. The child is a function of its parent (an HMAC the caller computes with the key that the
-- parent's row names), so twenty processes that refresh at once, or one whose answer was lost, all get the same child. A
-- parent stays good until its child is used; after that it can only be a copy in other hands, and the family dies.
-- p_key_id: the key that will derive the child's own child. status: rotated | repeated | reused | refused.
create function rotate_refresh(p_parent_hash bytea, p_child_hash bytea, p_key_id text, p_idle interval)
returns table (status text, tenant_id uuid, user_id uuid, session_id uuid, generation integer, tenant_role text)
language plpgsql security definer set search_path = '' as $$
declare
  v_parent public.refresh_token;
  v_session public.login_session;
  v_role text;
  v_status text;
begin
  select r.* into v_parent from public.refresh_token r where r.token_hash = p_parent_hash;
  if not found then
    return;
  end if;
  select s.* into v_session from public.login_session s
    where s.tenant_id = v_parent.tenant_id and s.id = v_parent.session_id for update;
  select u.role into v_role from public.app_user u join public.tenant t on t.id = u.tenant_id
    where u.tenant_id = v_session.tenant_id and u.id = v_session.user_id and u.status = 'active' and t.status = 'active';
  if v_session.revoked_at is not null or v_session.expires_at <= now() or v_role is null then
    v_status := 'refused';
  elsif v_parent.generation < v_session.generation - 1
    or v_parent.generation = v_session.generation - 1 and v_session.confirmed_generation >= v_session.generation then
    v_status := 'reused';
    update public.login_session s set revoked_at = now(), revoked_reason = 'refresh token reused'
      where s.tenant_id = v_session.tenant_id and s.id = v_session.id;
    perform public.append_audit(v_session.tenant_id, 'system', null, 'session.reuse', 'session', v_session.id,
      jsonb_build_object('generation', v_parent.generation));
  elsif v_parent.expires_at <= now() then
    v_status := 'refused';
  elsif v_parent.generation = v_session.generation - 1 then
    -- Another child than the one that stands was derived with a key that is not the row's: nobody could use it.
    select case when r.token_hash = p_child_hash then 'repeated' else 'refused' end into v_status
      from public.refresh_token r where r.tenant_id = v_session.tenant_id
      and r.session_id = v_session.id and r.generation = v_session.generation;
  else
    v_status := 'rotated';
    v_session.generation := v_session.generation + 1;
    insert into public.refresh_token (tenant_id, session_id, generation, token_hash, hmac_key_id, expires_at)
    values (v_session.tenant_id, v_session.id, v_session.generation, p_child_hash, p_key_id,
      least(now() + p_idle, v_session.expires_at));
    update public.login_session s set generation = v_session.generation, last_used_at = now(),
      confirmed_generation = greatest(s.confirmed_generation, v_parent.generation)
      where s.tenant_id = v_session.tenant_id and s.id = v_session.id;
  end if;
  return query select v_status, v_session.tenant_id, v_session.user_id, v_session.id, v_session.generation, v_role;
end $$;

create function find_pat(p_hash bytea)
returns table (tenant_id uuid, user_id uuid, session_id uuid, token_id uuid, scopes text[], tenant_role text)
language plpgsql security definer set search_path = '' as $$
begin
  update public.access_token a set last_used_at = now()
    where a.token_hash = p_hash and a.revoked_at is null and a.expires_at > now()
      and (a.last_used_at is null or a.last_used_at < now() - interval '1 minute');
  return query
    select a.tenant_id, a.user_id, a.session_id, a.id, a.scopes, u.role from public.access_token a
      join public.login_session s on s.tenant_id = a.tenant_id and s.id = a.session_id
      join public.app_user u on u.tenant_id = a.tenant_id and u.id = a.user_id
      join public.tenant t on t.id = a.tenant_id
    where a.token_hash = p_hash and a.revoked_at is null and a.expires_at > now()
      and s.revoked_at is null and s.expires_at > now() and u.status = 'active' and t.status = 'active';
end $$;

-- ── Invitations and tenants ─────────────────────────────────────────────────────────────────────────────────────────

create function find_invite(p_hash bytea) returns table (tenant_id uuid, invitation_id uuid)
language sql stable security definer set search_path = '' as $$
  select i.tenant_id, i.id from public.invitation i join public.tenant t on t.id = i.tenant_id
  where i.code_hash = p_hash and i.used_at is null and i.expires_at > now() and t.status = 'active'
$$;

-- Login by a one-time code: the user (new, or the one the code names), a membership where the code promises one, and the
-- session with the first of its refresh tokens, in one transaction. No row: the code is unknown, used or too old.
create function redeem_invite(p_hash bytea, p_client text, p_refresh_hash bytea, p_key_id text, p_idle interval,
  p_absolute interval)
returns table (tenant_id uuid, user_id uuid, session_id uuid, tenant_role text)
language plpgsql security definer set search_path = '' as $$
declare
  v_invite public.invitation;
  v_user public.app_user;
  v_session uuid;
begin
  select i.* into v_invite from public.invitation i join public.tenant t on t.id = i.tenant_id
    where i.code_hash = p_hash and i.used_at is null and i.expires_at > now() and t.status = 'active'
    for update of i;
  if not found then
    return;
  end if;
  if v_invite.user_id is null then
    insert into public.app_user (tenant_id, display_name, email, role)
      values (v_invite.tenant_id, v_invite.display_name, v_invite.email, v_invite.role) returning * into v_user;
  else
    select u.* into v_user from public.app_user u
      where u.tenant_id = v_invite.tenant_id and u.id = v_invite.user_id and u.status = 'active';
    if not found then
      return;
    end if;
  end if;
  if v_invite.project_id is not null then
    insert into public.membership (tenant_id, project_id, user_id, role)
      values (v_invite.tenant_id, v_invite.project_id, v_user.id, v_invite.project_role)
      on conflict do nothing;
  end if;
  update public.invitation i set used_at = now(), used_by = v_user.id
    where i.tenant_id = v_invite.tenant_id and i.id = v_invite.id;
  insert into public.login_session (tenant_id, user_id, kind, client, expires_at)
    values (v_invite.tenant_id, v_user.id, 'login', left(p_client, 200), now() + p_absolute) returning id into v_session;
  insert into public.refresh_token (tenant_id, session_id, generation, token_hash, hmac_key_id, expires_at)
    values (v_invite.tenant_id, v_session, 0, p_refresh_hash, p_key_id, now() + least(p_idle, p_absolute));
  perform public.append_audit(v_invite.tenant_id, 'user', v_user.id,
    case when v_invite.user_id is null then 'user.joined' else 'session.opened' end, 'invitation', v_invite.id,
    jsonb_build_object('session', v_session));
  return query select v_invite.tenant_id, v_user.id, v_session, v_user.role;
end $$;

-- A tenant comes with its owner's invitation, its nightly schedule, the word to the worker about it, and the head of its
-- audit chain.
create function create_tenant(p_operator uuid, p_name text, p_time_zone text, p_owner_name text, p_owner_email text,
  p_code_hash bytea, p_code_life interval)
returns table (tenant_id uuid, invitation_id uuid)
language plpgsql security definer set search_path = '' as $$
declare
  v_tenant uuid;
  v_invitation uuid;
begin
  if not exists (select from public.operator o where o.id = p_operator and o.disabled_at is null) then
    raise exception using errcode = '42501', message = 'permission denied for table tenant';
  end if;
  insert into public.tenant (name, time_zone) values (p_name, p_time_zone) returning id into v_tenant;
  insert into public.invitation (tenant_id, display_name, email, role, code_hash, expires_at)
    values (v_tenant, p_owner_name, p_owner_email, 'owner', p_code_hash, now() + p_code_life) returning id into v_invitation;
  insert into public.schedule (tenant_id, kind) values (v_tenant, 'nightly');
  insert into public.outbox (tenant_id, kind, subject_id) values (v_tenant, 'schedule.changed', v_tenant);
  perform public.append_audit(v_tenant, 'operator', p_operator, 'tenant.created', 'tenant', v_tenant, '{}');
  return query select v_tenant, v_invitation;
end $$;

create function list_active_tenants() returns table (tenant_id uuid, time_zone text)
language sql stable security definer set search_path = '' as $$
  select t.id, t.time_zone from public.tenant t where t.status = 'active' order by t.id
$$;

-- ── Outbox ──────────────────────────────────────────────────────────────────────────────────────────────────────────

-- Takes waiting rows of some kinds for a while: a row that is not completed by then waits again. Rows that another
-- process holds are skipped, so any number of processes may claim.
create function claim_outbox(p_kinds text[], p_limit integer, p_lease interval)
returns table (tenant_id uuid, id uuid, kind text, subject_id uuid, attempts integer)
language sql security definer set search_path = '' as $$
  update public.outbox o set attempts = o.attempts + 1, available_at = now() + p_lease
  from (
    select w.tenant_id, w.id from public.outbox w join public.tenant t on t.id = w.tenant_id
    where w.done_at is null and w.available_at <= now() and w.kind = any (p_kinds) and t.status = 'active'
    order by w.available_at, w.id limit least(greatest(p_limit, 0), 500)
    for update of w skip locked
  ) c
  where o.tenant_id = c.tenant_id and o.id = c.id
  returning o.tenant_id, o.id, o.kind, o.subject_id, o.attempts
$$;

-- Inside a tenant's door, in the transaction that did the work.
create function complete_outbox(p_id uuid) returns void
language sql security definer set search_path = '' as $$
  update public.outbox o set done_at = now(), last_error = null
    where o.tenant_id = public.current_tenant() and o.id = p_id
$$;

-- `p_error` is a code, never a text that could hold what people wrote.
create function postpone_outbox(p_id uuid, p_error text, p_delay interval) returns void
language sql security definer set search_path = '' as $$
  update public.outbox o set available_at = now() + p_delay, last_error = left(p_error, 100)
    where o.tenant_id = public.current_tenant() and o.id = p_id and o.done_at is null
$$;

-- ── Operators ───────────────────────────────────────────────────────────────────────────────────────────────────────

-- Called by `npm run operator-code` alone, as the migrations' owner, who may act as mem_definer.
create function create_operator_code(p_name text, p_hash bytea, p_life interval) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_operator uuid;
begin
  select o.id into v_operator from public.operator o
    where o.name = p_name and o.disabled_at is null order by o.created_at limit 1;
  if not found then
    insert into public.operator (name) values (p_name) returning id into v_operator;
  end if;
  insert into public.operator_code (operator_id, code_hash, expires_at) values (v_operator, p_hash, now() + p_life);
  return v_operator;
end $$;

-- Whether the migrate job of a new instance still has to show a first code.
create function has_operator() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.operator)
$$;

create function redeem_operator_code(p_hash bytea) returns table (operator_id uuid)
language sql security definer set search_path = '' as $$
  update public.operator_code c set used_at = now() from public.operator o
  where o.id = c.operator_id and o.disabled_at is null
    and c.code_hash = p_hash and c.used_at is null and c.expires_at > now()
  returning o.id
$$;

create function check_operator(p_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.operator o where o.id = p_id and o.disabled_at is null)
$$;

-- ── Owners and grants ───────────────────────────────────────────────────────────────────────────────────────────────

do $$
declare
  r record;
begin
  for r in
    select v.name::regprocedure as name, v.roles from (values
      ('check_session(uuid, uuid, uuid, integer)', 'mem_app'),
      ('find_refresh(bytea)', 'mem_app'),
      ('rotate_refresh(bytea, bytea, text, interval)', 'mem_app'),
      ('find_pat(bytea)', 'mem_app'),
      ('find_invite(bytea)', 'mem_app'),
      ('redeem_invite(bytea, text, bytea, text, interval, interval)', 'mem_app'),
      ('create_tenant(uuid, text, text, text, text, bytea, interval)', 'mem_operator'),
      ('list_active_tenants()', 'mem_worker, mem_text'),
      ('claim_outbox(text[], integer, interval)', 'mem_worker, mem_text'),
      ('complete_outbox(uuid)', 'mem_worker, mem_text'),
      ('postpone_outbox(uuid, text, interval)', 'mem_worker, mem_text'),
      ('redeem_operator_code(bytea)', 'mem_operator'),
      ('check_operator(uuid)', 'mem_operator')
    ) as v (name, roles)
  loop
    execute format('grant execute on function %s to %s', r.name, r.roles);
    execute format('alter function %s owner to mem_definer', r.name);
  end loop;
  alter function public.create_operator_code(text, bytea, interval) owner to mem_definer;
  alter function public.has_operator() owner to mem_definer;
end $$;
