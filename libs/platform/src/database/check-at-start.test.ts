import { AppError } from '@tempera/client-kit';
import { describe, expect, it } from 'vitest';
import { checkAtStart } from './check-at-start.js';

const unavailable = (cause: object): AppError =>
  new AppError('unavailable', 'database-unavailable', 'The database does not answer right now.', { cause });
const slow = unavailable({ code: 'P2028' });
const starting = unavailable({ code: '57P03' });
const absent = unavailable({ code: 'ECONNREFUSED' });

/** Fails so in turns, and then succeeds. */
const doorsThat = (...failures: readonly AppError[]) => {
  let tries = 0;
  const selfCheck = (): Promise<void> => {
    const failure = failures[(tries += 1) - 1];
    return failure === undefined ? Promise.resolve() : Promise.reject(failure);
  };
  return { selfCheck, tries: () => tries };
};

describe('the check of a program that starts', () => {
  it('waits for a database that is slow or starting up', async () => {
    const doors = doorsThat(slow, starting, slow);
    await checkAtStart(doors, { patienceMs: 10_000, againMs: 0 });
    expect(doors.tries()).toBe(4);
  });

  it('waits for no database that refuses, and not without end', async () => {
    const refusing = doorsThat(absent);
    await expect(checkAtStart(refusing, { patienceMs: 10_000, againMs: 0 })).rejects.toBe(absent);
    expect(refusing.tries()).toBe(1);
    await expect(checkAtStart(doorsThat(slow), { patienceMs: -1, againMs: 0 })).rejects.toBe(slow);
  });
});
