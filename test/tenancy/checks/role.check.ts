import type { DoorRole } from '@tempera/platform';
import { withAttacker } from '../attacker.js';
import { tablesOf } from '../sight.js';
import type { Citizen, Finding, World } from '../world.js';

const uuid = '00000000-0000-0000-0000-000000000000';

/** What a role must be refused for want of a grant, whatever rows there are. */
const refused: Readonly<Record<DoorRole, readonly string[]>> = {
  mem_worker: [
    'select text from memory',
    'select title from memory',
    'select keywords from memory',
    'select errors_resolved from memory',
    'select alternatives from memory',
    'select * from memory',
    'select note from vote',
    'select text from revision',
    'select question from retrieval',
    'select display_name from app_user',
    `update memory set scope = 'tenant'`,
    'update memory set project_id = null',
    `update memory set text = 'x'`,
    `update memory set owner_id = '${uuid}'`,
    'update vote set helpful = false',
    'update memory_stat set helpful = 9',
    'delete from memory',
    'delete from outbox',
    'select slug from project',
    'select before from upkeep_effect',
    `insert into upkeep_run (tenant_id, kind) values (current_tenant(), 'cleanup')`,
    'select conditions from recall_rule',
    'select choice from departure',
    `update setting set value = '1'`,
    'select beat_at from instance_beat',
    'select memories from usage',
    'select bytes from quota',
    'select amount from usage_day',
    'select asked from memory_day',
    'select role from membership',
    'update profile set project_id = null',
    'delete from profile',
    'delete from health_day',
    `update health_day set scope = 'tenant'`,
    'update profile_line set place = 1',
    'select content from export_part',
    'select source_id from imported',
    'select manifest from data_export',
    'select counts from erasure',
    `select request_erasure('${uuid}', 'keep', null)`,
    `select remove_memories('${uuid}', '{}')`,
    'select erasing_work()',
    `update data_export set section = 'done'`,
    'select empty_at from rate_bucket',
    'select charge_points(1, 1, 1, 1)',
    `select check_attempts('login', '{}')`,
    `select set_quota('${uuid}', '{}')`,
    'select action from operator_log',
    'select list_tenants(null, null, null, null, null, 10)',
    `select change_tenant_status('${uuid}', 'deleted', 'x')`,
    `insert into memory_stat (tenant_id, memory_id, last_useful_at) values ('${uuid}', '${uuid}', now())`,
  ],
  mem_text: [
    `update memory set scope = 'tenant'`,
    'update memory set project_id = null',
    `update memory set text = 'x'`,
    `update memory set state = 'archived'`,
    'select helpful from vote',
    'select question from retrieval',
    'select display_name from app_user',
    'select refreshed_at from profile',
    'select memories from health_day',
    'select memory_id from profile_line',
    'delete from memory',
    'delete from embedding',
    `update embedding set scope = 'tenant'`,
  ],
  mem_operator: [
    'select id from memory',
    'select text from memory',
    'select memory_id from embedding',
    'select display_name from app_user',
    'select action from audit',
    'delete from tenant',
    `update tenant set id = '${uuid}'`,
    `insert into tenant (name) values ('x')`,
    'select memories from quota',
    'select memories from usage',
    'select amount from usage_day',
    `select count_attempts('login', '{}', '{}', 1)`,
    `select count_attempt('login', '\\x00', 5, 1, '\\x01', 5)`,
    'select usage_by_user(1)',
    'select code_hash from operator_code',
    'select action from operator_log',
    'select beat_at from instance_beat',
    `select delete_tenant('${uuid}', 10)`,
    `select append_operator_log(null, 'x', 'x', null, '{}')`,
    // The functions ask who calls, and the door of this attack names no operator.
    'select list_operators()',
    'select list_tenants(null, null, null, null, null, 10)',
    'select instance_figures()',
    'select doctor_outbox()',
    'select doctor_tenants()',
    'select doctor_tenant()',
    'select watch_outbox()',
    'select night_states()',
    `select change_tenant_status('${uuid}', 'deleted', 'x')`,
    `select disable_operator('${uuid}')`,
    `select invite_operator('x', '\\x00', interval '1 day')`,
    'select list_operator_log(null, 10)',
    `select verify_operator_log(0, '\\x00', 10)`,
  ],
  mem_app: [
    'select token_hash from refresh_token',
    'select token_hash from access_token',
    'select code_hash from invitation',
    'select key_hash from browser_key',
    'select user_hash from device_code',
    'select id from device_code',
    'select state_hash from oidc_flow',
    `update login_identity set subject = 'x'`,
    `update login_identity set last_used_at = now()`,
    `select redeem_code('\\x00')`,
    `select start_login('${uuid}', '${uuid}', 'x', '\\x00', 'k', interval '1 day', interval '1 day')`,
    `select start_browser('${uuid}', '${uuid}', 'x', '\\x00', interval '1 day')`,
    'select id from operator',
    'select code_hash from operator_code',
    'select id from outbox',
    'select run_id from snapshot',
    'select amount from credit_ledger',
    'select memory_id from embedding_default',
    `update memory set owner_id = '${uuid}'`,
    `update memory set tenant_id = '${uuid}'`,
    `update memory set id = '${uuid}'`,
    'update memory_stat set evidence = 1',
    'update memory_day set helpful = 9',
    `insert into memory_day (tenant_id, memory_id, day) values ('${uuid}', '${uuid}', current_date)`,
    'delete from memory_day',
    'update retrieval set helped = true',
    `select recount_votes('${uuid}', '{}', '{}')`,
    `select note_answered('${uuid}', '{}')`,
    `update embedding set scope = 'tenant'`,
    `update audit set action = 'x'`,
    'update tenant set status = status',
    'update revision set text = text',
    'delete from audit',
    'delete from memory',
    'delete from embedding',
    'delete from app_user',
    'delete from tenant',
    'truncate memory',
    `insert into audit (tenant_id, seq, at, actor_kind, action, subject_kind, previous_hash, hash)
       values ('${uuid}', 9, now(), 'user', 'x', 'x', '\\x00', '\\x00')`,
    `select append_audit('${uuid}', 'user', null, 'x', 'x', null, '{}')`,
    `select recompute_evidence('${uuid}', '{}')`,
    `select count_unhelpful_voters('${uuid}', '{}')`,
    `select create_tenant('${uuid}', 'x', 'UTC', 'x', null, '\\x00', interval '1 day')`,
    `select create_operator_code('x', '\\x00', interval '1 day')`,
    `select claim_outbox('{memory.embed}', 10, interval '1 minute')`,
    'select list_active_tenants()',
    'select list_closed_tenants()',
    'select list_departures()',
    `select delete_tenant('${uuid}', 10)`,
    'select list_tenants(null, null, null, null, null, 10)',
    `select change_tenant_status('${uuid}', 'deleted', 'x')`,
    `select beat('x', '${uuid}', 'x', now(), true)`,
    'select watch_outbox()',
    'select watch_nights()',
    'select largest_tenants(10)',
    'select night_states()',
    'select doctor_outbox()',
    'select doctor_tenants()',
    'select action from operator_log',
    'select beat_at from instance_beat',
    'update departure set settled = 0',
    'update setting set project_id = null',
    'update recall_rule set user_id = null',
    'delete from departure',
    'delete from data_export',
    `update erasure set status = 'completed'`,
    'delete from erasure',
    `select erase_user('${uuid}', '${uuid}', 10)`,
    'select list_wanted_erasures(1)',
    `select remove_memories('${uuid}', '{}')`,
    'delete from profile',
    'update health_day set memories = 0',
    'delete from health_day',
    'update profile set user_id = null',
    'update profile_line set place = 1',
    'delete from imported',
    `update imported set user_id = '${uuid}'`,
    `update export_part set content = 'x'`,
    `update data_export set failure = 'x'`,
    'select list_wanted_exports(1)',
    'select purge_exports(1)',
    'update quota set memories = null',
    'update usage set memories = 0',
    'delete from usage_day',
    'insert into usage_day select * from usage_day',
    `insert into usage_change (tenant_id, transaction_id, memories) values ('${uuid}', 1, -9)`,
    'select memories from usage_change',
    'select empty_at from rate_bucket',
    'update rate_bucket set empty_at = now()',
    'delete from rate_bucket',
    'select subject from attempt',
    'delete from attempt',
    `select note_attempt('login', '\\x00', 5, 1)`,
    'select memories from quota_default',
    `select quota_of('${uuid}')`,
    `select set_quota('${uuid}', '{}')`,
    `select set_default_quota('{}')`,
    `select tenant_quota('${uuid}')`,
    'call memory_policies()',
    'create table stolen as select 1',
    'alter table memory disable row level security',
    'drop policy tenant_only on memory',
  ],
};

