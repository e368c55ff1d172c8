import { machineProfileReferences, profileReferences } from './profile-references.js';
import type { MachineReference, Reference } from './reference.js';
import { scopeReferences } from './scope-references.js';
import { turnReferences } from './turn-references.js';
import { upkeepReferences } from './upkeep-references.js';

const memory = (columns: string, values: string): string =>
  `insert into memory (tenant_id, owner_id, scope, kind, title, text, valid_from, started_at, ended_at${columns})
   values (${values})`;
const plain = `'decision', 't', 't', now(), now(), now()`;
/** Every way in which mem_app can write an id of another row. */
export const references: readonly Reference[] = [
  ...scopeReferences,
  ...upkeepReferences,
  ...profileReferences,
  ...turnReferences,
  { name: 'memory.project', kind: 'project', sql: memory(', project_id', `$1, $2, 'private', ${plain}, $3`) },
  { name: 'memory.project shared', kind: 'project', sql: memory(', project_id', `$1, $2, 'project', ${plain}, $3`) },
  { name: 'memory.session', kind: 'work_session', sql: memory(', session_id', `$1, $2, 'private', ${plain}, $3`) },
  {
    name: 'proof.memory',
    kind: 'memory',
    sql: `insert into proof (tenant_id, memory_id, session_id)
      select $1, $3, s.id from work_session s where s.tenant_id = $1 and s.user_id = $2`,
  },
  {
    name: 'proof.session',
    kind: 'work_session',
    sql: `insert into proof (tenant_id, memory_id, session_id) values ($1, $4, $3)`,
  },
  { name: 'memory.owner', kind: 'app_user', sql: memory('', `$1, $3, 'private', ${plain}`) },
  {
    name: 'memory moved to project',
    kind: 'project',
    sql: `update memory set project_id = $3 where tenant_id = $1 and id = $4`,
  },
  {
    name: 'memory.superseded_by',
    kind: 'memory',
    sql: `update memory set superseded_by = $3 where tenant_id = $1 and id = $4`,
  },
  {
    name: 'memory.refuted_by',
    kind: 'memory',
    sql: `update memory set state = 'refuted', refuted_by = $3 where tenant_id = $1 and id = $4`,
  },
  {
    name: 'embedding',
    kind: 'memory',
    sql: `insert into embedding (tenant_id, memory_id, encoder, content_hash, vector, scope, owner_id)
      values ($1, $3, 'other@0', '\\x00', '[1,0,0]', 'tenant', $2)`,
  },
  {
    name: 'embedding of another revision',
    kind: 'memory',
    sql: `insert into embedding (tenant_id, memory_id, encoder, revision, content_hash, vector, scope, owner_id)
      values ($1, $3, 'other@0', 9, '\\x00', '[1,0,0]', 'tenant', $2)`,
  },
  {
    name: 'link to',
    kind: 'memory',
    sql: `insert into link (tenant_id, from_id, to_id, kind) values ($1, $4, $3, 'conflict')`,
  },
  {
    name: 'link from',
    kind: 'memory',
    sql: `insert into link (tenant_id, from_id, to_id, kind) values ($1, $3, $4, 'conflict')`,
  },
  {
    name: 'work_session.project',
    kind: 'project',
    sql: `insert into work_session (tenant_id, user_id, project_id, started_at, last_at) values ($1, $2, $3, now(), now())`,
  },
  {
    name: 'work_session.user',
    kind: 'app_user',
    sql: `insert into work_session (tenant_id, user_id, started_at, last_at) values ($1, $3, now(), now())`,
  },
  {
    name: 'retrieval.project',
    kind: 'project',
    sql: `insert into retrieval (tenant_id, user_id, project_id, kind) values ($1, $2, $3, 'asked')`,
  },
  {
    name: 'retrieval.user',
    kind: 'app_user',
    sql: `insert into retrieval (tenant_id, user_id, kind) values ($1, $3, 'asked')`,
  },
  {
    name: 'retrieval_hit.memory',
    kind: 'memory',
    sql: `insert into retrieval_hit (tenant_id, retrieval_id, memory_id, place, relevance, score) values ($1, $5, $3, 1, 1, 1)`,
  },
  {
    name: 'retrieval_hit.retrieval',
    kind: 'retrieval',
    sql: `insert into retrieval_hit (tenant_id, retrieval_id, memory_id, place, relevance, score) values ($1, $3, $4, 1, 1, 1)`,
  },
  { name: 'record_hits memory', kind: 'memory', sql: `select record_hits($5, array[$3]::uuid[], '{1}', '{1}')` },
  { name: 'record_hits retrieval', kind: 'retrieval', sql: `select record_hits($3, array[$4]::uuid[], '{1}', '{1}')` },
  {
    name: 'vote.memory',
    kind: 'memory',
    sql: `insert into vote (tenant_id, user_id, retrieval_id, memory_id, helpful, revision) values ($1, $2, $5, $3, true, 1)`,
  },
  {
    name: 'vote.retrieval',
    kind: 'retrieval',
    sql: `insert into vote (tenant_id, user_id, retrieval_id, memory_id, helpful, revision) values ($1, $2, $3, $4, true, 1)`,
  },
  { name: 'record_vote memory', kind: 'memory', sql: `select record_vote($3, true, null, null, now())` },
  { name: 'record_vote retrieval', kind: 'retrieval', sql: `select record_vote($4, true, $3, null, now())` },
  {
    name: 'vote_question',
    kind: 'memory',
    sql: `insert into vote_question (tenant_id, user_id, retrieval_id, memory_id, encoder, helpful, vector)
      values ($1, $2, $5, $3, 'other@0', true, '[1,0,0]')`,
  },
  {
    name: 'project_remote',
    kind: 'project',
    sql: `insert into project_remote (tenant_id, remote, project_id) values ($1, 'git.example.org/x', $3)`,
  },
  {
    name: 'membership.project',
    kind: 'project',
    sql: `insert into membership (tenant_id, project_id, user_id, role) values ($1, $3, $2, 'maintainer')`,
  },
  {
    name: 'invitation.project',
    kind: 'project',
    sql: `insert into invitation (tenant_id, display_name, role, code_hash, invited_by, expires_at, project_id, project_role)
      values ($1, 'x', 'member', '\\x00', $2, now(), $3, 'reader')`,
  },
  {
    name: 'invitation.user',
    kind: 'app_user',
    sql: `insert into invitation (tenant_id, display_name, role, code_hash, invited_by, expires_at, user_id)
      values ($1, 'x', 'member', '\\x00', $2, now(), $3)`,
  },
  {
    name: 'login_identity.user',
    kind: 'app_user',
    sql: `insert into login_identity (tenant_id, user_id, issuer, subject) values ($1, $3, 'https://id.example.org', 'x')`,
  },
  {
    name: 'login_session.user',
    kind: 'app_user',
    sql: `insert into login_session (tenant_id, user_id, kind, expires_at) values ($1, $3, 'login', now())`,
  },
  {
    name: 'access_token.session',
    kind: 'login_session',
    sql: `insert into access_token (tenant_id, user_id, session_id, name, token_prefix, token_hash, expires_at)
      values ($1, $2, $3, 'x', 'x', '\\x00', now())`,
  },
  {
    name: 'idempotency_key.user',
    kind: 'app_user',
    sql: `insert into idempotency_key (tenant_id, user_id, key, operation, request_hash, response)
      values ($1, $3, 'other', 'x', '\\x00', '{}')`,
  },
  {
    name: 'maintenance_run.requested_by',
    kind: 'app_user',
    sql: `insert into maintenance_run (tenant_id, kind, run_date, requested_by) values ($1, 'nightly', '2001-01-01', $3)`,
  },
  {
    name: 'outbox memory',
    kind: 'memory',
    sql: `insert into outbox (tenant_id, kind, subject_id) values ($1, 'memory.embed', $3)`,
  },
  {
    name: 'outbox run',
    kind: 'maintenance_run',
    sql: `insert into outbox (tenant_id, kind, subject_id) values ($1, 'maintenance.requested', $3)`,
  },
  {
    name: 'setting.project',
    kind: 'project',
    sql: `insert into setting (tenant_id, project_id, key, value, updated_by) values ($1, $3, 'other', '1', $2)`,
  },
  {
    name: 'setting.updated_by',
    kind: 'app_user',
    sql: `insert into setting (tenant_id, key, value, updated_by) values ($1, 'other', '1', $3)`,
  },
  {
    name: 'recall_rule.project',
    kind: 'project',
    sql: `insert into recall_rule (tenant_id, project_id, position, name, conditions, effect, created_by)
      values ($1, $3, 1, 'x', '{}', 'first', $2)`,
  },
  {
    name: 'recall_rule.user',
    kind: 'app_user',
    sql: `insert into recall_rule (tenant_id, user_id, position, name, conditions, effect, created_by)
      values ($1, $3, 1, 'x', '{}', 'first', $2)`,
  },
  {
    name: 'departure.user',
    kind: 'app_user',
    sql: `insert into departure (tenant_id, user_id, choice, requested_by) values ($1, $3, 'keep', $2)`,
  },
  {
    name: 'imported.memory',
    kind: 'memory',
    sql: `insert into imported (tenant_id, user_id, origin, source_id, content_hash, memory_id) values ($1, $2, 'x', 'x', sha256('x'), $3)`,
  },
  {
    name: 'imported.memory changed',
    kind: 'memory',
    sql: `update imported set memory_id = $3 where tenant_id = $1 and user_id = $2`,
  },
  {
    name: 'imported.user',
    kind: 'app_user',
    sql: `insert into imported (tenant_id, user_id, origin, source_id, content_hash, memory_id) values ($1, $3, 'x', 'y', sha256('x'), $4)`,
  },
  {
    name: 'data_export.requested_by',
    kind: 'app_user',
    sql: `insert into data_export (tenant_id, requested_by, kind) values ($1, $3, 'mine')`,
  },
  {
    name: 'data_export.project',
    kind: 'project',
    sql: `insert into data_export (tenant_id, requested_by, kind, project_id) values ($1, $2, 'project', $3)`,
  },
  {
    name: 'export_part.export',
    kind: 'data_export',
    sql: `insert into export_part (tenant_id, export_id, file, part, content) values ($1, $3, 'memories.md', 7, 'x')`,
  },
];

