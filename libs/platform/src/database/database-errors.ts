import { AppError } from '@tempera/client-kit';
import { audienceErrors } from './audience-errors.js';
import { asVanished } from './vanished.js';

/** Prisma codes that mean "not now": unreachable, timed out, closed, no free connection, too many connections. */
const unavailablePrismaCodes = new Set(['P1001', 'P1002', 'P1008', 'P1011', 'P1017', 'P2024', 'P2037']);

/** Node's codes for a network that does not answer. */
const unavailableSystemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'ENOENT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/**
 * SQLSTATEs that a later attempt may not meet: timeouts, shutdown, deadlock, serialisation, no connections left, and a
 * database that is not there (yet) or lets nobody in, as during a restore or a rotation of its passwords.
 */
const unavailableSqlStates = new Set(
  '57014 55P03 57P01 57P02 57P03 57P04 57P05 53300 40001 40P01 25P03 3D000 28P01 28000'.split(' '),
);

/** What pg, its pool and Prisma's transaction manager say only in words. */
const brokenConnection = new RegExp(
  [
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'Unable to start a transaction in the given time',
    'Connection terminated',
    'has encountered a connection error',
    'Client was closed and is not queryable',
    'error establishing an SSL connection',
    'Cannot use a pool after calling end',
    'Received unexpected \\w+ message from backend',
    'Transaction already closed',
    'not currently accepting connections',
  ].join('|'),
);

/** What a tenant may not keep more of. */
const overQuota = (limit: string, what: (quota: string) => string, error: unknown): AppError => {
  const quota = QUOTA.exec(messageOf(error))?.[1] ?? 'so many';
  return new AppError('limit-exceeded', `quota-${limit}`, what(quota), { details: { limit, quota: Number(quota) } });
};

/** Errors our own functions raise, by SQLSTATE (class TM), as what the caller is told. */
const ownErrors: Readonly<Record<string, (error: unknown) => AppError>> = {
  TM001: () => new AppError('conflict', 'stale-revision', 'The memory has changed since this was computed.'),
  TM002: () => new AppError('not-found', 'no-such-retrieval', 'No retrieval of yours showed this memory.'),
  TM031: (error) =>
    overQuota(
      'memories',
      (quota) =>
        `Your tenant keeps ${quota} memories, which is its quota; archiving or forgetting one makes room at once.`,
      error,
    ),
  TM032: (error) =>
    overQuota(
      'bytes',
      (quota) =>
        `Your tenant keeps ${quota} bytes of memories, which is its quota; erasing makes room, 30 days after forgetting.`,
      error,
    ),
  TM033: (error) =>
    overQuota(
      'embeddings',
      (quota) => `Your tenant stored ${quota} vectors today, which is its quota until midnight UTC.`,
      error,
    ),
  TM0A1: () =>
    new AppError('conflict', 'supersession-circle', 'These memories would supersede each other in a circle.'),
  TM0A2: () =>
    new AppError('conflict', 'successor-gone', 'What would take its place is archived, forgotten or expired.'),
  TM0A3: () =>
    new AppError(
      'forbidden',
      'maintainers-restore',
      'A maintainer put it away for all who see it: a maintainer lets it stand again.',
    ),
  TM0A4: () =>
    new AppError(
      'conflict',
      'other-audience',
      'What shows that a memory is false must be seen by all who see the memory; share that first.',
    ),
  TM003: () => new AppError('conflict', 'last-owner', 'A tenant keeps at least one owner.'),
  TM020: () => new AppError('conflict', 'project-archived', 'This project is archived; restore it first.'),
  TM054: () =>
    new AppError(
      'conflict',
      'not-alike',
      'Memories are merged by who maintains them, into one in use that the same people see and that is of the same kind.',
    ),
  ...audienceErrors,
};

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** The error, its driver error and their causes, outermost first. */
const chain = (error: unknown): unknown[] => {
  const found: unknown[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || found.includes(value) || found.length > 12) return;
    found.push(value);
    visit(property(property(value, 'meta'), 'driverAdapterError'));
    visit(property(value, 'cause'));
  };
  visit(error);
  return found;
};

const QUOTA = /quota of (\d+)/;

/** The words of the database, wherever Prisma put them. */
const messageOf = (error: unknown): string =>
  chain(error)
    .map((link) => String(property(link, 'originalMessage') ?? property(link, 'message') ?? ''))
    .join('\n');

/**
 * The SQLSTATE behind an error that came out of a door, or `null`.
 * Prisma buries it: `meta.driverAdapterError.cause.originalCode`.
 */
export const sqlStateOf = (error: unknown): string | null => {
  for (const link of chain(error)) {
    const state = property(link, 'originalCode') ?? property(link, 'code');
    if (typeof state === 'string' && /^[0-9A-Z]{5}$/.test(state) && !/^P\d{4}$/.test(state)) return state;
  }
  return null;
};

const FOREIGN_KEY = '23503';

/** Whether a key is taken. Callers turn it into their own `conflict`; nobody shows the constraint's name. */
export const isUniqueViolation = (error: unknown): boolean => sqlStateOf(error) === '23505';

/** Whether the database refused: a policy or a missing grant. What is hidden answers like what does not exist. */
export const isRefused = (error: unknown): boolean => sqlStateOf(error) === '42501';

const isUnavailable = (error: unknown): boolean => {
  const state = sqlStateOf(error);
  if (state !== null && (unavailableSqlStates.has(state) || state.startsWith('08'))) return true;
  return chain(error).some((link) => {
    const code = property(link, 'code');
    const kind = property(link, 'kind');
    const message = property(link, 'message');
    if (kind === 'DatabaseNotReachable' || kind === 'SocketTimeout' || kind === 'ConnectionClosed') return true;
    if (typeof code === 'string' && (unavailablePrismaCodes.has(code) || unavailableSystemCodes.has(code))) return true;
    return typeof message === 'string' && brokenConnection.test(message);
  });
};

const NO_TRANSACTION_IN_TIME = 'P2028';
const STARTING_UP = '57P03';

/** Whether a database is there and did not get round to answering: it is busy, or starting. */
export const isTooBusy = (error: unknown): boolean =>
  sqlStateOf(error) === STARTING_UP ||
  chain(error).some((link) => {
    const message = property(link, 'message');
    return (
      property(link, 'code') === NO_TRANSACTION_IN_TIME ||
      (typeof message === 'string' && message.includes('timeout exceeded when trying to connect'))
    );
  });

/**
 * What leaves a door: an AppError for what our functions raise and for a database that is not there; everything else as
 * it is, so that it stays internal unless the caller knows better.
 */
export const toAppError = (error: unknown): unknown => {
  if (error instanceof AppError) return error;
  const state = sqlStateOf(error);
  const own = ownErrors[state ?? ''];
  if (own) return own(error);
  const vanished = state === FOREIGN_KEY ? asVanished(messageOf(error)) : null;
  if (vanished !== null) return Object.assign(vanished, { cause: error });
  if (!isUnavailable(error)) return error;
  return new AppError('unavailable', 'database-unavailable', 'The database does not answer right now.', {
    cause: error,
  });
};

/** Whether what left a door got no answer of the database at all, so that whoever asks it now will probably get none either. */
export const gotNoAnswer = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'database-unavailable' && sqlStateOf(error) === null;
