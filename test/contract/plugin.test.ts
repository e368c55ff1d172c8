import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toolCatalogue } from '@tempera/client-kit';
import { projectRoot } from '../support/programs.js';

const plugin = join(projectRoot, 'apps/mcp/plugin');
const read = <Shape extends z.ZodType>(path: string, shape: Shape): z.output<Shape> =>
  shape.parse(JSON.parse(readFileSync(join(plugin, path), 'utf8')));

/** What the client's own check knows; a field it does not know is an error there. */
const manifest = read(
  '.claude-plugin/plugin.json',
  z.strictObject({
    name: z.string().regex(/^[a-z][a-z0-9-]*$/),
    version: z.string(),
    description: z.string(),
    author: z.strictObject({ name: z.string() }),
    license: z.string(),
    keywords: z.array(z.string()),
  }),
);

/** Of Claude Code 2.1. A hook of another name is never called, and nobody hears of it. */
const EVENTS = [
  ...['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'UserPromptExpansion', 'PreToolUse', 'PermissionRequest'],
  ...['PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Stop', 'SubagentStart', 'SubagentStop', 'StopFailure'],
  ...['PreCompact', 'PostCompact', 'Notification', 'Setup', 'InstructionsLoaded', 'ConfigChange', 'CwdChanged'],
] as const;

const hookShape = z.strictObject({
  type: z.literal('command'),
  command: z.literal('node'),
  args: z.tuple([z.literal('${CLAUDE_PLUGIN_ROOT}/dist/tempera.mjs'), z.literal('hook'), z.string()]),
  timeout: z.int().min(1).max(10),
});
const hooksShape = z.strictObject({
  description: z.string(),
  hooks: z.partialRecord(z.enum(EVENTS), z.array(z.strictObject({ hooks: z.array(hookShape).length(1) })).length(1)),
});

describe('the plugin of Claude Code', () => {
  it('J2: has hooks of known events alone, without a shell, whose seconds are from 1 to 10', () => {
    const { hooks } = read('hooks/hooks.json', hooksShape);
    const called = Object.fromEntries(Object.entries(hooks).map(([event, [one]]) => [event, one?.hooks[0]?.args[2]]));
    expect(called).toEqual({
      SessionStart: 'session-start',
      UserPromptSubmit: 'user-prompt-submit',
      Stop: 'stop',
      PreCompact: 'pre-compact',
      SessionEnd: 'session-end',
    });
    const unknown = { description: 'x', hooks: { BeforeStop: [] } };
    expect(hooksShape.safeParse(unknown).success).toBe(false);
  });

  it('is of the version of its package, and stands in the marketplace under its name', () => {
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(plugin, '../package.json'), 'utf8')));
    expect(manifest.version).toBe(version);
    const { plugins } = read(
      '.claude-plugin/marketplace.json',
      z.object({ plugins: z.array(z.object({ name: z.string(), source: z.string() })) }),
    );
    expect(plugins).toEqual([expect.objectContaining({ name: manifest.name, source: './' })]);
  });

  it('has a server whose tools have names that every client takes, and no token anywhere', () => {
    const { mcpServers } = read('.mcp.json', z.object({ mcpServers: z.record(z.string(), z.unknown()) }));
    const [server = ''] = Object.keys(mcpServers);
    for (const { name } of toolCatalogue)
      expect(`mcp__plugin_${manifest.name}_${server}__${name}`.length).toBeLessThanOrEqual(64);
    for (const path of ['.mcp.json', 'hooks/hooks.json', '.claude-plugin/plugin.json'])
      expect(readFileSync(join(plugin, path), 'utf8')).not.toMatch(/token|Bearer|Authorization|headers/i);
  });

  it('has skills that name tools which exist', () => {
    const tools = toolCatalogue.map(({ name }): string => name);
    for (const skill of ['recall', 'capture', 'review']) {
      const text = readFileSync(join(plugin, 'skills', skill, 'SKILL.md'), 'utf8');
      expect(text).toMatch(new RegExp(`^---\nname: ${skill}\ndescription: \\S.{40,}\n---\n`));
      for (const [name] of text.matchAll(/tempera_[a-z]+/g)) expect(tools).toContain(name);
    }
    for (const path of ['README.md', 'LICENSE', 'icon.svg']) expect(existsSync(join(plugin, path))).toBe(true);
  });
});
