import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type GqlContextType, GqlExecutionContext } from '@nestjs/graphql';
import { AppError } from '@tempera/client-kit';
import type { TokenScope } from '@tempera/platform';
import { type Caller, type Identified, notLoggedIn } from './caller.js';
import { loginNeeded } from './require-login.js';

type Audience = 'public' | 'operator';
/** Which machines an operation takes: those whose token has the scope, or none. */
type Machines = TokenScope | 'none';
const AUDIENCE = 'tempera:audience';
const MACHINES = 'tempera:machines';

/** Needs no token. The list of such operations is short and tested. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(AUDIENCE, 'public' satisfies Audience);

/** Needs an operator's token; a person's does not do. */
export const OperatorOnly = (): MethodDecorator & ClassDecorator =>
  SetMetadata(AUDIENCE, 'operator' satisfies Audience);

/** Takes a person, and a machine whose personal access token has this scope. */
export const ForMachines = (scope: TokenScope): MethodDecorator & ClassDecorator =>
  SetMetadata(MACHINES, scope satisfies Machines);

/** Takes people who logged in and no machine, whatever its scopes: for what would outlive a stolen token. */
export const PeopleOnly = (): MethodDecorator & ClassDecorator => SetMetadata(MACHINES, 'none' satisfies Machines);

/** Every operation is closed unless it says otherwise, so that a forgotten decorator refuses rather than opens. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(execution: ExecutionContext): boolean {
    const audience = this.said<Audience>(AUDIENCE, execution);
    if (audience === 'public') return true;
    if (execution.getType<GqlContextType>() !== 'graphql') throw notLoggedIn();
    const { caller, operator } = GqlExecutionContext.create(execution).getContext<Identified>();
    if (audience === 'operator') {
      if (operator === undefined) throw notLoggedIn();
    } else {
      if (caller === undefined) throw notLoggedIn();
      requireScope(caller, this.said<Machines>(MACHINES, execution) ?? 'none');
    }
    return true;
  }

  private said<T>(key: string, execution: ExecutionContext): T | undefined {
    return this.reflector.getAllAndOverride<T | undefined>(key, [execution.getHandler(), execution.getClass()]);
  }
}

const requireScope = ({ scopes }: Caller, needed: Machines): void => {
  if (scopes === null) return;
  if (needed === 'none') throw loginNeeded();
  if (scopes.includes(needed)) return;
  // The word of RFC 6750, which clients know.
  throw new AppError('forbidden', 'insufficient_scope', `This token does not have the scope ${needed}.`, {
    details: { scope: needed },
  });
};
