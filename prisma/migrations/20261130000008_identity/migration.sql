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
grant execute on function session_access(uuid, uuid, uuid, integer) to mem_app;
alter function session_access(uuid, uuid, uuid, integer) owner to mem_definer;
