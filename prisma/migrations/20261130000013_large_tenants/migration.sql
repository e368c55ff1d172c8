-- Which tenants are so large that their vectors should lie in a partition of their own, and by which encoders. For the
-- operator's command alone (npm run tenant:partition), as the migrations' owner: FORCE shows that owner no rows.

create function vectors_of_tenants(p_least bigint)
returns table (tenant_id uuid, encoder text, dimensions integer, vectors bigint)
language sql stable security definer set search_path = '' as $$
  select e.tenant_id, e.encoder, public.vector_dims(e.vector), count(*)
  from public.embedding e group by 1, 2, 3 having count(*) >= p_least order by 4 desc, 1, 2
$$;
alter function vectors_of_tenants(bigint) owner to mem_definer;
grant execute on function vectors_of_tenants(bigint) to mem_owner;
