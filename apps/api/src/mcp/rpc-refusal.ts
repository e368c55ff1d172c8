import type { Response } from 'express';

/** Codes of JSON-RPC 2.0, and the one that MCP's transport uses for what HTTP itself refuses. */
export const RPC_CODES = { parse: -32_700, request: -32_600, method: -32_601, transport: -32_000 } as const;

/** Refuses a request in the shape that a client of the protocol reads. */
export const refuseRpc = (
  response: Response,
  status: number,
  code: number,
  message: string,
  id: unknown = null,
): void => {
  const shown = typeof id === 'string' || typeof id === 'number' ? id : null;
  response
    .status(status)
    .set('cache-control', 'no-store')
    .json({ jsonrpc: '2.0', id: shown, error: { code, message } });
};
