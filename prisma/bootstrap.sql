-- Run by a superuser once for each cluster and database (again does no harm): roles and extensions, which the migrations'
-- own login may not make. Passwords of the logins are set beside this, from the roles file.

do $$
declare
  r record;
begin
  for r in select * from (values
    ('mem_owner', 'nologin nosuperuser nobypassrls nocreaterole nocreatedb'),
    ('mem_definer', 'nologin nosuperuser bypassrls nocreaterole nocreatedb'),
    ('mem_backup', 'nologin nosuperuser bypassrls nocreaterole nocreatedb'),
    ('mem_migrator', 'login nosuperuser nobypassrls nocreaterole nocreatedb noinherit'),
    ('mem_app', 'login nosuperuser nobypassrls nocreaterole nocreatedb noinherit'),
    ('mem_worker', 'login nosuperuser nobypassrls nocreaterole nocreatedb noinherit'),
    ('mem_text', 'login nosuperuser nobypassrls nocreaterole nocreatedb noinherit'),
    ('mem_operator', 'login nosuperuser nobypassrls nocreaterole nocreatedb noinherit')
  ) as v (name, attributes)
  loop
    if not exists (select from pg_roles where rolname = r.name) then
      execute format('create role %I %s', r.name, r.attributes);
    end if;
  end loop;
  -- The migrator acts as the owner; the owner makes functions for mem_definer. No other login belongs to any role.
  if not pg_has_role('mem_migrator', 'mem_owner', 'member') then
    grant mem_owner to mem_migrator with inherit false, set true;
  end if;
  if not pg_has_role('mem_owner', 'mem_definer', 'member') then
    grant mem_definer to mem_owner with inherit true, set true;
  end if;
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to mem_migrator, mem_app, mem_worker, mem_text, mem_operator, mem_backup',
    current_database());
  execute format('grant create, temporary on database %I to mem_owner', current_database());
end $$;

create extension if not exists vector;
create extension if not exists pg_trgm;

revoke all on schema public from public;
grant usage on schema public to mem_app, mem_worker, mem_text, mem_operator, mem_backup, mem_migrator;
-- mem_definer needs CREATE to be given functions; nobody logs in as either.
grant usage, create on schema public to mem_owner, mem_definer;
