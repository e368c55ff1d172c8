-- Which encoder reads a tenant's texts, for each model of the catalogue: the one that it changed to last, else the standard
-- one. While a change is under way, vectors of the new encoder come to stand beside the old ones; nothing reads them before
-- the change has switched. Rows hold no person and no contents, and every door of the tenant may read them.

create table encoder_change (
  tenant_id uuid not null references tenant (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text not null, -- of the model
  from_encoder text not null,
  to_encoder text not null,
  -- What the card of the new encoder calls near: the worker has no cards of further encoders.
  edge double precision not null check (edge between -1 and 1),
  cluster double precision not null check (cluster between -1 and 1),
  -- Before the switch: memories, questions, switching. After it: linking, kept, dropping, completed.
  status text not null default 'memories' check (status in ('memories', 'questions', 'switching', 'linking', 'kept',
    'dropping', 'completed', 'cancelling', 'cancelled')),
  -- Where the present stage goes on.
  after uuid,
  -- How long the old vectors stay after the switch.
  keep_days integer not null default 7 check (keep_days between 0 and 90),
  -- What it waits for that only a person can give: the index of a tenant with a partition of its own.
  waits_for text check (waits_for = 'partition'),
  -- As counted when it switched: memories read anew, those that the new encoder could not read, votes whose question is
  -- known by its old vector alone.
  memories bigint not null default 0 check (memories >= 0),
  set_aside bigint not null default 0 check (set_aside >= 0),
  questions_lost bigint not null default 0 check (questions_lost >= 0),
  requested_at timestamptz not null default clock_timestamp(),
  touched_at timestamptz,
  switched_at timestamptz,
  keep_until timestamptz,
  finished_at timestamptz,
  primary key (tenant_id, id),
  check (from_encoder <> to_encoder),
  check ((switched_at is not null) = (status in ('linking', 'kept', 'dropping', 'completed')))
);
-- One change of a tenant at a time.
create unique index encoder_change_unfinished on encoder_change (tenant_id)
  where status in ('memories', 'questions', 'switching', 'linking', 'cancelling');

alter table encoder_change enable row level security, force row level security;
create policy tenant_only on encoder_change as restrictive to mem_app, mem_worker, mem_text
  using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()));
create policy app_read on encoder_change for select to mem_app using ((select is_member()));
create policy machine_read on encoder_change for select to mem_worker, mem_text
  using ((select current_tenant()) is not null);
grant select on encoder_change to mem_app, mem_worker, mem_text, mem_backup;
grant select, insert, update, delete on encoder_change to mem_definer;

-- {"active": {model: encoder}, "coming": encoder or null}; a model that never changed is not among the active. As the caller.
create function tenant_encoders(p_tenant uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'active', coalesce((select jsonb_object_agg(a.name, a.to_encoder) from (
        select distinct on (c.name) c.name, c.to_encoder from public.encoder_change c
        where c.tenant_id = p_tenant and c.switched_at is not null order by c.name, c.switched_at desc) a), '{}'),
    'coming', (select c.to_encoder from public.encoder_change c
      where c.tenant_id = p_tenant and c.status in ('memories', 'questions', 'switching')))
$$;

-- Encoders whose vectors stand beside those that count: of a change under way, or kept after one. As the caller.
create function encoders_beside(p_tenant uuid) returns text[]
language sql stable set search_path = '' as $$
  select coalesce(array_agg(distinct x.encoder), '{}')
  from public.encoder_change c cross join lateral (values (c.from_encoder), (c.to_encoder)) x (encoder)
  where c.tenant_id = p_tenant and x.encoder <> coalesce(
    (select s.to_encoder from public.encoder_change s
      where s.tenant_id = p_tenant and s.name = c.name and s.switched_at is not null order by s.switched_at desc limit 1),
    (select f.from_encoder from public.encoder_change f
      where f.tenant_id = p_tenant and f.name = c.name order by f.requested_at, f.id limit 1))
$$;

revoke execute on function tenant_encoders(uuid), encoders_beside(uuid) from public;
grant execute on function tenant_encoders(uuid), encoders_beside(uuid) to mem_app, mem_worker, mem_text, mem_definer;
