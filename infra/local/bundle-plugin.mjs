// Makes the plugin's code: the compiled client and all it imports as plain .mjs, so that an installed plugin needs nothing
// beside Node. Loaded on demand it is in pieces: a hook has a fifth of a second, and takes none of the command line.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { projectRoot } from './paths.mjs';

/** Reads a database of another product, with WebAssembly beside it; who imports one does so with the installed command. */
const LEFT_OUT = ['sql.js'];

const PACKAGE = /^(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/;

/** What others wrote and we pass on stands there with its licence. */
const noticesOf = (moduleIds) => {
  const folders = new Set(moduleIds.map((id) => PACKAGE.exec(id)?.[1]).filter((folder) => folder !== undefined));
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version}\n\n${text}\n`;
  });
};

/** Writes apps/mcp/plugin/dist anew. */
export const bundlePlugin = async () => {
  const room = join(projectRoot, 'apps/mcp');
  const dir = join(room, 'plugin/dist');
  rmSync(dir, { recursive: true, force: true });
  const { output } = await build({
    input: { tempera: join(room, 'dist/cli.js') },
    platform: 'node',
    external: [/^node:/, ...LEFT_OUT],
    logLevel: 'warn',
    output: { dir, format: 'esm', minify: true, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
  });
  const notices = noticesOf(output.flatMap((chunk) => chunk.moduleIds ?? []));
  const rules = readFileSync(join(projectRoot, 'libs/client-kit/THIRD-PARTY-NOTICES.md'), 'utf8');
  writeFileSync(join(dir, 'THIRD-PARTY-NOTICES.txt'), [rules, ...notices].join(`\n${'-'.repeat(72)}\n\n`));
};
