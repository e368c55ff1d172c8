import { pausedLogins, readSenderStates } from '../spool/sender-state.js';
import { loginIn, SpoolFolder } from '../spool/spool-folder.js';
import type { World } from '../world.js';

/** Set for a process that we started ourselves, and for all that it starts: our hooks do nothing there. */
export const INNER = 'TEMPERA_INNER';
/** What the sender is started with. */
export const AS_SENDER = 'sender';

/** Starts a sender that outlives the hook, unless nothing waits, or only what belongs to logins whose pause after a failure is not over. */
export const wakeSender = async (world: World): Promise<void> => {
  const spool = new SpoolFolder(world);
  const names = await spool.names();
  if (names.length === 0) return;
  const paused = pausedLogins(await readSenderStates(spool.folder), world);
  if (names.every((name) => paused.has(loginIn(name) ?? ''))) return;
  world.startDetached(['hook', 'send'], { [INNER]: AS_SENDER });
};
