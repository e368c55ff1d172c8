import { promptBlock, promptInjectionView } from '@tempera/client-kit';
import { INJECT_FOR_PROMPT } from '../graphql/turn-operations.js';
import type { World } from '../world.js';
import type { HookInput } from './hook-input.js';
import type { HookOutput } from './hook-output.js';
import { askerOf, placeOf } from './hook-place.js';
import { asking, isQuiet } from './quiet.js';
import { RememberedPrompts } from './remembered-prompts.js';
import { cutToBytes, keepable } from './said.js';
import { loginLine } from './told-once.js';

/** What the service takes of a prompt as a question. */
const MAX_QUESTION_BYTES = 8_192;
const MAX_HITS = 3;

/** Remembers the prompt for the end of its turn, and asks what the memory knows of it. */
export const onUserPrompt = async (input: HookInput, world: World): Promise<HookOutput | null> => {
  const prompt = keepable(input.prompt);
  const isNew = await new RememberedPrompts(world).remember(input.sessionKey, input.promptKey, prompt);
  // A command of the client is no question; nor is it asked twice, or of a service that just did not answer.
  if (!isNew || prompt === '' || prompt.startsWith('/') || (await isQuiet(world))) return null;
  const place = await placeOf(input, world);
  const asker = askerOf(place, world);
  if (asker === null) return null;
  const request = {
    project: asker.project,
    sessionKey: input.sessionKey,
    promptKey: input.promptKey ?? world.newId(),
    prompt: cutToBytes(prompt, MAX_QUESTION_BYTES),
    limit: MAX_HITS,
  };
  try {
    const view = await asking(() =>
      asker.client.ask(INJECT_FOR_PROMPT, { input: request }, 'injectForPrompt', promptInjectionView, false),
    );
    const context = promptBlock(view, { now: world.now(), randomHex: () => world.randomHex() });
    return context === null ? null : { event: 'UserPromptSubmit', context };
  } catch (error) {
    const line = await loginLine(error, place, world);
    return line === null ? null : { event: 'UserPromptSubmit', line };
  }
};
