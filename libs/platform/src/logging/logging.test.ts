import { AppError } from '@tempera/client-kit';
import { expect, it } from 'vitest';
import { createLogger } from './create-logger.js';
import { describeError } from './describe-error.js';

class PrismaClientKnownRequestError extends Error {
  override readonly name = 'PrismaClientKnownRequestError';
  readonly code = 'P2039';
  readonly meta = { driverAdapterError: { cause: { originalCode: '23514' } } };
}

it('describes a database error by its codes, never by its message, which quotes values', () => {
  const described = describeError(new PrismaClientKnownRequestError('Failing row contains (my memory)'));
  expect(described).toMatchObject({ type: 'PrismaClientKnownRequestError', code: 'P2039', sqlState: '23514' });
  expect(JSON.stringify(described)).not.toContain('my memory');
  expect(described.frames[0]).toContain('logging.test.ts');
});

it('keeps the message of our own errors, and describes causes the same way', () => {
  const cause = new PrismaClientKnownRequestError('my memory');
  const described = describeError(new AppError('unavailable', 'out', 'The database is out.', { cause }));
  expect(described).toMatchObject({ message: 'The database is out.', code: 'out', cause: { code: 'P2039' } });
  expect(JSON.stringify(described)).not.toContain('my memory');
});

it('survives causes that go in circles, and what is no error', () => {
  const error = new Error('a');
  error.cause = error;
  expect(describeError(error).type).toBe('Error');
  expect(describeError('my memory')).toEqual({ type: 'string', frames: [] });
});

it('writes one JSON object a line, without authorisation headers', () => {
  const lines: string[] = [];
  const logger = createLogger({ name: 'api', level: 'info', destination: { write: (line) => void lines.push(line) } });
  logger.info({ req: { headers: { authorization: 'Bearer token' } } }, 'hello');
  logger.debug('quiet');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ name: 'api', level: 30, msg: 'hello' });
  expect(lines[0]).not.toContain('Bearer');
});