/** What a login must be refused besides; in the embedded database every login is a superuser, and these prove nothing. */
const refusedLogins: readonly string[] = [
  'set role mem_owner',
  'set role mem_worker',
  'set role mem_definer',
  'set role mem_backup',
  'set role postgres',
  'set session authorization postgres',
  'set local session_replication_role = replica',
  `select pg_read_file('/etc/passwd')`,
  'create extension postgres_fdw',
  `alter role mem_app bypassrls`,
];

const tryRole = async (world: World, role: DoorRole, me: Citizen): Promise<Finding> =>
  withAttacker(world, role, async (attacker) => {
    const leaks: string[] = [];
    const statements = [...refused[role]];
    if (role === 'mem_operator') {
      for (const { name } of await tablesOf(world)) if (name !== 'tenant') statements.push(`select 1 from ${name}`);
    }
    if (!world.embedded) statements.push(...refusedLogins.filter((sql) => sql !== `set role ${role}`));
    await attacker.claiming({ tenantId: me.tenantId, userId: role === 'mem_app' ? me.userId : '' }, async () => {
      for (const sql of statements) {
        const answer = await attacker.attempt(sql);
        if (answer.kind === 'rows') leaks.push(`${role} may: ${sql}`);
        // A missing object would be refused too, and prove nothing.
        else if (!['42501', '55000', '0A000'].includes(answer.code)) leaks.push(`${role}: ${sql}: ${answer.message}`);
      }
      // Asking not to be held to the policies is refused or changes nothing, but never opens a row.
      await attacker.attempt('set local row_security = off');
    });
    return { attempts: attacker.attempts(), leaks };
  });

/** Attack 1.22: each role tries what is not its business. */
export const overreach = async (world: World): Promise<Finding> => {
  const [me] = world.citizens;
  if (!me) throw new Error('nobody lives here');
  const findings: Finding[] = [];
  for (const role of ['mem_worker', 'mem_text', 'mem_operator', 'mem_app'] as const) {
    findings.push(await tryRole(world, role, me));
  }
  return {
    attempts: findings.reduce((sum, finding) => sum + finding.attempts, 0),
    leaks: findings.flatMap((finding) => finding.leaks),
  };
};