/** What the machines may write that points at a row: `$1` tenant, `$3` the id, `$4` a memory and `$6` a run of the tenant. */
export const machineReferences: readonly MachineReference[] = [
  ...machineProfileReferences,
  {
    role: 'mem_worker',
    name: 'link to',
    kind: 'memory',
    sql: `insert into link (tenant_id, from_id, to_id, kind) values ($1, $4, $3, 'neighbour')`,
  },
  {
    role: 'mem_worker',
    name: 'credit_ledger',
    kind: 'memory',
    sql: `insert into credit_ledger (tenant_id, success_id, receiver_id, rank, amount, run_id) values ($1, $4, $3, 1, .1, $6)`,
  },
  {
    role: 'mem_worker',
    name: 'snapshot',
    kind: 'memory',
    sql: `insert into snapshot (tenant_id, run_id, memory_id, evidence, base, earned, propagated_before, helpful_others,
      asked_retrievals) values ($1, $6, $3, 0, 0, 0, 0, 0, 0)`,
  },
  {
    role: 'mem_worker',
    name: 'maintenance_step',
    kind: 'maintenance_run',
    sql: `insert into maintenance_step (tenant_id, run_id, step, page) values ($1, $3, 'credit', 7)`,
  },
  {
    role: 'mem_worker',
    name: 'maintenance_change.memory_id',
    kind: 'memory',
    sql: `insert into maintenance_change (tenant_id, run_id, step, memory_id, action) values ($1, $6, 'credit', $3, 'set-aside')`,
  },
  {
    role: 'mem_worker',
    name: 'upkeep_run.maintenance_run_id',
    kind: 'maintenance_run',
    sql: `insert into upkeep_run (tenant_id, kind, maintenance_run_id) values ($1, 'consolidate', $3)`,
  },
  {
    role: 'mem_text',
    name: 'embedding',
    kind: 'memory',
    sql: `insert into embedding (tenant_id, memory_id, encoder, content_hash, vector, scope, owner_id)
      values ($1, $3, 'other@0', '\\x00', '[1,0,0]', 'tenant', '00000000-0000-0000-0000-000000000000')`,
  },
  {
    role: 'mem_text',
    name: 'link to',
    kind: 'memory',
    sql: `insert into link (tenant_id, from_id, to_id, kind) values ($1, $4, $3, 'neighbour')`,
  },
];
