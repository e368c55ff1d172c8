import type { z } from 'zod';

/** Whoever can put an operation to a service, as one login. */
export interface GraphqlAsker {
  /**
   * Sends an operation and reads one field of the answer.
   *
   * @param mayRepeat whether it may be sent again when nothing came back: only what changes nothing, or carries an
   * idempotency key
   * @throws AppError by the service's error code
   */
  ask<Shape extends z.ZodType>(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    field: string,
    shape: Shape,
    mayRepeat: boolean,
  ): Promise<z.output<Shape>>;
}
