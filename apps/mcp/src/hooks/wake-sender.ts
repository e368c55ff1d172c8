import { readSenderState } from '../spool/sender-state.js';
import { SpoolFolder } from '../spool/spool-folder.js';
import type { World } from '../world.js';

/** Set for a process that we started ourselves, and for all that it starts: our hooks do nothing there. */
export const INNER = 'TEMPERA_INNER';
/** What the sender is started with. */
export const AS_SENDER = 'sender';

/** Starts a sender that outlives the hook, unless nothing waits or the pause after a failure is not over. */
export const wakeSender = async (world: World): Promise<void> => {
  const spool = new SpoolFolder(world);
  if ((await spool.waiting()).length === 0) return;
  const pause = await readSenderState(spool.folder);
  if (pause !== null && new Date(pause.notBefore) > world.now()) return;
  world.startDetached(['hook', 'send'], { [INNER]: AS_SENDER });
};
