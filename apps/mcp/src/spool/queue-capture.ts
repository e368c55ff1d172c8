import { type CaptureRequest, redactValues } from '@tempera/client-kit';
import { wakeSender } from '../hooks/wake-sender.js';
import type { World } from '../world.js';
import { SpoolFolder } from './spool-folder.js';

/** Puts a capture that met no service into the spool, under its own key. @returns whether it is kept */
export const queueCapture = async (
  request: CaptureRequest,
  loginKey: string | null,
  world: World,
): Promise<boolean> => {
  if (loginKey === null) return false;
  const { value } = redactValues(request, ['idempotencyKey', 'sessionKey', 'promptKey']);
  const added = await new SpoolFolder(world).add({ kind: 'capture', login: loginKey, capture: { ...value } });
  await wakeSender(world);
  return added !== 'full';
};
