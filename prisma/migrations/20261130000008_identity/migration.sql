-- Identity: what machines may do, browsers, devices that ask to be let in, invitations taken back, and identities of
-- other providers.

-- ── Scopes of personal access tokens ────────────────────────────────────────────────────────────────────────────────

-- Tokens from before there were scopes could do all that their person could, and go on doing so until they expire. The
-- owner's policies are forced too, and without this the update would find no row and say nothing.
alter table access_token no force row level security;
update access_token set scopes = '{read,write,admin}' where scopes = '{}';
alter table access_token force row level security;
alter table access_token
  alter column scopes set default '{read,write}',
  add constraint access_token_scopes check (cardinality(scopes) > 0 and scopes <@ array['read', 'write', 'admin']);
create index access_token_session on access_token (tenant_id, session_id);

-- What check_session says, and the scopes of the token behind a machine's session: from the database at each request, so
-- that no signed text can widen them. null: a person logged in, and only his role bounds him.
create function session_access(p_tenant uuid, p_user uuid, p_session uuid, p_generation integer)
returns table (tenant_role text, session_kind text, scopes text[])
language sql security definer set search_path = '' as $$
  select c.tenant_role, c.session_kind, a.scopes
  from public.check_session(p_tenant, p_user, p_session, p_generation) c
    left join public.access_token a on c.session_kind = 'token' and a.tenant_id = p_tenant
      and a.session_id = p_session and a.revoked_at is null and a.expires_at > now()
  where c.session_kind = 'login' or c.session_kind = 'token' and a.id is not null
$$;

-- ── One-time codes, in a program and in a browser ───────────────────────────────────────────────────────────────────

-- A browser's session is short, carries no access token, and can be ended like any other.
alter table login_session drop constraint login_session_kind_check,
  add constraint login_session_kind_check check (kind in ('login', 'token', 'browser'));

-- The hash of the secret in a browser's cookie. Nobody has a policy: it is reached by functions alone.
create table browser_key (
  tenant_id uuid not null,
  session_id uuid not null,
  key_hash bytea not null,
  primary key (tenant_id, session_id),
  foreign key (tenant_id, session_id) references login_session (tenant_id, id) on delete cascade
);
create index browser_key_hash on browser_key (key_hash);

-- An invitation can be taken back, and stays so.
alter table invitation add column revoked_at timestamptz;
grant select (revoked_at), update (revoked_at) on invitation to mem_app;
drop policy app_change on invitation;
create policy app_change on invitation for update to mem_app
  using (used_at is null and revoked_at is null and (invited_by = (select uid()) or (select is_tenant_admin())))
  with check (used_at is null and (invited_by = (select uid()) or (select is_tenant_admin())));

create or replace function find_invite(p_hash bytea) returns table (tenant_id uuid, invitation_id uuid)
language sql stable security definer set search_path = '' as $$
  select i.tenant_id, i.id from public.invitation i join public.tenant t on t.id = i.tenant_id
  where i.code_hash = p_hash and i.used_at is null and i.revoked_at is null and i.expires_at > now()
    and t.status = 'active'
$$;

-- What a one-time code makes or names, before a session is opened with it. Not for any door.
create function redeem_code(p_hash bytea)
returns table (tenant_id uuid, user_id uuid, tenant_role text, invitation_id uuid, is_new boolean)
language plpgsql security definer set search_path = '' as $$
declare
  v_invite public.invitation;
  v_user public.app_user;
begin
  select i.* into v_invite from public.invitation i join public.tenant t on t.id = i.tenant_id
    where i.code_hash = p_hash and i.used_at is null and i.revoked_at is null and i.expires_at > now()
      and t.status = 'active'
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
  return query select v_invite.tenant_id, v_user.id, v_user.role, v_invite.id, v_invite.user_id is null;
end $$;

-- A login with the first of its refresh tokens. Not for any door.
create function start_login(p_tenant uuid, p_user uuid, p_client text, p_refresh_hash bytea, p_key_id text,
  p_idle interval, p_absolute interval) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_session uuid;
begin
  insert into public.login_session (tenant_id, user_id, kind, client, expires_at)
    values (p_tenant, p_user, 'login', left(p_client, 200), now() + p_absolute) returning id into v_session;
  insert into public.refresh_token (tenant_id, session_id, generation, token_hash, hmac_key_id, expires_at)
    values (p_tenant, v_session, 0, p_refresh_hash, p_key_id, now() + least(p_idle, p_absolute));
  return v_session;
