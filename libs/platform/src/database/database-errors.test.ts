import { describe, expect, it } from 'vitest';
import { gotNoAnswer, toAppError } from './database-errors.js';

const driverError = (originalCode: string, message = 'x'): Error =>
  Object.assign(new Error(message), {
    code: 'P2039',
    meta: { driverAdapterError: { cause: { originalCode, message } } },
  });

describe('what leaves a door', () => {
  it.each(['57P01', '57P04', '53300', '08006', '3D000', '28P01', '40001'])(
    'is unavailable where the database is not there right now (%s)',
    (state) => expect(toAppError(driverError(state))).toMatchObject({ kind: 'unavailable' }),
  );

  it('is unavailable where the database lets nobody in', () => {
    const closed = driverError('55000', 'database "tempera" is not currently accepting connections');
    expect(toAppError(closed)).toMatchObject({ kind: 'unavailable', code: 'database-unavailable' });
  });

  // pg says these only in words; met with a network that passes seven bytes at a time.
  it.each([
    'Query read timeout',
    'timeout expired',
    'timeout exceeded when trying to connect',
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'There was an error establishing an SSL connection',
    'Cannot use a pool after calling end on the pool',
    'Received unexpected commandComplete message from backend.',
  ])('is unavailable where the connection broke: %s', (message) => {
    expect(toAppError(new Error(message))).toMatchObject({ kind: 'unavailable', code: 'database-unavailable' });
  });

  it('says whether anything was answered', () => {
    expect(gotNoAnswer(toAppError(new Error('Query read timeout')))).toBe(true);
    expect(gotNoAnswer(toAppError(driverError('57014')))).toBe(false);
    expect(gotNoAnswer(new Error('Query read timeout'))).toBe(false);
  });

  it('is a conflict where what a row points to went while the caller looked at it, and names no key', () => {
    const words = (act: string, key: string): string => `${act} on table "x" violates foreign key constraint "${key}"`;
    const codeOf = (message: string): unknown =>
      Reflect.get(toAppError(driverError('23503', message)) as object, 'code');
    for (const act of ['insert or update', 'update or delete']) {
      expect(codeOf(words(act, 'memory_group_fkey'))).toBe('group-changed');
      expect(codeOf(words(act, 'retrieval_hit_tenant_id_memory_id_fkey'))).toBe('gone-meanwhile');
    }
    const fault = driverError('23503', words('insert or update', 'membership_tenant_id_user_id_fkey'));
    expect(toAppError(fault)).toBe(fault);
  });

  it.each(['42703', '23505', '55000', '22P02'])('stays a fault of ours where the statement was wrong (%s)', (state) => {
    const error = driverError(state);
    expect(toAppError(error)).toBe(error);
  });
});
