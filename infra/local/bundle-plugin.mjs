// Makes the plugin's code: the compiled client and all it imports as plain .mjs, so that an installed plugin needs nothing
// beside Node. Loaded on demand it is in pieces: a hook has a fifth of a second, and takes none of the command line.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { projectRoot } from './paths.mjs';

/** Reads a database of another product, with WebAssembly beside it; who imports one does so with the installed command. */
const LEFT_OUT = ['sql.js'];

/** Writes apps/mcp/plugin/dist anew. */
export const bundlePlugin = async () => {
  const room = join(projectRoot, 'apps/mcp');
  const dir = join(room, 'plugin/dist');
  rmSync(dir, { recursive: true, force: true });
  await build({
    input: { tempera: join(room, 'dist/cli.js') },
    platform: 'node',
    external: [/^node:/, ...LEFT_OUT],
    logLevel: 'warn',
    output: { dir, format: 'esm', minify: true, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
  });
};
