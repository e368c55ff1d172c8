import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { GqlExecutionContext } from '@nestjs/graphql';
import { AppError } from '@tempera/client-kit';
import type { TenantId, UserId } from '@tempera/core';
import type { TokenScope } from '@tempera/platform';

/** Who a request speaks for. It says nothing of roles: the database does, at each request. */
export interface Caller {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  readonly sessionId: string;
  /** What a machine's token may do; null for a person who logged in. */
  readonly scopes: readonly TokenScope[] | null;
}

/** An operator runs the instance, belongs to no tenant and sees no memories. */
export interface OperatorCaller {
  readonly operatorId: string;
}

/** The one answer to a missing, expired, foreign or malformed token: which of them it was helps only attackers. */
export const notLoggedIn = (): AppError =>
  new AppError('unauthenticated', 'not-logged-in', 'Log in first: there is no valid access token.');

/** The part of a request's context that says who asks. */
export interface Identified {
  /** Absent: no token, or an operator's. */
  readonly caller?: Caller;
  readonly operator?: OperatorCaller;
}

const contextOf = (execution: ExecutionContext): Identified =>
  GqlExecutionContext.create(execution).getContext<Identified>();

/** The person of this request. @throws AppError `unauthenticated` */
export const CurrentCaller = createParamDecorator((_data: unknown, execution: ExecutionContext): Caller => {
  const { caller } = contextOf(execution);
  if (caller === undefined) throw notLoggedIn();
  return caller;
});

/** The operator of this request. @throws AppError `unauthenticated` */
export const CurrentOperator = createParamDecorator((_data: unknown, execution: ExecutionContext): OperatorCaller => {
  const { operator } = contextOf(execution);
  if (operator === undefined) throw notLoggedIn();
  return operator;
});
