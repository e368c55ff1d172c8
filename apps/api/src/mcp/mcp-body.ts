import type { ErrorRequestHandler, RequestHandler } from 'express';
import { bodyFault, jsonBody } from '../http/graphql-body.js';
import { RPC_CODES, refuseRpc } from './rpc-refusal.js';

/** Reads one message. Several in one request were spoken by one revision of the protocol only, and escaped its limits. */
export const mcpBody: RequestHandler = (request, response, next) =>
  jsonBody(request, response, (error?: unknown) => {
    if (error !== undefined) return next(error);
    if (Array.isArray(request.body))
      return refuseRpc(response, 400, RPC_CODES.request, 'Send one message in a request; batches are not taken.');
    next();
  });

/** A body that could not be read is answered in JSON-RPC's shape. */
export const mcpBodyRefused: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) return next(error);
  const { status, message } = bodyFault(error);
  refuseRpc(response, status, status === 400 ? RPC_CODES.parse : RPC_CODES.request, message);
};
