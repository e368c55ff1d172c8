import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { AppError } from '@tempera/client-kit';
import { createLogger } from '@tempera/platform';
import { describe, expect, it } from 'vitest';
import { asFailure } from './as-failure.js';

const logger = createLogger({ name: 'test', level: 'silent' });

const failureOf = (error: unknown, attempt = 1): Error =>
  asFailure(error, { activity: 'runPages', attempt, workflowId: 'w', logger, newId: () => 'number-7' });

describe('an error of an activity', () => {
  it('is not tried again when trying again cannot help', () => {
    for (const kind of [
      'invalid-input',
      'unauthenticated',
      'forbidden',
      'not-found',
      'conflict',
      'limit-exceeded',
    ] as const) {
      const failure = failureOf(new AppError(kind, 'some-code', 'A sentence.'));
      expect(failure).toMatchObject({ nonRetryable: true, type: 'some-code', message: 'A sentence.' });
    }
  });

  it('is tried again for as long as it takes when something is away', () => {
    expect(failureOf(new AppError('unavailable', 'database-unavailable', 'Away.'), 1_000)).toMatchObject({
      nonRetryable: false,
    });
  });

  it('is tried again a bounded number of times when nobody foresaw it', () => {
    expect(failureOf(new Error('boom'), 9)).toMatchObject({ nonRetryable: false });
    expect(failureOf(new Error('boom'), 10)).toMatchObject({ nonRetryable: true });
  });

  it('tells the engine nothing of what it said, only a number to look up', () => {
    const failure = failureOf(new Error('duplicate key: (text) = (my secret)'));
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure.message).toBe('Something went wrong on our side (number-7).');
    expect(JSON.stringify(failure)).not.toContain('secret');
  });

  it('stays a cancellation when it is one', () => {
    const cancelled = new CancelledFailure('WORKER_SHUTDOWN');
    expect(failureOf(cancelled)).toBe(cancelled);
  });
});
