-- What the service refused and the database let pass: an admin ends no login of an owner, a departure gives nothing to who
-- could not have captured it, and an archived project takes in neither owners nor groups.

-- ── Ranks ───────────────────────────────────────────────────────────────────────────────────────────────────────────

-- Logins, machines' tokens, linked sign-ins and invitations are ended by their person and by who has no lower a role: an
-- admin could lock the owner out for good, who alone can make a code to log in with.
do $$
declare
  r record;
  v_rank text;
begin
  for r in select * from (values ('login_session'), ('access_token'), ('login_identity')) as v (name) loop
    v_rank := format($p$(user_id = (select uid()) or (select my_tenant_role()) = 'owner'
      or (select my_tenant_role()) = 'admin' and exists (select from app_user u
        where u.tenant_id = %I.tenant_id and u.id = user_id and u.role <> 'owner'))$p$, r.name);
    if r.name = 'login_identity' then
      execute 'alter policy app_remove on login_identity using (' || v_rank || ')';
    else
      execute format('alter policy app_change on %I using (revoked_at is null and %s) with check (%2$s)', r.name, v_rank);
    end if;
  end loop;
end $$;

-- An invitation has a role of its own; a code to log in with has that of its person.
alter policy app_change on invitation
  using (used_at is null and revoked_at is null and (invited_by = (select uid()) or (select my_tenant_role()) = 'owner'
    or (select my_tenant_role()) = 'admin' and role <> 'owner'))
  with check (used_at is null and (invited_by = (select uid()) or (select my_tenant_role()) = 'owner'
    or (select my_tenant_role()) = 'admin' and role <> 'owner'));

-- ── Transfers ───────────────────────────────────────────────────────────────────────────────────────────────────────

-- Gives a shared memory to someone who could have put it there: by its owner, or by an admin who sees it once the owner was
-- removed. What an admin does not see is handed over by the departure alone. Nothing changes hands in an archived project.
create or replace function transfer_memory(p_memory uuid, p_to uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  m public.memory;
  v_visible boolean;
  v_orphan boolean;
begin
  select * into m from public.memory x
    where x.tenant_id = public.current_tenant() and x.id = p_memory and x.scope <> 'private' for update;
  v_visible := public.is_member() and (m.scope = 'tenant' or m.scope = 'project' and m.project_id = any (public.my_projects())
    or m.scope = 'group' and m.group_id = any (public.my_groups()));
  if m.id is null or not coalesce(v_visible, false) then
    raise exception using errcode = 'TM075', message = 'no such memory';
  end if;
  v_orphan := public.is_tenant_admin() and exists (select from public.app_user u
    where u.tenant_id = m.tenant_id and u.id = m.owner_id and u.status = 'removed');
  if not v_orphan and m.owner_id <> public.uid() then
    raise exception using errcode = 'TM076', message = 'only its owner moves a memory';
  end if;
  if not public.may_keep_there(p_to, m.scope, m.project_id, m.group_id) then
    raise exception using errcode = 'TM079', message = 'that person could not have captured it there';
  end if;
  if exists (select from public.project p
    where p.tenant_id = m.tenant_id and p.id = m.project_id and p.archived_at is not null) then
    raise exception using errcode = 'TM020', message = 'the project is archived';
  end if;
  update public.memory x set owner_id = p_to, updated_at = now()
    where x.tenant_id = m.tenant_id and x.id = m.id and x.owner_id <> p_to;
end $$;

-- No program called it, and it gave away without a record of the departure.
drop function transfer_memories(uuid, uuid);

-- ── Departures ──────────────────────────────────────────────────────────────────────────────────────────────────────

-- As before, but that only who could have captured a memory where it is shared is given it (else it would belong to
-- somebody who does not see it, and stays under the leaver's name), and nothing happens to what a person has who is here.
create or replace function settle_departure(p_user uuid, p_limit integer) returns table (settled integer, finished boolean)
language plpgsql security definer set search_path = '' as $$
declare
  v public.departure;
  v_done integer := 0;
  v_limit integer := least(greatest(p_limit, 1), 1000);
begin
  select d.* into v from public.departure d
    where d.tenant_id = public.current_tenant() and d.user_id = p_user and d.finished_at is null
      and exists (select from public.app_user u where u.tenant_id = d.tenant_id and u.id = d.user_id and u.status = 'removed')
    for update;
  if not found then
    return query select 0, true;
    return;
  end if;
  if v.choice = 'transfer' and v.to_user_id is not null then
    update public.memory m set owner_id = v.to_user_id, updated_at = now() where m.tenant_id = v.tenant_id and m.id in (
      select x.id from public.memory x where x.tenant_id = v.tenant_id and x.owner_id = v.user_id and x.scope <> 'private'
        and public.may_keep_there(v.to_user_id, x.scope, x.project_id, x.group_id)
      order by x.id limit v_limit);
    get diagnostics v_done = row_count;
  elsif v.choice = 'archive' then
    update public.memory m set state = 'archived', updated_at = now() where m.tenant_id = v.tenant_id and m.id in (
      select x.id from public.memory x where x.tenant_id = v.tenant_id and x.owner_id = v.user_id and x.scope <> 'private'
        and x.state = 'active' order by x.id limit v_limit);
    get diagnostics v_done = row_count;
  end if;
  update public.departure d set settled = d.settled + v_done,
    finished_at = case when v_done < v_limit then now() end
    where d.tenant_id = v.tenant_id and d.user_id = v.user_id;
  return query select v_done, v_done < v_limit;
end $$;

create or replace function list_departures() returns table (tenant_id uuid, user_id uuid)
language sql stable security definer set search_path = '' as $$
  select d.tenant_id, d.user_id from public.departure d
    join public.tenant t on t.id = d.tenant_id and t.status = 'active'
    join public.app_user u on u.tenant_id = d.tenant_id and u.id = d.user_id and u.status = 'removed'
  where d.finished_at is null order by d.requested_at limit 50
$$;

-- How many shared memories bear the name of someone who was removed: a number, for admins, who are told it of people here too.
create function left_behind(p_user uuid) returns integer
language sql stable security definer set search_path = '' as $$
  select count(*)::integer from public.memory m join public.app_user u on u.tenant_id = m.tenant_id and u.id = m.owner_id
  where m.tenant_id = public.current_tenant() and public.is_tenant_admin() and m.owner_id = p_user and m.scope <> 'private'
    and u.status = 'removed'
$$;
alter function left_behind(uuid) owner to mem_definer;
grant execute on function left_behind(uuid) to mem_app;

-- ── Archived projects ───────────────────────────────────────────────────────────────────────────────────────────────

-- A group would show its members what is no longer anybody's concern, and take in what an archived project does not.
create trigger refuse_archived after insert on group_project for each row execute function refuse_archived_project();
