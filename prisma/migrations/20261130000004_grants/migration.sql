-- What each role may touch at all, column by column. Never UPDATE on tenant_id, id or owner_id; nothing on partitions;
-- no TRUNCATE, no REFERENCES; secrets' hashes can be written and never read.

revoke all on all tables in schema public from public;

-- ── Every door ──────────────────────────────────────────────────────────────────────────────────────────────────────

grant execute on function current_tenant(), uid(), is_member(), my_tenant_role(), is_tenant_admin(), my_projects(),
  my_contributor_projects(), my_maintained_projects() to mem_app, mem_worker, mem_text;
grant execute on function display_names(uuid[]) to mem_app;

-- ── mem_app ─────────────────────────────────────────────────────────────────────────────────────────────────────────

grant select on tenant, app_user, project, project_remote, membership, login_session, work_session, memory, memory_stat,
  embedding, revision, link, idempotency_key, retrieval, retrieval_hit, vote, vote_question, maintenance_run,
  maintenance_step, schedule, audit to mem_app;
grant select (tenant_id, id, display_name, email, role, project_id, project_role, user_id, invited_by, created_at,
  expires_at, used_at, used_by) on invitation to mem_app;
grant select (tenant_id, id, user_id, session_id, name, token_prefix, scopes, created_at, expires_at, last_used_at,
  revoked_at) on access_token to mem_app;

grant insert on app_user, project, project_remote, membership, work_session, memory, embedding, revision, link,
  idempotency_key, retrieval, retrieval_hit, vote, vote_question, access_token, outbox to mem_app;
grant insert (tenant_id, id, display_name, email, role, project_id, project_role, user_id, code_hash, invited_by,
  created_at, expires_at) on invitation to mem_app;
grant insert (tenant_id, id, user_id, kind, client, created_at, last_used_at, expires_at) on login_session to mem_app;
grant insert (tenant_id, id, kind, run_date, requested_by, requested_at) on maintenance_run to mem_app;

grant update (name, time_zone) on tenant to mem_app;
grant update (display_name, email, role, status) on app_user to mem_app;
grant update (slug, name, archived_at) on project to mem_app;
grant update (role) on membership to mem_app;
grant update (expires_at) on invitation to mem_app;
grant update (revoked_at, revoked_reason) on login_session to mem_app;
grant update (revoked_at) on access_token to mem_app;
grant update (last_at) on work_session to mem_app;
grant update (project_id, scope, kind, title, text, language, task_type, outcome, tags, files_modified, errors_resolved,
  alternatives, validity, verification, pinned, expires_at, revision, proof_count, state, merged_into, superseded_by,
  valid_from, valid_to, ended_at, keywords, keyword_count, embedding_state, updated_at) on memory to mem_app;
grant update (response) on idempotency_key to mem_app;
grant update (helpful, note, revision, created_at) on vote to mem_app;
grant update (hour, minute, paused, updated_at) on schedule to mem_app;

grant delete on project, project_remote, membership, vote, vote_question to mem_app;

-- ── mem_worker: scores and states, never a word anyone wrote ────────────────────────────────────────────────────────

grant select on tenant, memory_stat, embedding, link, credit_ledger, snapshot, maintenance_run, maintenance_step,
  schedule, outbox to mem_worker;
grant select (tenant_id, id, owner_id, project_id, scope, kind, language, task_type, outcome, tags, files_modified,
  validity, verification, pinned, expires_at, session_id, source, revision, proof_count, state, merged_into,
  superseded_by, valid_from, valid_to, started_at, ended_at, keyword_count, embedding_state, created_at, updated_at)
  on memory to mem_worker;
grant select (tenant_id, user_id, retrieval_id, memory_id, helpful, revision, created_at) on vote to mem_worker;
grant insert on link, credit_ledger, snapshot, maintenance_step to mem_worker;
grant insert (tenant_id, id, kind, run_date, status, report, requested_at, started_at) on maintenance_run to mem_worker;
grant insert (tenant_id, id, kind, subject_id, available_at, created_at) on outbox to mem_worker;
grant update (state, merged_into, updated_at) on memory to mem_worker;
grant update (evidence, credit, propagated, reached, lent, lent_from, propagated_on, last_useful_at)
  on memory_stat to mem_worker;
grant update (status, report, failure, started_at, finished_at) on maintenance_run to mem_worker;
grant delete on link, credit_ledger, snapshot to mem_worker;

-- ── mem_text: reads texts, writes what is computed from them ────────────────────────────────────────────────────────

grant select on tenant, memory, embedding, revision, link to mem_text;
grant insert on embedding, revision, link to mem_text;
grant update (embedding_state) on memory to mem_text;

-- ── mem_operator, mem_backup, mem_definer ───────────────────────────────────────────────────────────────────────────

grant select on tenant to mem_operator;
grant update (name, status) on tenant to mem_operator;

grant select on all tables in schema public to mem_backup;

grant select, insert, update, delete on all tables in schema public to mem_definer;

-- The start check compares what is applied with what the code knows.
grant select on _prisma_migrations to mem_app, mem_worker, mem_text, mem_operator;
