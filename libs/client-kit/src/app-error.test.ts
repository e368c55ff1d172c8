import { describe, expect, it } from 'vitest';
import { AppError, errorTable, isAppError, kindOfGraphqlCode } from './app-error.js';

describe('AppError', () => {
  it('carries kind, code, message, cause and details', () => {
    const cause = new Error('beneath');
    const error = new AppError('conflict', 'slug-taken', 'The slug is taken.', { cause, details: { slug: 'web' } });
    expect(error).toBeInstanceOf(Error);
    expect(error.kind).toBe('conflict');
    expect(error.code).toBe('slug-taken');
    expect(error.message).toBe('The slug is taken.');
    expect(error.cause).toBe(cause);
    expect(error.details).toEqual({ slug: 'web' });
  });

  it('is recognised by shape, so that two copies of the library agree', () => {
    const foreign = Object.assign(new Error('x'), { name: 'AppError', kind: 'not-found', code: 'gone', details: {} });
    expect(isAppError(new AppError('internal', 'x', 'y'))).toBe(true);
    expect(isAppError(foreign)).toBe(true);
    expect(isAppError(Object.assign(new Error('x'), { name: 'AppError', kind: 'toString', code: 'x' }))).toBe(false);
    expect(isAppError(new Error('plain'))).toBe(false);
    expect(isAppError({ kind: 'not-found', code: 'x', name: 'AppError' })).toBe(false);
    expect(isAppError(undefined)).toBe(false);
  });
});

describe('the error table', () => {
  it('gives every kind a code of its own, and leads back from the code to the kind', () => {
    const codes = Object.values(errorTable).map((rule) => rule.graphqlCode);
    expect(new Set(codes).size).toBe(codes.length);
    for (const [kind, rule] of Object.entries(errorTable)) expect(kindOfGraphqlCode(rule.graphqlCode)).toBe(kind);
    expect(kindOfGraphqlCode('SOMETHING_ELSE')).toBeNull();
  });

  it('has the exit codes that scripts rely on', () => {
    expect(errorTable['invalid-input'].exitCode).toBe(2);
    expect(errorTable.unauthenticated.exitCode).toBe(3);
    expect(errorTable.forbidden.exitCode).toBe(3);
    expect(errorTable['not-found'].exitCode).toBe(4);
    expect(errorTable.conflict.exitCode).toBe(5);
    expect(errorTable['limit-exceeded'].exitCode).toBe(5);
    expect(errorTable.unavailable.exitCode).toBe(6);
    expect(errorTable.internal.exitCode).toBe(1);
  });

  it('lets only outages and faults of ours be tried again', () => {
    const retried = Object.entries(errorTable).filter(([, rule]) => rule.retryable);
    expect(retried.map(([kind]) => kind).sort()).toEqual(['internal', 'unavailable']);
  });
});
