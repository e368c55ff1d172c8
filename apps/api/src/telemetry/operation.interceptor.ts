import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { GqlExecutionContext } from '@nestjs/graphql';
import { beginSpan, endSpan, isTracing, withinSpan } from '@tempera/platform';
import type { GraphQLResolveInfo } from 'graphql';
import { Observable } from 'rxjs';
import { operationLabel } from './operation-label.js';

const nameOf = (context: ExecutionContext): string => {
  const { fieldName } = GqlExecutionContext.create(context).getInfo<GraphQLResolveInfo>();
  return `graphql ${operationLabel([fieldName])}`;
};

/** A span for each operation of a request: a root field, with all that its service does. */
@Injectable()
export class OperationInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (!isTracing() || context.getType<string>() !== 'graphql') return next.handle();
    const span = beginSpan(nameOf(context), 'INTERNAL');
    return new Observable((subscriber) =>
      withinSpan(span, () =>
        next.handle().subscribe({
          next: (value) => subscriber.next(value),
          error: (error: unknown) => {
            endSpan(span, error);
            subscriber.error(error);
          },
          complete: () => {
            endSpan(span);
            subscriber.complete();
          },
        }),
      ),
    );
  }
}
