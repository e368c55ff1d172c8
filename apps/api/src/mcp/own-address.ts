import type { RequestHandler } from 'express';
import { RPC_CODES, refuseRpc } from './rpc-refusal.js';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** The names under which the service may be spoken to; one that only this machine reaches has the names of this machine. */
const hostsOf = ({ hostname, host, port }: URL): ReadonlySet<string> =>
  new Set(LOOPBACK.includes(hostname) ? LOOPBACK.map((name) => (port === '' ? name : `${name}:${port}`)) : [host]);

/**
 * Refuses what was sent under a name that is not ours, or from a page that is not ours: a page whose own name was made to
 * lead here (DNS rebinding) would else speak to the service as if it were its own.
 */
export const ownAddress = (publicUrl: string): RequestHandler => {
  const url = new URL(publicUrl);
  const hosts = hostsOf(url);
  return ({ headers: { host, origin } }, response, next) => {
    if (host === undefined || !hosts.has(host.toLowerCase()))
      return refuseRpc(response, 403, RPC_CODES.transport, 'The service is not known under this host name.');
    if (origin !== undefined && origin !== url.origin)
      return refuseRpc(response, 403, RPC_CODES.transport, 'Pages of another origin do not call this service.');
    next();
  };
};
