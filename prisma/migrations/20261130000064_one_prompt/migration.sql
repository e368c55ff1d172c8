-- From which prompts of a session a memory was captured: parallel agents that work on one prompt say the same thing in other
-- words, and are one witness of one memory. Keys are the client's own, and say nothing here.

alter table proof add column prompts text[] not null default '{}' check (cardinality(prompts) <= 200);

-- As for a new proof: by whose session it is, of a memory of their own.
create policy app_change on proof for update to mem_app using (
    exists (select from work_session s where s.tenant_id = proof.tenant_id and s.id = proof.session_id)
    and exists (select from memory m where m.tenant_id = proof.tenant_id and m.id = proof.memory_id
      and m.owner_id = (select uid())))
  with check (
    exists (select from work_session s where s.tenant_id = proof.tenant_id and s.id = proof.session_id)
    and exists (select from memory m where m.tenant_id = proof.tenant_id and m.id = proof.memory_id
      and m.owner_id = (select uid())));
grant update (prompts) on proof to mem_app;
