import { isAbsolute } from 'node:path';
import { AppError, COMMAND_NAME } from '@tempera/client-kit';

/** As in the plugin's own manifests. */
const PLUGIN = 'tempera';
const MARKETPLACE = 'tempera-team';

/** Where a client of the team gets the plugin. */
export interface PluginSource {
  readonly source: Readonly<Record<string, string>>;
  /** Whether it means the same on every machine, so that it may stand in a file that is shared. */
  readonly isShared: boolean;
}

/** Reads `owner/repository`, the address of a git repository, or an absolute path. @throws AppError `invalid-input` */
export const readSource = (text: string): PluginSource => {
  const source = text.trim();
  if (isAbsolute(source)) return { source: { source: 'directory', path: source }, isShared: false };
  if (/^[\w.-]+\/[\w.-]+$/.test(source)) return { source: { source: 'github', repo: source }, isShared: true };
  const url = URL.canParse(source) ? new URL(source) : null;
  const isBare = url !== null && url.username === '' && url.password === '';
  if (isBare && (url.protocol === 'https:' || url.protocol === 'ssh:'))
    return { source: { source: 'git', url: source }, isShared: true };
  if (/^git@[\w.-]+:[\w./-]+$/.test(source)) return { source: { source: 'git', url: source }, isShared: true };
  throw new AppError(
    'invalid-input',
    'marketplace',
    'The marketplace is owner/repository, a git address without a password, or an absolute path.',
  );
};

/** The file of Claude Code's settings that fits: the shared one, or the person's own. */
export const settingsPath = ({ isShared }: PluginSource): string =>
  isShared ? '.claude/settings.json' : '.claude/settings.local.json';

/** What makes the plugin known and switches it on. */
export const pluginSettings = ({ source }: PluginSource): Record<string, unknown> => ({
  extraKnownMarketplaces: { [MARKETPLACE]: { source } },
  enabledPlugins: { [`${PLUGIN}@${MARKETPLACE}`]: true },
});

/** The server alone, for a project without the plugin, by the name that is the same on every machine. No token: it reads the login of whoever starts it. */
export const SERVER_ENTRY = { mcpServers: { tempera: { type: 'stdio', command: COMMAND_NAME, args: ['serve'] } } };
