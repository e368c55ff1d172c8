import { asSuperuser } from '../support/cluster.js';
import type { World } from './world.js';

// Who sees which row, said anew from R5 of docs/design.md and not from the policies: plain joins over the rows, with `v`
// the viewer and `t` the row of his own tenant. What is not listed is seen by nobody.

const admin = `v.role in ('owner', 'admin')`;
const member = (project: string): string =>
  `exists (select from membership x where x.tenant_id = v.tenant_id and x.user_id = v.id and x.project_id = ${project})`;
const grouped = (group: string): string =>
  `exists (select from group_project z join membership x on x.tenant_id = z.tenant_id and x.project_id = z.project_id
    where z.tenant_id = v.tenant_id and z.group_id = ${group} and x.user_id = v.id)`;
const reached = (row: string): string => `(${row}.scope = 'private' and ${row}.owner_id = v.id
  or ${row}.scope = 'project' and ${member(`${row}.project_id`)} or ${row}.scope = 'group' and ${grouped(`${row}.group_id`)}
  or ${row}.scope = 'tenant')`;
/** What was forgotten is left to its owner, and to who forgot it. */
const audience = (row: string): string =>
  `(${reached(row)} and (${row}.state <> 'forgotten' or ${row}.owner_id = v.id or ${row}.state_by = v.id))`;
const maintainer = (project: string): string =>
  `exists (select from membership x where x.tenant_id = v.tenant_id and x.user_id = v.id and x.project_id = ${project}
    and x.role = 'maintainer')`;
const groupMaintainer = (group: string): string =>
  `exists (select from group_project z where z.tenant_id = v.tenant_id and z.group_id = ${group} and ${maintainer('z.project_id')})`;
/** Who may change a memory that he sees: its author, where he could keep it; who maintains; admins what is the tenant's. */
const changes = (row: string): string => `(${row}.owner_id = v.id
  or ${row}.scope = 'project' and ${maintainer(`${row}.project_id`)}
  or ${row}.scope = 'group' and ${groupMaintainer(`${row}.group_id`)} or ${row}.scope = 'tenant' and ${admin})`;
const withMemory = (id: string): string =>
  `exists (select from memory m where m.tenant_id = v.tenant_id and m.id = ${id} and ${audience('m')})`;
const own = 't.user_id = v.id';
/** What a night did to what everybody sees, admins take back; in a place of its own, who maintains that. */
const undoable = (run: string): string => `(${run}.project_id is null and ${run}.made_by = v.id
  or ${maintainer(`${run}.project_id`)} or ${groupMaintainer(`${run}.group_id`)}
  or ${run}.maintenance_run_id is not null and ${run}.made_by is null and ${run}.project_id is null
    and ${run}.group_id is null and ${admin})`;

/** Whose export it is, while the role is there that it needs. */
const exported = (
  e: string,
): string => `(${e}.requested_by = v.id and (${e}.kind = 'mine' or ${e}.kind = 'tenant' and ${admin}
  or ${e}.kind = 'project' and ${maintainer(`${e}.project_id`)}))`;

/** Whose profile it is, and what tells it: of a person the own memories, of a project what it shares. */
const profiled = (p: string): string => `(${p}.user_id = v.id or ${member(`${p}.project_id`)})`;
const toldIn = `exists (select from profile p, memory m where p.tenant_id = v.tenant_id and p.id = t.profile_id and ${profiled('p')}
  and m.tenant_id = v.tenant_id and m.id = t.memory_id and ${audience('m')}
  and (m.owner_id = p.user_id or m.scope = 'project' and m.project_id = p.project_id))`;

