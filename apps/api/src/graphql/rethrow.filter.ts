import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import type { GqlContextType } from '@nestjs/graphql';

/**
 * Hands what a resolver threw to GraphQL as it is: Nest's own filter would log the message, which may quote a memory, and
 * the one place that reports errors would not be the one place. A returned error is treated by graphql-js as thrown.
 */
@Catch()
export class RethrowFilter extends BaseExceptionFilter implements ExceptionFilter {
  override catch(exception: unknown, host: ArgumentsHost): unknown {
    if (host.getType<GqlContextType>() !== 'graphql') return super.catch(exception, host);
    return exception instanceof Error ? exception : new Error('Something that is no error was thrown.');
  }
}
