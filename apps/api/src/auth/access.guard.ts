import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type GqlContextType, GqlExecutionContext } from '@nestjs/graphql';
import { type Identified, notLoggedIn } from './caller.js';

type Audience = 'public' | 'operator';
const AUDIENCE = 'tempera:audience';

/** Needs no token. The list of such operations is short and tested. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(AUDIENCE, 'public' satisfies Audience);

/** Needs an operator's token; a person's does not do. */
export const OperatorOnly = (): MethodDecorator & ClassDecorator =>
  SetMetadata(AUDIENCE, 'operator' satisfies Audience);

/** Every operation is closed unless it says otherwise, so that a forgotten decorator refuses rather than opens. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(execution: ExecutionContext): boolean {
    const audience = this.reflector.getAllAndOverride<Audience | undefined>(AUDIENCE, [
      execution.getHandler(),
      execution.getClass(),
    ]);
    if (audience === 'public') return true;
    if (execution.getType<GqlContextType>() !== 'graphql') throw notLoggedIn();
    const { caller, operator } = GqlExecutionContext.create(execution).getContext<Identified>();
    if ((audience === 'operator' ? operator : caller) === undefined) throw notLoggedIn();
    return true;
  }
}
