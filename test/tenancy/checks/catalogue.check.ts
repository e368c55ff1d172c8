import type pg from 'pg';
import { asSuperuser } from '../../support/cluster.js';
import type { Finding, World } from '../world.js';

/** A question to the catalogue whose every row is a fault. */
interface Question {
  readonly fault: string;
  readonly sql: string;
}

const doors = `array['mem_app', 'mem_worker', 'mem_text', 'mem_operator']`;
const relations = `pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'`;
const tables = `select c.relname::text as name, c.* from ${relations}
  where c.relkind in ('r', 'p') and c.relname <> '_prisma_migrations'`;
/** Tables of no tenant: reached through functions alone. */
const tenantless = `('operator', 'operator_code', 'operator_log', 'tenant_deletion', 'instance_beat', 'quota_default', 'attempt', 'device_code', 'oidc_flow')`;
/** Their rows live for minutes, and their keys would give way (docs/operations.md, "Growing past one machine"). */
const fleeting = `('device_code', 'oidc_flow')`;
const tenantColumn = `case when t.name = 'tenant' then 'id' else 'tenant_id' end`;
const helpers =
  '(current_tenant|uid|is_member|is_tenant_admin|my_tenant_role|my_projects|my_contributor_projects|my_maintained_projects|my_open_projects|my_groups|my_maintained_groups|my_empty_groups)';

