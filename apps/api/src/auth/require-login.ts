import { AppError } from '@tempera/client-kit';
import { sessionKind, type Tx } from '@tempera/platform';
import type { Caller } from './caller.js';

/**
 * A machine's token must not make what outlives it: with a login code or a new token its holder would stay in after it
 * was revoked.
 * @throws AppError `forbidden` unless a person logged in
 */
export const requireLogin = async (tx: Tx, { tenantId, sessionId }: Caller): Promise<void> => {
  if ((await sessionKind(tx, tenantId, sessionId)) === 'login') return;
  throw new AppError('forbidden', 'login-needed', 'A personal access token cannot do this; log in.');
};
