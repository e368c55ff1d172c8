import type { WaitingHere } from '@tempera/client-kit';
import type { World } from '../world.js';
import { readSenderStates } from './sender-state.js';
import { SpoolFolder } from './spool-folder.js';

/** What waits on this machine, and what became of what could not be delivered. */
export const spoolSummary = async (world: World): Promise<WaitingHere> => {
  const spool = new SpoolFolder(world);
  const waiting = await spool.waiting();
  const states = waiting.length === 0 ? [] : [...(await readSenderStates(spool.folder)).values()];
  const [state = null] = states.sort((one, other) => one.notBefore.localeCompare(other.notBefore));
  return {
    waiting: waiting.length,
    bytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0),
    since: waiting[0]?.since ?? null,
    setAside: (await spool.setAsides()).length,
    lost: await spool.lost(),
    why: state === null ? null : state.message,
    nextTry: state === null ? null : new Date(state.notBefore),
  };
};
