import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { GqlContextType } from '@nestjs/graphql';
import { asId, type TenantId, type UserId } from '@tempera/core';
import { expect, it } from 'vitest';
import { AccessGuard, OperatorOnly, Public } from './access.guard.js';
import type { Identified } from './caller.js';

class Resolver {
  forgotten(): void {}

  @Public()
  open(): void {}

  @OperatorOnly()
  running(): void {}
}

const guard = new AccessGuard(new Reflector());
const person = { caller: { tenantId: asId<TenantId>('t'), userId: asId<UserId>('u'), sessionId: 's' } };
const operator = { operator: { operatorId: 'o' } };

const execution = (method: keyof Resolver, context: Identified, type: GqlContextType = 'graphql'): ExecutionContext => {
  const host = new ExecutionContextHost([{}, {}, context, {}], Resolver, Resolver.prototype[method]);
  host.setType(type);
  return host;
};

it('closes an operation whose author forgot to say who may call it', () => {
  expect(() => guard.canActivate(execution('forgotten', {}))).toThrow('Log in');
  expect(() => guard.canActivate(execution('forgotten', operator))).toThrow('Log in');
  expect(guard.canActivate(execution('forgotten', person))).toBe(true);
});

it('closes an HTTP route that is not said to be public', () => {
  expect(() => guard.canActivate(execution('forgotten', person, 'http'))).toThrow('Log in');
  expect(guard.canActivate(execution('open', {}, 'http'))).toBe(true);
});

it("keeps operators' operations from people", () => {
  expect(() => guard.canActivate(execution('running', person))).toThrow('Log in');
  expect(() => guard.canActivate(execution('running', {}))).toThrow('Log in');
  expect(guard.canActivate(execution('running', operator))).toBe(true);
});
