import { sessionBlock, sessionStartView } from '@tempera/client-kit';
import { branchOf } from '../folder/git-folder.js';
import { START_SESSION } from '../graphql/turn-operations.js';
import { workingFolder } from '../workplace.js';
import type { World } from '../world.js';
import type { HookInput } from './hook-input.js';
import type { HookOutput } from './hook-output.js';
import { askerOf, placeOf } from './hook-place.js';
import { isPlainBranch } from './plain-branch.js';
import { asking } from './quiet.js';
import { recentFiles } from './recent-files.js';
import { loginLine } from './told-once.js';

const SOURCES: ReadonlySet<string> = new Set(['startup', 'resume', 'clear', 'compact']);

/** As it may be sent: whoever named the branch may have pasted a secret. Files were cleaned before they were remembered. */
const sentBranch = async (input: HookInput, world: World): Promise<string | null> => {
  const branch = await branchOf(workingFolder({ ...world, cwd: input.folder ?? world.cwd }));
  if (branch === null || isPlainBranch(branch)) return branch;
  return (await import('./said.js')).keepableBranch(branch);
};

/** What the memory says when a session begins. */
export const onSessionStart = async (input: HookInput, world: World): Promise<HookOutput | null> => {
  const place = await placeOf(input, world);
  const asker = askerOf(place, world);
  if (asker === null) return null;
  const source = SOURCES.has(input.source) ? input.source.toUpperCase() : 'STARTUP';
  const request = {
    project: asker.project,
    sessionKey: input.sessionKey,
    source,
    branch: await sentBranch(input, world),
    files: await recentFiles(place.folder, world),
  };
  try {
    const view = await asking(() =>
      asker.client.ask(START_SESSION, { input: request }, 'startSession', sessionStartView, false),
    );
    const context = sessionBlock(view, { now: world.now(), randomHex: () => world.randomHex() });
    return context === null ? null : { event: 'SessionStart', context };
  } catch (error) {
    const line = await loginLine(error, place, world);
    return line === null ? null : { event: 'SessionStart', line };
  }
};
