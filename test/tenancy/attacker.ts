import pg from 'pg';
import type { DoorRole } from '@tempera/platform';
import type { World } from './world.js';

/** What the database answered: rows and their number, or the error as a caller would get it. */
export type Answer =
  | { readonly kind: 'rows'; readonly count: number; readonly rows: readonly Record<string, unknown>[] }
  | { readonly kind: 'error'; readonly code: string; readonly message: string };

/** Who a transaction claims to be; raw strings, because an attacker may send any. */
export interface Claim {
  readonly tenantId: string;
  readonly userId: string;
}

/** One login that runs whatever SQL it likes, undoing all of it. Counts what reached the database. */
export interface Attacker {
  readonly attempts: () => number;
  /** Runs `work` in a transaction of this claim, and rolls it back. */
  readonly claiming: <T>(claim: Claim, work: () => Promise<T>) => Promise<T>;
  /** One statement; an error undoes that statement alone. */
  readonly attempt: (sql: string, values?: readonly unknown[]) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

const urlOf = (world: World, role: DoorRole): string => {
  if (role === 'mem_app') return world.urls.app;
  if (role === 'mem_worker') return world.urls.worker;
  return role === 'mem_text' ? world.urls.text : world.urls.operator;
};

const answerOf = async (client: pg.Client, sql: string, values: readonly unknown[]): Promise<Answer> => {
  try {
    const result = await client.query<Record<string, unknown>>(sql, [...values]);
    return { kind: 'rows', count: result.rowCount ?? 0, rows: result.rows };
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return { kind: 'error', code: error.code ?? '', message: error.message };
  }
};

/** Logs in as the role itself, with the first statement that the doors use. */
export const openAttacker = async (world: World, role: DoorRole): Promise<Attacker> => {
  const client = new pg.Client({ connectionString: urlOf(world, role) });
  await client.connect();
  let attempts = 0;
  const attempt = async (sql: string, values: readonly unknown[] = []): Promise<Answer> => {
    const answer = await answerOf(client, sql, values);
    attempts += 1;
    await client.query('rollback to savepoint attempt');
    return answer;
  };
  const claiming = async <T>(claim: Claim, work: () => Promise<T>): Promise<T> => {
    await client.query('begin');
    try {
      await client.query(
        `select set_config('role', $1, true), set_config('app.tenant_id', $2, true), set_config('app.user_id', $3, true)`,
        [role, claim.tenantId, claim.userId],
      );
      // Rolling back to it keeps it: one savepoint serves every attempt of the transaction.
      await client.query('savepoint attempt');
      return await work();
    } finally {
      await client.query('rollback');
    }
  };
  return { attempts: () => attempts, claiming, attempt, close: () => client.end() };
};

/** Opens a login for the length of `work`. */
export const withAttacker = async <T>(
  world: World,
  role: DoorRole,
  work: (attacker: Attacker) => Promise<T>,
): Promise<T> => {
  const attacker = await openAttacker(world, role);
  try {
    return await work(attacker);
  } finally {
    await attacker.close();
  }
};
