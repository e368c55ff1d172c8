import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { GqlExecutionContext } from '@nestjs/graphql';
import type { Request } from 'express';
import { isIPv6 } from 'node:net';
import type { GraphqlContext } from '../graphql/graphql-context.js';

const MAPPED_V4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The first four groups of an IPv6 address, written out. */
const prefix64 = (address: string): string => {
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(8 - before.length - after.length, 0);
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
};

/**
 * What counts as one address: an IPv4 address, or a /64 of IPv6, which is what one household or machine is given and can
 * change within at will.
 */
export const networkOf = (address: string): string => {
  const [, mapped] = MAPPED_V4.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  return isIPv6(address) ? `${prefix64(address)}::/64` : address;
};

/** Where a request comes from: the peer of the connection, or whom a trusted proxy (TRUSTED_PROXIES) names. */
export const addressOf = ({ ip }: Pick<Request, 'ip'>): string => networkOf(ip ?? 'unknown');

/** The address of this request, for {@link AttemptLimiter}. */
export const ClientAddress = createParamDecorator((_data: unknown, execution: ExecutionContext): string =>
  addressOf(GqlExecutionContext.create(execution).getContext<GraphqlContext>().req),
);
