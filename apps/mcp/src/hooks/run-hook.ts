import type { World } from '../world.js';
import { type HookInput, readHookInput } from './hook-input.js';
import { type HookOutput, writtenOutput } from './hook-output.js';
import { AS_SENDER, INNER, wakeSender } from './wake-sender.js';

/** A prompt may hold a pasted file; more than this no turn keeps. */
const MAX_INPUT_BYTES = 8 * 1024 * 1024;

const ended = async (input: HookInput, world: World): Promise<null> => {
  const { RememberedPrompts } = await import('./remembered-prompts.js');
  await wakeSender(world);
  await new RememberedPrompts(world).forget(input.sessionKey);
  return null;
};

/** What a hook does, by its name on the command line; each loads what it needs and no more. */
const HOOKS: Readonly<Record<string, (input: HookInput, world: World) => Promise<HookOutput | null>>> = {
  'session-start': async (input, world) => (await import('./session-start.js')).onSessionStart(input, world),
  'user-prompt-submit': async (input, world) => (await import('./user-prompt.js')).onUserPrompt(input, world),
  stop: async (input, world) => {
    await (await import('./stop.js')).onStop(input, world);
    return null;
  },
  'session-end': ended,
  'pre-compact': async (_, world) => {
    await wakeSender(world);
    return null;
  },
};

type Say = (text: string) => Promise<void>;
const sayNothing: Say = () => Promise.resolve();

const readAll = async ({ stdin }: World): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const piece = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += piece.length;
    if (bytes > MAX_INPUT_BYTES) return '';
    chunks.push(piece);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const send = async (world: World): Promise<void> => {
  if (world.environment[INNER] !== AS_SENDER) return;
  const { Sender } = await import('../spool/sender.js');
  await new Sender(world).run(false);
};

/**
 * Runs one hook of a client. Whatever goes wrong, nothing is thrown and nothing said: a memory that fails must not be noticed.
 *
 * @param say writes on standard output, before anything is done that the session need not wait for
 * @returns what was said; `null` for nothing
 */
export const runHook = async (name: string, world: World, say: Say = sayNothing): Promise<string | null> => {
  try {
    if (name === 'send') {
      await send(world);
      return null;
    }
    // What we started ourselves, and all it starts, would else capture itself for ever.
    const hook = Object.hasOwn(HOOKS, name) ? HOOKS[name] : undefined;
    if (hook === undefined || (world.environment[INNER] ?? '') !== '') return null;
    const input = readHookInput(await readAll(world));
    if (input === null || input.isInner) return null;
    try {
      const output = await hook(input, world);
      const text = output === null ? null : writtenOutput(output);
      if (text !== null) await say(text);
      return text;
    } finally {
      // What waited may go now that the service was met.
      if (name === 'session-start') await wakeSender(world).catch(() => undefined);
    }
  } catch {
    return null;
  }
};
