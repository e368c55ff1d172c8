import { AppError } from '@tempera/client-kit';
import { connect, type Connection, type Statement } from './connect.js';
import { sqlStateOf } from './database-errors.js';
import { inContext, requireUuid, type DoorRole, type TransactionLimits, type Tx } from './context.js';
import { checkInside } from './self-check.js';
import { createSystemDoor } from './system-door.js';
import type { SystemDoor } from './system-functions.js';

/** On whose behalf tenant work runs. */
export interface Identity {
  readonly tenantId: string;
  readonly userId: string;
}

/** One login URL for each door the program needs; a door without a URL is not there. */
export interface DoorsOptions {
  /** mem_app: people's work. */
  readonly appUrl?: string;
  /** mem_worker: nightly steps. */
  readonly workerUrl?: string;
  /** mem_text: embedding. */
  readonly textUrl?: string;
  /** mem_operator: tenants. */
  readonly operatorUrl?: string;
  /** Connections of the app or worker pool (default 10); the operator pool has 2. */
  readonly poolSize?: number;
  /** Connections of the text pool; default 2. */
  readonly textPoolSize?: number;
  /** How long a transaction waits for a free connection. Default 1,500: a person waits behind it. */
  readonly maxWaitMs?: number;
  /** Default 3,000. */
  readonly statementTimeoutMs?: number;
  /** Refuse a database with fsync off. Default false; the production profile sets it. */
  readonly requireDurability?: boolean;
  /** The embedded database: every login is a superuser, and only the role a door sets can be checked. */
  readonly allowSuperuserLogin?: boolean;
  /** Told of broken idle connections. */
  readonly onIdleError?: (error: Error) => void;
  /** Told of each statement that ran, without its values: for measurements. */
  readonly onStatement?: (statement: Statement) => void;
}

/** The only ways to data. Each hands `work` a transaction that is bound to a role and a tenant. */
export interface Doors {
  /** A person or agent, as mem_app: row-level security decides what is there. */
  readonly asTenant: <T>(identity: Identity, work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** A nightly step inside one tenant, as mem_worker: scores and states, no texts. */
  readonly asWorker: <T>(tenantId: string, work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Embedding inside one tenant, as mem_text. */
  readonly asText: <T>(tenantId: string, work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** An operator, as mem_operator: tenants, never memories. */
  readonly asOperator: <T>(operatorId: string, work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Named functions before a tenant is known. */
  readonly asSystem: SystemDoor;
  /** @throws AppError when the database would not keep tenants apart, or is not the one this code knows */
  readonly selfCheck: () => Promise<void>;
  /** One statement; @throws AppError `unavailable` */
  readonly ping: () => Promise<void>;
  /** How long ago the database last answered anybody, in milliseconds; infinite where it never has. */
  readonly answeredAgoMs: () => number;
  readonly close: () => Promise<void>;
}

const limitsOf = (options: DoorsOptions): TransactionLimits => ({
  statementTimeoutMs: options.statementTimeoutMs ?? 3_000,
  lockTimeoutMs: Math.min(options.statementTimeoutMs ?? 3_000, 3_000),
  idleInTransactionTimeoutMs: 10_000,
  transactionTimeoutMs: Math.max(15_000, 2 * (options.statementTimeoutMs ?? 0)),
  // With what comes before and after it, an answer within two seconds (docs/design.md D2).
  maxWaitMs: options.maxWaitMs ?? 1_500,
});

const connectAll = (options: DoorsOptions, limits: TransactionLimits): Map<DoorRole, Connection> => {
  const main = options.poolSize ?? 10;
  const wanted: [DoorRole, string | undefined, number][] = [
    ['mem_app', options.appUrl, main],
    ['mem_worker', options.workerUrl, main],
    ['mem_text', options.textUrl, options.textPoolSize ?? 2],
    ['mem_operator', options.operatorUrl, 2],
  ];
  const connections = new Map<DoorRole, Connection>();
  for (const [role, url, poolSize] of wanted) {
    if (url === undefined) continue;
    const onIdleError = options.onIdleError ?? (() => undefined);
    connections.set(
      role,
      connect({
        url,
        door: role,
        poolSize,
        maxWaitMs: limits.maxWaitMs,
        // The server's own refusal comes first; and nobody waits for what is lost longer than four seconds.
        answerTimeoutMs: limits.statementTimeoutMs + 1_000,
        onIdleError,
        canCancel: options.allowSuperuserLogin !== true,
        ...(options.onStatement === undefined ? {} : { onStatement: options.onStatement }),
      }),
    );
  }
  return connections;
};

/** Refusals at the threshold: no such role for this login, wrong password, no such database. */
const loginStates = new Set(['42501', '28P01', '28000', '3D000']);

/** Runs a check inside one door; a login that does not get in is a fault of the setting, and told as one. */
const checkDoor = async (
  connection: Connection,
  limits: TransactionLimits,
  role: DoorRole,
  work: (tx: Tx) => Promise<void>,
): Promise<void> => {
  try {
    await inContext(connection, limits, { role }, work);
  } catch (error) {
    if (!loginStates.has(sqlStateOf(error) ?? '')) throw error;
    throw new AppError('unavailable', 'database-login', `The database does not let this program in as ${role}.`, {
      cause: error,
    });
  }
};

/** Opens the doors a program needs. Connects at first use. */
export const createDoors = (options: DoorsOptions): Doors => {
  const limits = limitsOf(options);
  const connections = connectAll(options, limits);
  const connectionOf = (role: DoorRole): Connection => {
    const connection = connections.get(role);
    if (!connection) throw new AppError('internal', 'no-such-door', `This program has no login for ${role}.`);
    return connection;
  };
  const inTenant = async <T>(
    role: DoorRole,
    tenant: string,
    user: string | undefined,
    work: (tx: Tx) => Promise<T>,
  ) => {
    const tenantId = requireUuid(tenant, 'tenant');
    const context = user === undefined ? { role, tenantId } : { role, tenantId, userId: requireUuid(user, 'user') };
    return inContext(connectionOf(role), limits, context, work);
  };
  const everyDoor = async (work: (tx: Tx, role: DoorRole) => Promise<void>): Promise<void> => {
    for (const [role, connection] of connections) await checkDoor(connection, limits, role, (tx) => work(tx, role));
  };
  return {
    asTenant: async (identity, work) =>
      inTenant('mem_app', identity.tenantId, requireUuid(identity.userId, 'user'), work),
    asWorker: async (tenantId, work) => inTenant('mem_worker', tenantId, undefined, work),
    asText: async (tenantId, work) => inTenant('mem_text', tenantId, undefined, work),
    asOperator: async (operatorId, work) =>
      inContext(
        connectionOf('mem_operator'),
        limits,
        { role: 'mem_operator', userId: requireUuid(operatorId, 'operator') },
        work,
      ),
    asSystem: createSystemDoor(connectionOf, connections.has('mem_worker') ? 'mem_worker' : 'mem_text', limits),
    selfCheck: () =>
      everyDoor((tx, role) =>
        checkInside(tx, role, {
          requireDurability: options.requireDurability ?? false,
          allowSuperuserLogin: options.allowSuperuserLogin ?? false,
        }),
      ),
    ping: () =>
      everyDoor(async (tx) => {
        await tx.$queryRaw`select 1`;
      }),
    answeredAgoMs: () => {
      const last = [...connections.values()].map(({ life }) => life.answeredAt);
      return performance.now() - Math.max(...last, Number.NEGATIVE_INFINITY);
    },
    close: async () => {
      for (const connection of connections.values()) await connection.close();
    },
  };
};
