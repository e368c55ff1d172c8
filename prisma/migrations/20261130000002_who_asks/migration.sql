-- Who asks, and what they belong to. Every policy calls these as `(select f())`, so that each runs once a query and not
-- once a row. They read tables that have policies of their own, so they run as mem_definer, which no one logs in as:
-- owned by the table owner they would end in "stack depth limit exceeded" as soon as the tables have rows.
--
-- A suspended tenant, a removed user, an empty or forged setting: each answers null here, and null opens nothing.

-- Postgres gives EXECUTE to everyone by default; here nobody gets it unasked, now or in later migrations.
alter default privileges revoke execute on functions from public;

-- The setting is '' and not null after a transaction that had it; hence nullif.
create function current_tenant() returns uuid
language sql stable security definer set search_path = '' as $$
  select t.id from public.tenant t
  where t.id = nullif(current_setting('app.tenant_id', true), '')::uuid and t.status = 'active'
$$;

create function uid() returns uuid
language sql stable security definer set search_path = '' as $$
  select u.id from public.app_user u join public.tenant t on t.id = u.tenant_id
  where u.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid
    and u.id = nullif(current_setting('app.user_id', true), '')::uuid
    and u.status = 'active' and t.status = 'active'
$$;

create function is_member() returns boolean
language sql stable security definer set search_path = '' as $$
  select public.uid() is not null
$$;

create function my_tenant_role() returns text
language sql stable security definer set search_path = '' as $$
  select u.role from public.app_user u where u.tenant_id = public.current_tenant() and u.id = public.uid()
$$;

create function is_tenant_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(public.my_tenant_role() in ('owner', 'admin'), false)
$$;

create function my_projects() returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(m.project_id), '{}') from public.membership m
  where m.user_id = public.uid() and m.tenant_id = public.current_tenant()
$$;

-- A tenant's viewer reads, whatever a project calls him.
create function my_contributor_projects() returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(m.project_id), '{}') from public.membership m
  where m.user_id = public.uid() and m.tenant_id = public.current_tenant()
    and m.role in ('contributor', 'maintainer') and public.my_tenant_role() <> 'viewer'
$$;

create function my_maintained_projects() returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(m.project_id), '{}') from public.membership m
  where m.user_id = public.uid() and m.tenant_id = public.current_tenant()
    and m.role = 'maintainer' and public.my_tenant_role() <> 'viewer'
$$;

-- Names are for everyone in the tenant (an answer says who wrote it); e-mail and role are not.
create function display_names(p_ids uuid[]) returns table (id uuid, display_name text)
language sql stable security definer set search_path = '' as $$
  select u.id, u.display_name from public.app_user u
  where u.tenant_id = public.current_tenant() and public.is_member() and u.id = any (p_ids)
$$;

alter function current_tenant() owner to mem_definer;
alter function uid() owner to mem_definer;
alter function is_member() owner to mem_definer;
alter function my_tenant_role() owner to mem_definer;
alter function is_tenant_admin() owner to mem_definer;
alter function my_projects() owner to mem_definer;
alter function my_contributor_projects() owner to mem_definer;
alter function my_maintained_projects() owner to mem_definer;
alter function display_names(uuid[]) owner to mem_definer;
