import { AppError } from '@tempera/client-kit';
import type { DoorRole, Tx } from './context.js';
import { migrationNames } from './migration-list.js';
import { belowFloor } from './server-floor.js';

/** What the start check must know about where it runs. */
export interface SelfCheckOptions {
  /** For production: refuses `fsync = off`, since an acknowledged memory must survive a power cut, and old servers. */
  readonly requireDurability: boolean;
  /**
   * Only for the embedded database, whose every login is a superuser: the role that the door sets is checked, the login
   * is not.
   */
  readonly allowSuperuserLogin: boolean;
}

interface RoleRow {
  effective: string;
  login: string;
  privileged: boolean;
  loginPrivileged: boolean;
  owns: boolean;
  fsync: string;
}

const refuse = (code: string, message: string): never => {
  throw new AppError('unavailable', code, message);
};

const checkRole = async (tx: Tx, role: DoorRole, options: SelfCheckOptions): Promise<void> => {
  const [row] = await tx.$queryRaw<RoleRow[]>`
    select current_user::text as effective, session_user::text as login, r.rolsuper or r.rolbypassrls as privileged,
      l.rolsuper or l.rolbypassrls as "loginPrivileged", current_setting('fsync') as fsync,
      exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind in ('r', 'p') and pg_has_role(r.oid, c.relowner, 'member')
          and not r.rolsuper) as owns
    from pg_roles r, pg_roles l where r.rolname = current_user and l.rolname = session_user`;
  if (!row || row.effective !== role) {
    return refuse('database-role', `The database door for ${role} works as ${row?.effective ?? 'an unknown role'}.`);
  }
  if (row.privileged) return refuse('database-role', `${role} is a superuser or bypasses row-level security.`);
  if (row.owns) return refuse('database-role', `${role} owns tables, or belongs to their owner.`);
  if (row.loginPrivileged && !options.allowSuperuserLogin) {
    return refuse(
      'database-role',
      `The login ${row.login} is a superuser or bypasses row-level security; use ${role}.`,
    );
  }
  if (options.requireDurability && row.fsync !== 'on') {
    return refuse('fsync-off', 'The database runs with fsync off: an acknowledged memory could be lost.');
  }
};

const checkFloor = async (tx: Tx): Promise<void> => {
  const [row] = await tx.$queryRaw<{ server: number; vector: string }[]>`
    select current_setting('server_version_num')::int as server,
      coalesce((select extversion from pg_extension where extname = 'vector'), '0') as vector`;
  const problem = belowFloor(row?.server ?? 0, row?.vector ?? '0');
  if (problem !== undefined) refuse('server-too-old', `${problem}, which production does not run on.`);
};

const checkTables = async (tx: Tx): Promise<void> => {
  const open = await tx.$queryRaw<{ name: string }[]>`
    select c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and c.relname <> '_prisma_migrations'
      and not (c.relrowsecurity and c.relforcerowsecurity)
    order by 1`;
  if (open.length > 0) {
    refuse('table-unforced', `Row-level security is not enabled and forced on: ${open.map((t) => t.name).join(', ')}.`);
  }
};

const checkMigrations = async (tx: Tx): Promise<void> => {
  const rows = await tx.$queryRaw<{ name: string }[]>`
    select migration_name as name from _prisma_migrations where finished_at is not null and rolled_back_at is null`;
  const applied = new Set(rows.map((row) => row.name));
  const missing = migrationNames.filter((name) => !applied.has(name));
  if (missing.length > 0) refuse('migrations-behind', `The database lacks ${missing.join(', ')}: run the migrations.`);
  const unknown = [...applied].filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) refuse('migrations-ahead', `The database is ahead of this program: ${unknown.join(', ')}.`);
};

/**
 * Refuses a database that would not keep tenants apart (docs/design.md R1). Runs inside a door, so that it sees what work there
 * would see.
 * @throws AppError `unavailable`, its code naming the cause: `database-role`, `table-unforced`, `migrations-behind`,
 *   `migrations-ahead`, `fsync-off`, `server-too-old`; and `database-login` from the door itself
 */
export const checkInside = async (tx: Tx, role: DoorRole, options: SelfCheckOptions): Promise<void> => {
  const [tables] = await tx.$queryRaw<{ there: boolean }[]>`
    select to_regclass('public._prisma_migrations') is not null as there`;
  if (!tables?.there) refuse('migrations-behind', 'The database is empty: run the migrations.');
  await checkRole(tx, role, options);
  if (options.requireDurability) await checkFloor(tx);
  await checkTables(tx);
  await checkMigrations(tx);
};
