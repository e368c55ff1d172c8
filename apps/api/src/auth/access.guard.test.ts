import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { GqlContextType } from '@nestjs/graphql';
import { asId, type TenantId, type UserId } from '@tempera/core';
import type { TokenScope } from '@tempera/platform';
import { expect, it } from 'vitest';
import { AccessGuard, ForMachines, OperatorOnly, PeopleOnly, Public } from './access.guard.js';
import type { Identified } from './caller.js';

class Resolver {
  forgotten(): void {}

  @Public()
  open(): void {}

  @OperatorOnly()
  running(): void {}

  @ForMachines('write')
  writing(): void {}

  @PeopleOnly()
  personal(): void {}
}

const guard = new AccessGuard(new Reflector());
const identity = { tenantId: asId<TenantId>('t'), userId: asId<UserId>('u'), sessionId: 's' };
const person = { caller: { ...identity, scopes: null } };
const machine = (...scopes: readonly TokenScope[]): Identified => ({ caller: { ...identity, scopes } });
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

it('lets a machine into what its scopes name and into nothing else', () => {
  expect(guard.canActivate(execution('writing', machine('write')))).toBe(true);
  expect(guard.canActivate(execution('writing', person))).toBe(true);
  for (const scopes of [[], ['read'], ['admin'], ['read', 'admin']] as const) {
    expect(() => guard.canActivate(execution('writing', machine(...scopes)))).toThrow('scope write');
  }
});

it('refuses every machine where people alone may go, and where nobody said that machines may', () => {
  for (const method of ['personal', 'forgotten'] as const) {
    expect(() => guard.canActivate(execution(method, machine('read', 'write', 'admin')))).toThrow('log in');
    expect(guard.canActivate(execution(method, person))).toBe(true);
  }
});
