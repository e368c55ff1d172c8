import { type Change, plan, write } from '../clients/merge-json.js';
import { type PluginSource, pluginSettings, readSource, SERVER_ENTRY, settingsPath } from '../clients/claude-code.js';
import { confirm } from '../output/confirm.js';
import { askLine } from '../output/prompt.js';
import type { Shell } from './command.js';
import { wordOption } from './command.js';

/** What `tempera init` was told of clients. */
export interface ClientOptions {
  readonly client?: string;
  readonly marketplace?: string;
  readonly yes?: boolean;
}

const shown = ({ path, addition }: Change): string =>
  `Into ${path}, beside what stands there:\n${JSON.stringify(addition, null, 2)}`;

/** @returns whether it stands there now */
const offer = async (change: Change, folder: string, isSure: boolean, { world, terminal }: Shell): Promise<boolean> => {
  if (change.text === null) {
    terminal.note(`${change.path} has it already.`);
    return true;
  }
  terminal.note(shown(change));
  const question = `Write ${change.path}?`;
  if (world.stdin.isTTY !== true) await confirm(question, 'destroy', isSure, world);
  else if (!isSure && !/^(?:y|yes)$/i.test((await askLine(world, `${question} [y/N] `)).trim())) return false;
  await write(folder, change, world.randomHex());
  return true;
};

const sourceOf = ({ marketplace }: ClientOptions, { world }: Shell): PluginSource =>
  readSource(marketplace ?? world.pluginFolder);

/**
 * Sets a repository up for Claude Code: the plugin, else the server alone. Each file is shown and asked for; nothing that
 * stands there is changed, and CLAUDE.md is none of ours.
 *
 * @returns the files that have it now
 */
export const setUpClient = async (folder: string, options: ClientOptions, shell: Shell): Promise<string[]> => {
  const client = wordOption('--client', options.client, ['claude', 'none']);
  const mayAsk = shell.world.stdin.isTTY === true && options.yes !== true;
  if (client === 'NONE' || (client === undefined && !mayAsk)) return [];
  const isSure = options.yes === true;
  const source = sourceOf(options, shell);
  const settings = await plan(folder, settingsPath(source), pluginSettings(source));
  if (await offer(settings, folder, isSure, shell)) return [settings.path];
  // The plugin brings its server along; with both, every tool would be there twice.
  const server = await plan(folder, '.mcp.json', SERVER_ENTRY);
  return (await offer(server, folder, isSure, shell)) ? [server.path] : [];
};