const questions: readonly Question[] = [
  {
    fault: 'row-level security is not enabled and forced',
    sql: `select t.name from (${tables}) t where not (t.relrowsecurity and t.relforcerowsecurity)`,
  },
  {
    fault: 'a table with user data has no tenant_id',
    sql: `select t.name from (${tables}) t where t.name not in ${tenantless} and t.name <> 'tenant' and not exists
      (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'tenant_id' and a.attnotnull)`,
  },
  {
    fault: 'not exactly one restrictive policy that holds reads and writes to the tenant',
    sql: `select t.name from (${tables}) t where not t.relispartition and t.name not in ${tenantless} and 1 <> (
      select count(*) from pg_policies p where p.schemaname = 'public' and p.tablename = t.name
        and p.permissive = 'RESTRICTIVE' and p.cmd = 'ALL' and p.roles @> '{mem_app,mem_worker,mem_text}'
        and p.qual = '(' || ${tenantColumn} || ' = ( SELECT current_tenant() AS current_tenant))' and p.with_check = p.qual)`,
  },
  {
    fault: 'a policy is simply true',
    sql: `select p.tablename || '.' || p.policyname as name from pg_policies p where p.schemaname = 'public'
      and 'true' in (p.qual, p.with_check) and not (p.tablename = 'tenant' and p.roles = '{mem_operator}')`,
  },
  {
    fault: 'there is more than one visibility predicate',
    sql: `select string_agg(p.tablename, ' and ') as name from pg_policies p
      where p.schemaname = 'public' and p.policyname = 'app_read' and p.tablename in ('memory', 'embedding', 'memory_stat', 'vote_question')
      having count(distinct p.qual) <> 1`,
  },
  {
    fault: 'the copy of an audience can be written by a door',
    sql: `select t.name || '.' || a.attname || ' ' || r.role as name
      from (${tables}) t join pg_attribute a on a.attrelid = t.oid, unnest(${doors}) r (role)
      where t.name in ('memory_stat', 'vote_question')
        and a.attname in ('scope', 'owner_id', 'project_id', 'group_id', 'forgotten', 'forgotten_by')
        and has_column_privilege(r.role, t.oid, a.attnum, 'INSERT, UPDATE')`,
  },
  {
    fault: 'an update policy checks nothing',
    sql: `select p.tablename || '.' || p.policyname as name from pg_policies p
      where p.schemaname = 'public' and p.cmd = 'UPDATE' and p.with_check is null`,
  },
  {
    fault: 'a policy calls a helper once a row instead of once a query',
    sql: `select p.tablename || '.' || p.policyname as name from pg_policies p where p.schemaname = 'public'
      and regexp_replace(coalesce(p.qual, '') || ' ' || coalesce(p.with_check, ''), 'SELECT ${helpers}\\(\\)', '', 'g')
        ~ '${helpers}\\(\\)'`,
  },
  {
    fault: 'a command is granted that no policy allows, so the grant is a mistake or the policy is missing',
    sql: `select t.name || ' ' || r.role || ' ' || c.command as name
      from (${tables}) t, unnest(${doors}) r (role), (values ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE')) c (command)
      where not t.relispartition
        and case c.command when 'DELETE' then has_table_privilege(r.role, t.oid, 'DELETE')
          else has_any_column_privilege(r.role, t.oid, c.command) end
        and not exists (select from pg_policies p where p.schemaname = 'public' and p.tablename = t.name
          and p.permissive = 'PERMISSIVE' and p.cmd in (c.command, 'ALL') and p.roles @> array[r.role::name])`,
  },
  {
    fault: 'something is granted on a partition',
    sql: `select t.name || ' ' || r.role as name from (${tables}) t, unnest(${doors} || 'public'::text) r (role)
      where t.relispartition and (has_any_column_privilege(r.role, t.oid, 'SELECT, INSERT, UPDATE')
        or has_table_privilege(r.role, t.oid, 'DELETE'))`,
  },
  {
    fault: 'a door may truncate, reference or put triggers on a table',
    sql: `select t.name || ' ' || r.role as name from (${tables}) t, unnest(${doors}) r (role)
      where has_table_privilege(r.role, t.oid, 'TRUNCATE, REFERENCES, TRIGGER')`,
  },
  {
    fault: 'everyone is granted a table',
    sql: `select t.name from (${tables}) t where has_any_column_privilege('public', t.oid, 'SELECT, INSERT, UPDATE')
      or has_table_privilege('public', t.oid, 'DELETE')`,
  },
  {
    fault: 'a door may change an id, an owner or a tenant',
    sql: `select t.name || '.' || a.attname || ' ' || r.role as name
      from (${tables}) t join pg_attribute a on a.attrelid = t.oid, unnest(${doors}) r (role)
      where a.attname in ('id', 'tenant_id', 'owner_id', 'user_id', 'created_by', 'proposer_id') and not a.attisdropped
        and has_column_privilege(r.role, t.oid, a.attnum, 'UPDATE')`,
  },
  {
    fault: 'a machine may change more of a memory than its state',
    sql: `select r.role || ' ' || a.attname as name from unnest(array['mem_worker', 'mem_text']) r (role),
        pg_attribute a where a.attrelid = 'memory'::regclass and a.attnum > 0 and not a.attisdropped
        and has_column_privilege(r.role, a.attrelid, a.attnum, 'UPDATE')
        and r.role || ' ' || a.attname not in ('mem_worker state', 'mem_worker merged_into', 'mem_worker state_reason', 'mem_worker updated_at',
          'mem_text embedding_state')`,
  },
  {
    fault: 'a key, foreign key or index does not start with the tenant',
    sql: `select t.name || '.' || k.conname as name from (${tables}) t join pg_constraint k on k.conrelid = t.oid
      where t.name not in ${tenantless} and k.contype in ('p', 'u', 'f') and not (t.name = 'tenant' and k.contype = 'p')
        and (select a.attname from pg_attribute a where a.attrelid = t.oid and a.attnum = k.conkey[1]) <> 'tenant_id'
      union all
      select t.name || '.' || i.indexrelid::regclass from (${tables}) t join pg_index i on i.indrelid = t.oid
      where t.name not in ${tenantless} and i.indisunique and t.name <> 'tenant'
        and (select a.attname from pg_attribute a where a.attrelid = t.oid and a.attnum = i.indkey[0]) <> 'tenant_id'`,
  },
  {
    fault:
      'a foreign key does not tie a tenant to the same tenant, so rows could not be kept by tenant on several servers',
    sql: `select t.name || '.' || k.conname as name
      from (${tables}) t join pg_constraint k on k.conrelid = t.oid join pg_class r on r.oid = k.confrelid
      where k.contype = 'f' and t.name not in ${tenantless} and r.relname::text not in ${tenantless}
        and (select a.attname from pg_attribute a where a.attrelid = r.oid and a.attnum = k.confkey[1])
          <> case when r.relname = 'tenant' then 'id' else 'tenant_id' end`,
  },
  {
    fault: 'a table of no tenant points at a tenant’s, so the tenants’ tables could not be spread over several servers',
    sql: `select t.name || '.' || k.conname as name
      from (${tables}) t join pg_constraint k on k.conrelid = t.oid join pg_class r on r.oid = k.confrelid
      where k.contype = 'f' and t.name in ${tenantless} and t.name not in ${fleeting} and r.relname::text not in ${tenantless}`,
  },
  {
    fault: 'a column that policies compare leads no index',
    sql: `select t.name || '.' || w.columns as name from (values
        ('memory', 'tenant_id, owner_id'), ('memory', 'tenant_id, project_id'), ('memory', 'tenant_id, group_id'),
        ('embedding', 'tenant_id, owner_id'), ('embedding', 'tenant_id, project_id'), ('embedding', 'tenant_id, group_id'),
        ('group_project', 'tenant_id, group_id, project_id'), ('group_project', 'tenant_id, project_id'),
        ('proposal', 'tenant_id, proposer_id'), ('proposal', 'tenant_id, to_project_id'),
        ('proposal', 'tenant_id, to_group_id'), ('audience_change', 'tenant_id, memory_id'), ('membership', 'user_id, tenant_id, project_id'),
        ('retrieval', 'tenant_id, user_id'), ('work_session', 'tenant_id, user_id')) w (name, columns)
      join (${tables}) t on t.name = w.name
      where not exists (select from pg_index i where i.indrelid = t.oid
        and pg_get_indexdef(i.indexrelid) like '%(' || w.columns || '%')`,
  },
  {
    fault: 'a view runs with its owner’s eyes, or is materialised',
    sql: `select c.relname as name from ${relations} where c.relkind = 'm'
      or c.relkind = 'v' and not coalesce(c.reloptions @> '{security_invoker=on}', false)`,
  },
  {
    fault: 'a function is open to everyone, or runs as mem_definer with an open search path',
    sql: `select p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = 'public'
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
        and (has_function_privilege('public', p.oid, 'EXECUTE')
          or p.prosecdef and (p.proowner <> 'mem_definer'::regrole or not coalesce(p.proconfig @> '{"search_path=\\"\\""}', false)))`,
  },
  {
    fault: 'deleting a memory or an answer walks through a table that points at it',
    sql: `select f.conrelid::regclass || ' ' || f.conname as name from pg_constraint f
      where f.contype = 'f' and f.conparentid = 0 and f.confrelid::regclass::text in ('memory', 'retrieval', 'retrieval_hit')
        and not exists (select from pg_index i where i.indrelid = f.conrelid
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$')
          and (select array_agg(k order by k) from unnest((i.indkey::int2[])[0:array_length(f.conkey, 1) - 1]) k)
            = (select array_agg(k order by k) from unnest(f.conkey) k))`,
  },
  {
    fault: 'a door may run a step of a decision on an audience by itself',
    sql: `select p.proname || ' ' || r.role as name from pg_proc p, unnest(${doors}) r (role)
      where p.proname in ('record_audience_change', 'may_keep_there', 'take_proposal', 'end_proposal', 'decides_proposal')
        and has_function_privilege(r.role, p.oid, 'EXECUTE')`,
  },
  {
    fault: 'a door may run what is for the machinery alone',
    sql: `select p.proname || ' ' || r.role as name from pg_proc p, unnest(${doors}) r (role)
      where p.proname in ('recompute_evidence', 'count_unhelpful_voters', 'append_audit', 'create_operator_code', 'memory_policies',
          'append_operator_log', 'acting_operator', 'require_operator', 'quota_of', 'memory_bytes',
          'redeem_code', 'start_login', 'start_browser')
        and has_function_privilege(r.role, p.oid, 'EXECUTE')`,
  },
  {
    fault: 'a role has more than it should',
    sql: `select r.rolname as name from pg_roles r where r.rolname like 'mem\\_%' and (r.rolsuper or r.rolcreaterole
      or r.rolcreatedb or r.rolbypassrls and r.rolname not in ('mem_definer', 'mem_backup')
      or r.rolcanlogin and r.rolname in ('mem_definer', 'mem_owner'))
      union all
      select m.member::regrole::text || ' in ' || m.roleid::regrole from pg_auth_members m
      where m.member::regrole::text = any (${doors})`,
  },
  {
    fault: 'a table or function belongs to a login',
    sql: `select t.name from (${tables}) t where t.relowner <> 'mem_owner'::regrole`,
  },
  {
    fault: 'an embedding has another audience than its memory',
    sql: `select e.memory_id::text as name from embedding e join memory m on m.tenant_id = e.tenant_id and m.id = e.memory_id
      where (e.scope, e.owner_id, e.project_id, e.group_id) is distinct from (m.scope, m.owner_id, m.project_id, m.group_id)`,
  },
];

const ask = async (client: pg.Client, { fault, sql }: Question): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(sql);
  return rows.map((row) => `${fault}: ${row.name}`);
};

/** Attack 1.1: every table, partition, policy, grant, key, view and function, read from the catalogue. */
export const catalogue = async (world: World): Promise<Finding> =>
  asSuperuser(world.adminUrl, async (client) => {
    const leaks: string[] = [];
    for (const question of questions) leaks.push(...(await ask(client, question)));
    return { attempts: questions.length, leaks };
  });
