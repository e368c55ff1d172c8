// Whoever asks what a command does waits for neither a build nor servers: a compiled program tells it by itself.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.mjs';

/** Whether a command line asks for help alone. */
export const asksHelp = (args) => args.includes('--help');

/** Whether a program of the checkout is compiled, from whatever sources. */
export const isCompiled = (script) =>
  existsSync(join(projectRoot, script)) && existsSync(join(projectRoot, 'node_modules'));
