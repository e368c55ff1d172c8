import type pg from 'pg';

/**
 * Everything that decides who may do what, a line each: tables with their owner and row-level security, policies, grants, columns'
 * grants, functions with their bodies, triggers, constraints and indexes. Sorted, so that two databases can be compared.
 */
export const readCatalogue = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ line: string }>(LINES);
  return rows.map(({ line }) => line);
};

/** Grants with their members in one order: the server keeps them in the order in which they were given. */
const sorted = (acl: string): string =>
  `coalesce((select string_agg(item::text, ' ' order by item::text) from unnest(${acl}) as item), '-')`;

// What was written over several lines is one here. Triggers are without brackets: a comparison of rows comes back from a dump with
// others, meaning the same.
const LINES = `select regexp_replace(line, '\\s+', ' ', 'g') as line from (
  select format('%s %s owner %s rls %s forced %s grants %s', case c.relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end,
      c.relname, pg_get_userbyid(c.relowner), c.relrowsecurity, c.relforcerowsecurity, ${sorted('c.relacl')}) as line
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
  union all
  select format('column %s.%s %s null %s default %s grants %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), not a.attnotnull,
      coalesce(pg_get_expr(d.adbin, d.adrelid), '-'), ${sorted('a.attacl')})
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped
  union all
  select format('policy %s.%s %s %s to %s using %s check %s', tablename, policyname, permissive, cmd, roles, qual, with_check)
    from pg_policies where schemaname = 'public'
  union all
  select format('function %s(%s) owner %s definer %s settings %s grants %s body %s', p.proname, pg_get_function_identity_arguments(p.oid),
      pg_get_userbyid(p.proowner), p.prosecdef, p.proconfig, ${sorted('p.proacl')}, md5(p.prosrc || coalesce(pg_get_function_sqlbody(p.oid), '')))
    from pg_proc p where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  union all
  select format('trigger %s.%s %s', c.relname, t.tgname, translate(pg_get_triggerdef(t.oid), '()', ''))
    from pg_trigger t join pg_class c on c.oid = t.tgrelid where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
  union all
  select format('constraint %s.%s %s valid %s', c.relname, k.conname, pg_get_constraintdef(k.oid), k.convalidated)
    from pg_constraint k join pg_class c on c.oid = k.conrelid where c.relnamespace = 'public'::regnamespace
  union all
  select format('index %s', indexdef) from pg_indexes where schemaname = 'public'
) as lines order by line collate "C"`;
