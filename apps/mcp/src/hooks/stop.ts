import { branchOf } from '../folder/git-folder.js';
import { SpoolFolder } from '../spool/spool-folder.js';
import { nameOf, type SpooledTurn } from '../spool/spool-record.js';
import { workingFolder } from '../workplace.js';
import type { World } from '../world.js';
import type { HookInput } from './hook-input.js';
import { placeOf } from './hook-place.js';
import { keptTools } from './kept-tools.js';
import { rememberFiles } from './recent-files.js';
import { RememberedPrompts } from './remembered-prompts.js';
import { keepable, keepableBranch } from './said.js';
import { tailOf } from './transcript-tail.js';
import { wakeSender } from './wake-sender.js';

type Said = Pick<SpooledTurn, 'prompt' | 'answer' | 'tools' | 'promptKey'>;

const saidIn = async (input: HookInput, world: World): Promise<Said> => {
  const [remembered, { tools, lastId }] = await Promise.all([
    new RememberedPrompts(world).find(input.sessionKey, input.promptKey),
    tailOf(input.transcript, input),
  ]);
  const answer = keepable(input.answer);
  // Where nothing names the prompt, two turns may have been answered alike.
  const promptKey =
    input.promptKey ?? remembered?.promptKey ?? nameOf(input.sessionKey, answer, lastId ?? world.now().toISOString());
  return { prompt: remembered?.prompt ?? '', answer, tools: keptTools(tools), promptKey };
};

/**
 * Puts the turn that ended into the spool. Its key is made of what it is, so that the same turn told twice is one, and one that
 * went on is told anew.
 */
export const onStop = async (input: HookInput, world: World): Promise<void> => {
  const place = await placeOf(input, world);
  // Without any login nobody would ever take it away.
  if (place.loginKey === null) return;
  const said = await saidIn(input, world);
  if (said.prompt === '' && said.answer === '' && said.tools.length === 0) return;
  const branch = await branchOf(workingFolder({ ...world, cwd: input.folder ?? world.cwd }));
  const turn: SpooledTurn = {
    key: nameOf(input.sessionKey, said.promptKey, said.prompt, said.answer, String(said.tools.length)),
    project: place.binding?.project ?? null,
    sessionKey: input.sessionKey,
    at: world.now().toISOString(),
    ...said,
    branch: keepableBranch(branch),
    client: input.client,
  };
  await new SpoolFolder(world).add({ kind: 'turn', login: place.loginKey, turn });
  await rememberFiles(place.folder, said.tools, world).catch(() => undefined);
  await wakeSender(world);
};