/** By table: which rows a user (mem_app) may see in his tenant. */
export const sight: Readonly<Record<string, string>> = {
  tenant: 'true',
  app_user: `t.id = v.id or ${admin}`,
  project: `${member('t.id')} or ${admin}`,
  project_group: `${grouped('t.id')} or ${admin} or t.created_by = v.id
    and not exists (select from group_project z where z.tenant_id = v.tenant_id and z.group_id = t.id)`,
  group_project: `${grouped('t.group_id')} or ${admin}`,
  proposal: `t.proposer_id = v.id or t.to_scope = 'project' and ${maintainer('t.to_project_id')}
    or t.to_scope = 'group' and ${groupMaintainer('t.to_group_id')} or t.to_scope = 'tenant' and ${admin}`,
  audience_change: `exists (select from memory m where m.tenant_id = v.tenant_id and m.id = t.memory_id
    and ${audience('m')} and ${changes('m')})`,
  project_remote: `${member('t.project_id')} or ${admin}`,
  membership: `${own} or ${member('t.project_id')} or ${admin}`,
  invitation: `${own} or ${admin}`,
  login_session: `${own} or ${admin}`,
  login_identity: `${own} or ${admin}`,
  access_token: `${own} or ${admin}`,
  work_session: own,
  proof: `${withMemory('t.memory_id')}
    and exists (select from work_session s where s.tenant_id = v.tenant_id and s.id = t.session_id and s.user_id = v.id)`,
  memory: audience('t'),
  embedding: withMemory('t.memory_id'),
  memory_stat: withMemory('t.memory_id'),
  memory_day: withMemory('t.memory_id'),
  revision: withMemory('t.memory_id'),
  link: `${withMemory('t.from_id')} and ${withMemory('t.to_id')}`,
  idempotency_key: own,
  imported: own,
  retrieval: own,
  retrieval_hit: `exists (select from retrieval r where r.tenant_id = v.tenant_id and r.id = t.retrieval_id and r.user_id = v.id)`,
  vote: own,
  upkeep_run: undoable('t'),
  upkeep_effect: `${withMemory('t.memory_id')} and exists (select from upkeep_run r where r.tenant_id = v.tenant_id
    and r.id = t.run_id and (${undoable('r')}))`,
  health_day: reached('t'),
  conversation: own,
  turn: own,
  distilled_fact: own,
  injection: own,
  profile: profiled('t'),
  profile_line: toldIn,
  data_export: exported('t'),
  export_part: `exists (select from data_export e where e.tenant_id = v.tenant_id and e.id = t.export_id and ${exported('e')})`,
  vote_question: withMemory('t.memory_id'),
  maintenance_run: `t.requested_by = v.id or ${admin}`,
  maintenance_step: `exists (select from maintenance_run r where r.tenant_id = v.tenant_id and r.id = t.run_id
    and (r.requested_by = v.id or ${admin}))`,
  maintenance_change: `${withMemory('t.memory_id')} and exists (select from maintenance_run r
    where r.tenant_id = v.tenant_id and r.id = t.run_id and (r.requested_by = v.id or ${admin}))`,
  schedule: admin,
  audit: admin,
  departure: admin,
  erasure: admin,
  encoder_change: 'true',
  quota: 'true',
  usage: admin,
  usage_day: `${own} or ${admin} and not t.is_private`,
  setting: `t.project_id is null or ${member('t.project_id')} or ${admin}`,
  recall_rule: `t.user_id = v.id or t.user_id is null and (t.project_id is null or ${member('t.project_id')} or ${admin})`,
};

/** A table as the catalogue knows it. */
export interface Table {
  readonly name: string;
  /** SQL that makes one text of a row's primary key, over alias `t`. */
  readonly key: string;
  /** `tenant_id`, or `id` of the tenant table itself; null where a table belongs to no tenant. */
  readonly tenantColumn: string | null;
  /** A column that mem_app may update, else one it may not. */
  readonly changeable: string;
}

/** All tables of the instance but the migrations' own, from the catalogue: a new one is attacked without being named. */
export const tablesOf = async (world: World): Promise<Table[]> =>
  asSuperuser(world.adminUrl, async (client) => {
    const { rows } = await client.query<Table>(`
      select c.relname::text as name,
        (select string_agg('t.' || a.attname || '::text', ' || ''/'' || ' order by k.place)
          from pg_index i, unnest(i.indkey) with ordinality k (attnum, place)
          join pg_attribute a on a.attnum = k.attnum
          where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid) as key,
        case when c.relname = 'tenant' then 'id' else (select a.attname::text from pg_attribute a
          where a.attrelid = c.oid and a.attname = 'tenant_id') end as "tenantColumn",
        coalesce((select min(a.attname::text) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
          and not a.attisdropped and has_column_privilege('mem_app', c.oid, a.attnum, 'update')),
          (select min(a.attname::text) from pg_attribute a where a.attrelid = c.oid and a.attnum = 1)) as changeable
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> '_prisma_migrations'
      order by 1`);
    return rows;
  });

/** Keys that each user may see, and keys of his tenant that he may not, by user id. */
export interface Sight {
  readonly seen: ReadonlyMap<string, readonly string[]>;
  readonly hidden: ReadonlyMap<string, readonly string[]>;
}

/** What everyone may see of a table, computed by the superuser from {@link sight}. */
export const sightOf = async (world: World, table: Table): Promise<Sight> =>
  asSuperuser(world.adminUrl, async (client) => {
    const rule = sight[table.name] ?? 'false';
    const { rows } = await client.query<{ viewer: string; seen: string[] | null; hidden: string[] | null }>(`
      select v.id as viewer, array_agg(${table.key} order by ${table.key}) filter (where ${rule}) as seen,
        (array_agg(${table.key}) filter (where not (${rule})))[1:5] as hidden
      from app_user v join ${table.name} t on ${table.tenantColumn === null ? 'true' : `t.${table.tenantColumn} = v.tenant_id`}
      group by v.id`);
    return {
      seen: new Map(rows.map((row) => [row.viewer, row.seen ?? []])),
      hidden: new Map(rows.map((row) => [row.viewer, row.hidden ?? []])),
    };
  });
