import { AppError } from '@tempera/client-kit';
import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import { answerFor, toFormattedError } from './format-error.js';

const thrownIn = (error: Error): GraphQLError => new GraphQLError(error.message, { path: ['x'], originalError: error });

describe('what a caller learns of an error', () => {
  it('is the code, message and details of an error meant for him', () => {
    const answer = answerFor(
      thrownIn(new AppError('not-found', 'no-such-thing', 'No such thing.', { details: { id: '7' } })),
    );
    expect(answer).toEqual({
      kind: 'not-found',
      code: 'NOT_FOUND',
      message: 'No such thing.',
      details: { reason: 'no-such-thing', id: '7' },
    });
  });

  it('is a fixed text for everything else, internal errors of ours included', () => {
    const others = [
      thrownIn(new Error('select * from memory')),
      thrownIn(new AppError('internal', 'bug', 'secret', { details: { secret: 1 } })),
      new Error('bare'),
      'a string',
      undefined,
      new GraphQLError('Int cannot represent 1.5', { path: ['a'] }),
      new GraphQLError('x', { path: ['a'], extensions: { code: 'SOMETHING_NEW' } }),
    ];
    for (const error of others) {
      const answer = answerFor(error);
      expect(answer.code).toBe('INTERNAL');
      expect(answer.message).toBe('Something went wrong on our side.');
      expect(answer.details).toBeUndefined();
    }
  });

  it('is bad input for what GraphQL itself refused, without the names it would propose', () => {
    const refused = new GraphQLError('Cannot query field "mee" on type "Query". Did you mean "me"?', {
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    });
    expect(answerFor(refused)).toMatchObject({
      code: 'BAD_USER_INPUT',
      message: 'Cannot query field "mee" on type "Query".',
    });
    expect(answerFor(new GraphQLError('Too many errors processing variables')).code).toBe('BAD_USER_INPUT');
  });

  it('carries the request id, and no place in the document for a fault of ours', () => {
    const place = { locations: [{ line: 1, column: 2 }], path: ['me'] };
    expect(toFormattedError(answerFor(new Error('x')), place, 'r-1')).toEqual({
      message: 'Something went wrong on our side.',
      path: ['me'],
      extensions: { code: 'INTERNAL', requestId: 'r-1' },
    });
  });
});
