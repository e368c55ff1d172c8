-- A large tenant's partition is built beside the table while everybody goes on working, and takes its place in a moment.
-- For that the operator's command (npm run tenant:partition, as the migrations' owner) reads the vectors before it has the
-- table for itself; FORCE shows that owner no rows.

create function vectors_of_tenant(p_tenant uuid) returns setof embedding
language sql stable security definer set search_path = '' as $$
  select e.* from public.embedding e where e.tenant_id = p_tenant
$$;

-- Where each of them stood, and which transaction wrote it there: whatever changes has another place or writer.
create function vector_places(p_tenant uuid)
returns table (memory_id uuid, encoder text, part smallint, place tid, writer xid)
language sql stable security definer set search_path = '' as $$
  select e.memory_id, e.encoder, e.part, e.ctid, e.xmin from public.embedding e where e.tenant_id = p_tenant
$$;

alter function vectors_of_tenant(uuid) owner to mem_definer;
alter function vector_places(uuid) owner to mem_definer;
revoke execute on function vectors_of_tenant(uuid), vector_places(uuid) from public;
grant execute on function vectors_of_tenant(uuid), vector_places(uuid) to mem_owner;
