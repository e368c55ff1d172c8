import { AppError } from '@tempera/client-kit';
import { sessionKind, type Tx } from '@tempera/platform';
import type { Caller } from './caller.js';

/** Told to a machine that asks for what only a person may do. */
export const loginNeeded = (): AppError =>
  new AppError('forbidden', 'login-needed', 'A personal access token cannot do this; log in.');

/**
 * A machine's token must not make what outlives it: with a login code or a new token its holder would stay in after it
 * was revoked.
 * @throws AppError `forbidden` unless a person logged in
 */
export const requireLogin = async (tx: Tx, { tenantId, sessionId }: Caller): Promise<void> => {
  if ((await sessionKind(tx, tenantId, sessionId)) !== 'login') throw loginNeeded();
};