end $$;

-- A browser's session. Not for any door.
create function start_browser(p_tenant uuid, p_user uuid, p_client text, p_key_hash bytea, p_life interval) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_session uuid;
begin
  insert into public.login_session (tenant_id, user_id, kind, client, expires_at)
    values (p_tenant, p_user, 'browser', left(p_client, 200), now() + p_life) returning id into v_session;
  insert into public.browser_key (tenant_id, session_id, key_hash) values (p_tenant, v_session, p_key_hash);
  return v_session;
end $$;

create or replace function redeem_invite(p_hash bytea, p_client text, p_refresh_hash bytea, p_key_id text, p_idle interval,
  p_absolute interval)
returns table (tenant_id uuid, user_id uuid, session_id uuid, tenant_role text)
language plpgsql security definer set search_path = '' as $$
declare
  v record;
  v_session uuid;
begin
  select c.* into v from public.redeem_code(p_hash) c;
  if not found then
    return;
  end if;
  v_session := public.start_login(v.tenant_id, v.user_id, p_client, p_refresh_hash, p_key_id, p_idle, p_absolute);
  perform public.append_audit(v.tenant_id, 'user', v.user_id,
    case when v.is_new then 'user.joined' else 'session.opened' end, 'invitation', v.invitation_id,
    jsonb_build_object('session', v_session));
  return query select v.tenant_id, v.user_id, v_session, v.tenant_role;
end $$;

-- The same in a browser. No row: the code is unknown, used or too old.
create function redeem_in_browser(p_hash bytea, p_client text, p_key_hash bytea, p_life interval)
returns table (tenant_id uuid, user_id uuid, session_id uuid)
language plpgsql security definer set search_path = '' as $$
declare
  v record;
  v_session uuid;
begin
  select c.* into v from public.redeem_code(p_hash) c;
  if not found then
    return;
  end if;
  v_session := public.start_browser(v.tenant_id, v.user_id, p_client, p_key_hash, p_life);
  perform public.append_audit(v.tenant_id, 'user', v.user_id,
    case when v.is_new then 'user.joined' else 'session.opened' end, 'invitation', v.invitation_id,
    jsonb_build_object('session', v_session));
  return query select v.tenant_id, v.user_id, v_session;
end $$;

-- Whose browser this is. No row: the session is over, the user or the tenant is gone.
create function find_browser(p_key_hash bytea) returns table (tenant_id uuid, user_id uuid, session_id uuid)
language sql stable security definer set search_path = '' as $$
  select s.tenant_id, s.user_id, s.id from public.browser_key k
    join public.login_session s on s.tenant_id = k.tenant_id and s.id = k.session_id
    join public.app_user u on u.tenant_id = s.tenant_id and u.id = s.user_id
    join public.tenant t on t.id = s.tenant_id
  where k.key_hash = p_key_hash and s.kind = 'browser' and s.revoked_at is null and s.expires_at > now()
    and u.status = 'active' and t.status = 'active'
$$;

-- ── Devices that ask to be let in (RFC 8628) ────────────────────────────────────────────────────────────────────────

-- Of no tenant until somebody approves it. Nobody has a policy: it is reached by functions alone. The user code is short,
-- so its hash is keyed; the key is not in the database.
create table device_code (
  id uuid primary key default gen_random_uuid(),
  device_hash bytea not null,
  user_hash bytea not null,
  client text not null check (length(client) <= 200),
  address text not null check (length(address) <= 100),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  interval_seconds integer not null default 5,
  polled_at timestamptz,
  tenant_id uuid,
  user_id uuid,
  approved boolean,
  used_at timestamptz,
  check ((approved is null) = (user_id is null) and (tenant_id is null) = (user_id is null)),
  check (used_at is null or approved),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);
create index device_code_device on device_code (device_hash);
create index device_code_user on device_code (user_hash);
create index device_code_address on device_code (address, expires_at);
create index device_code_expiry on device_code (expires_at);
create index device_code_person on device_code (tenant_id, user_id);

-- made | taken (the user code is another's just now) | full (so many from one address wait already, or from all).
create function create_device_code(p_device_hash bytea, p_user_hash bytea, p_client text, p_address text, p_life interval)
returns text
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.device_code d where d.id in (
    select o.id from public.device_code o where o.expires_at < now() - interval '1 day' limit 500);
  if (select count(*) from public.device_code d where d.address = p_address and d.expires_at > now()) >= 50
    or (select count(*) from public.device_code d where d.expires_at > now()) >= 100000 then
    return 'full';
  end if;
  if exists (select from public.device_code d where d.user_hash = p_user_hash and d.expires_at > now()) then
    return 'taken';
  end if;
  insert into public.device_code (device_hash, user_hash, client, address, expires_at)
    values (p_device_hash, p_user_hash, left(p_client, 200), p_address, now() + p_life);
  return 'made';
end $$;

-- A request that waits for an answer; several hashes, because the key that makes them changes now and then.
create function find_device_code(p_user_hashes bytea[])
returns table (id uuid, client text, address text, created_at timestamptz, expires_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select d.id, d.client, d.address, d.created_at, d.expires_at from public.device_code d
  where d.user_hash = any (p_user_hashes) and d.expires_at > now() and d.approved is null
$$;

-- Answers a request in the name of whoever the door was opened for. No row: nothing waits under this code.
create function approve_device_code(p_user_hashes bytea[], p_approve boolean) returns table (id uuid)
language plpgsql security definer set search_path = '' as $$
declare
  v_user uuid := public.uid();
  v_tenant uuid := public.current_tenant();
  v_id uuid;
begin
  if v_user is null then
    return;
  end if;
  update public.device_code d set approved = p_approve, tenant_id = v_tenant, user_id = v_user
    where d.user_hash = any (p_user_hashes) and d.expires_at > now() and d.approved is null
    returning d.id into v_id;
  if v_id is null then
    return;
  end if;
  perform public.append_audit(v_tenant, 'user', v_user,
    case when p_approve then 'device.approved' else 'device.denied' end, 'device', v_id, '{}');
  return query select v_id;
end $$;

-- One poll of a device. pending | slow_down (asked before its interval was over, which grows by 5 s) | denied | expired |
-- opened, once. No row: there is no such code, or it was used.
create function redeem_device_code(p_device_hash bytea, p_refresh_hash bytea, p_key_id text, p_idle interval,
  p_absolute interval)
returns table (status text, tenant_id uuid, user_id uuid, session_id uuid)
language plpgsql security definer set search_path = '' as $$
declare
  v public.device_code;
  v_status text;
  v_session uuid;
begin
  select d.* into v from public.device_code d where d.device_hash = p_device_hash for update;
  if not found or v.used_at is not null then
    return;
  end if;
  if v.expires_at <= now() then
    v_status := 'expired';
  elsif v.approved is null then
    -- Half a second is the network's.
    v_status := case when v.polled_at > now() - make_interval(secs => v.interval_seconds - 0.5) then 'slow_down'
      else 'pending' end;
    update public.device_code d set polled_at = now(),
      interval_seconds = d.interval_seconds + case v_status when 'slow_down' then 5 else 0 end where d.id = v.id;
  elsif not v.approved or not exists (select from public.app_user u join public.tenant t on t.id = u.tenant_id
      where u.tenant_id = v.tenant_id and u.id = v.user_id and u.status = 'active' and t.status = 'active') then
    v_status := 'denied';
  else
    v_status := 'opened';
    update public.device_code d set used_at = now() where d.id = v.id;
    v_session := public.start_login(v.tenant_id, v.user_id, v.client, p_refresh_hash, p_key_id, p_idle, p_absolute);
    perform public.append_audit(v.tenant_id, 'user', v.user_id, 'session.opened', 'device', v.id,
      jsonb_build_object('session', v_session));
    return query select v_status, v.tenant_id, v.user_id, v_session;
    return;
  end if;
  return query select v_status, null::uuid, null::uuid, null::uuid;
end $$;

-- ── Identities of other providers (OpenID Connect) ──────────────────────────────────────────────────────────────────

-- Somebody whom a provider knows by issuer and subject, as one user of a tenant. Never by an e-mail address: those are
-- given to whoever asks for them.
create table login_identity (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  issuer text not null check (length(issuer) between 1 and 500),
  subject text not null check (length(subject) between 1 and 255),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, issuer, subject),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);
-- Looked up before the tenant is known; not unique, one may belong to several tenants.
create index login_identity_subject on login_identity (issuer, subject);
create index login_identity_user on login_identity (tenant_id, user_id);

-- A way to a provider and back, once. Of no tenant; nobody has a policy. What the provider's answer is checked with is not
-- in it: that is derived from a secret in the browser's cookie.
create table oidc_flow (
  id uuid primary key default gen_random_uuid(),
  state_hash bytea not null,
  purpose text not null check (purpose in ('sign-in', 'invitation', 'link')),
  address text not null check (length(address) <= 100),
  code_hash bytea,
  tenant_id uuid,
  user_id uuid,
  session_id uuid,
  expires_at timestamptz not null,
  used_at timestamptz,
  check ((purpose = 'invitation') = (code_hash is not null)),
  check ((purpose = 'link') = (session_id is not null)),
  check ((session_id is null) = (tenant_id is null) and (session_id is null) = (user_id is null)),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade,
  foreign key (tenant_id, session_id) references login_session (tenant_id, id) on delete cascade
);
create index oidc_flow_state on oidc_flow (state_hash);
create index oidc_flow_address on oidc_flow (address, expires_at);
create index oidc_flow_expiry on oidc_flow (expires_at);
create index oidc_flow_person on oidc_flow (tenant_id, user_id);
create index oidc_flow_session on oidc_flow (tenant_id, session_id);

-- false: too many from one address, or from all, are on their way.
create function start_oidc_flow(p_state_hash bytea, p_purpose text, p_address text, p_code_hash bytea, p_tenant uuid,
  p_user uuid, p_session uuid, p_life interval) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.oidc_flow f where f.id in (
    select o.id from public.oidc_flow o where o.expires_at < now() - interval '1 day' limit 500);
  if (select count(*) from public.oidc_flow f where f.address = p_address and f.expires_at > now()) >= 200
    or (select count(*) from public.oidc_flow f where f.expires_at > now()) >= 100000 then
    return false;
  end if;
  insert into public.oidc_flow (state_hash, purpose, address, code_hash, tenant_id, user_id, session_id, expires_at)
    values (p_state_hash, p_purpose, p_address, p_code_hash, p_tenant, p_user, p_session, now() + p_life);
  return true;
end $$;

-- Ends a flow, once. No row: there is none, it was ended, or it took too long.
create function take_oidc_flow(p_state_hash bytea)
returns table (purpose text, code_hash bytea, tenant_id uuid, user_id uuid, session_id uuid)
language sql security definer set search_path = '' as $$
  update public.oidc_flow f set used_at = now()
  where f.state_hash = p_state_hash and f.used_at is null and f.expires_at > now()
  returning f.purpose, f.code_hash, f.tenant_id, f.user_id, f.session_id
$$;

-- The tenants in which somebody is known by this identity.
create function find_identities(p_issuer text, p_subject text) returns table (tenant_id uuid, tenant_name text)
language sql stable security definer set search_path = '' as $$
  select t.id, t.name from public.login_identity l
    join public.app_user u on u.tenant_id = l.tenant_id and u.id = l.user_id
    join public.tenant t on t.id = l.tenant_id
  where l.issuer = p_issuer and l.subject = p_subject and u.status = 'active' and t.status = 'active'
  order by t.name, t.id
$$;

-- A browser's session for whom a provider vouched. No row: nobody is known by this identity in the tenant.
create function open_by_identity(p_issuer text, p_subject text, p_tenant uuid, p_client text, p_key_hash bytea,
  p_life interval)
returns table (tenant_id uuid, user_id uuid, session_id uuid)
language plpgsql security definer set search_path = '' as $$
declare
  v public.login_identity;
  v_session uuid;
begin
  select l.* into v from public.login_identity l
    join public.app_user u on u.tenant_id = l.tenant_id and u.id = l.user_id
    join public.tenant t on t.id = l.tenant_id
    where l.issuer = p_issuer and l.subject = p_subject and l.tenant_id = p_tenant
      and u.status = 'active' and t.status = 'active';
  if not found then
    return;
  end if;
  update public.login_identity l set last_used_at = now() where l.tenant_id = v.tenant_id and l.id = v.id;
  v_session := public.start_browser(v.tenant_id, v.user_id, p_client, p_key_hash, p_life);
  perform public.append_audit(v.tenant_id, 'user', v.user_id, 'session.opened', 'identity', v.id,
    jsonb_build_object('session', v_session));
  return query select v.tenant_id, v.user_id, v_session;
end $$;

-- Redeems a one-time code and links the identity with the user it makes or names, both or neither: an identity that is
-- somebody's in this tenant already is a unique violation, and the code stays good. No row: the code is unknown, used or
-- too old.
create function redeem_with_identity(p_hash bytea, p_issuer text, p_subject text, p_client text, p_key_hash bytea,
  p_life interval)
returns table (tenant_id uuid, user_id uuid, session_id uuid)
language plpgsql security definer set search_path = '' as $$
declare
  v record;
  v_identity uuid;
  v_session uuid;
begin
  select c.* into v from public.redeem_code(p_hash) c;
  if not found then
    return;
  end if;
  insert into public.login_identity (tenant_id, user_id, issuer, subject, last_used_at)
    values (v.tenant_id, v.user_id, p_issuer, p_subject, now()) returning id into v_identity;
  v_session := public.start_browser(v.tenant_id, v.user_id, p_client, p_key_hash, p_life);
  perform public.append_audit(v.tenant_id, 'user', v.user_id,
    case when v.is_new then 'user.joined' else 'session.opened' end, 'invitation', v.invitation_id,
    jsonb_build_object('session', v_session));
  perform public.append_audit(v.tenant_id, 'user', v.user_id, 'identity.linked', 'identity', v_identity, '{}');
  return query select v.tenant_id, v.user_id, v_session;
end $$;

create policy app_read on login_identity for select to mem_app
  using (user_id = (select uid()) or (select is_tenant_admin()));
create policy app_write on login_identity for insert to mem_app with check (user_id = (select uid()));
create policy app_remove on login_identity for delete to mem_app
  using (user_id = (select uid()) or (select is_tenant_admin()));
grant select, delete on login_identity to mem_app;
grant insert (tenant_id, id, user_id, issuer, subject, created_at) on login_identity to mem_app;

-- ── Row-level security, owners and grants ───────────────────────────────────────────────────────────────────────────

do $$
declare
  r record;
begin
  for r in select unnest(array['browser_key', 'device_code', 'login_identity', 'oidc_flow']) as name loop
    execute format('alter table %I enable row level security, force row level security', r.name);
    execute format('grant select, insert, update, delete on %I to mem_definer', r.name);
    execute format('grant select on %I to mem_backup', r.name);
  end loop;
  for r in select unnest(array['browser_key', 'login_identity']) as name loop
    execute format('create policy tenant_only on %I as restrictive to mem_app, mem_worker, mem_text
      using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))', r.name);
  end loop;
  for r in
    select v.name::regprocedure as name, v.roles from (values
      ('session_access(uuid, uuid, uuid, integer)', 'mem_app'),
      ('redeem_code(bytea)', null),
      ('start_login(uuid, uuid, text, bytea, text, interval, interval)', null),
      ('start_browser(uuid, uuid, text, bytea, interval)', null),
      ('redeem_in_browser(bytea, text, bytea, interval)', 'mem_app'),
      ('find_browser(bytea)', 'mem_app'),
      ('create_device_code(bytea, bytea, text, text, interval)', 'mem_app'),
      ('find_device_code(bytea[])', 'mem_app'),
      ('approve_device_code(bytea[], boolean)', 'mem_app'),
      ('redeem_device_code(bytea, bytea, text, interval, interval)', 'mem_app'),
      ('start_oidc_flow(bytea, text, text, bytea, uuid, uuid, uuid, interval)', 'mem_app'),
      ('take_oidc_flow(bytea)', 'mem_app'),
      ('find_identities(text, text)', 'mem_app'),
      ('open_by_identity(text, text, uuid, text, bytea, interval)', 'mem_app'),
      ('redeem_with_identity(bytea, text, text, text, bytea, interval)', 'mem_app')
    ) as v (name, roles)
  loop
    if r.roles is not null then
      execute format('grant execute on function %s to %s', r.name, r.roles);
    end if;
    execute format('alter function %s owner to mem_definer', r.name);
  end loop;
end $$;
