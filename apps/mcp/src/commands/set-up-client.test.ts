import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plan, write } from '../clients/merge-json.js';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';

let line: CommandLine;
const at = (path: string): string => join(line.home.folder, path);
const read = async (path: string): Promise<unknown> => JSON.parse(await readFile(at(path), 'utf8'));
const CLAUDE = ['init', '--project', 'web-shop', '--yes', '--client', 'claude'];
const PLUGIN = { 'tempera@tempera-team': true };

beforeEach(async () => {
  line = await startCommandLine();
  await line.logIn();
  await line.makeRepository('https://git.example.com/acme/web-shop.git');
});
afterEach(() => line.close());

describe('tempera init for Claude Code', () => {
  it('writes nothing into a folder unasked, and tells the lines of other clients', async () => {
    const { out } = await line.run(['init', '--project', 'web-shop', '--yes']);
    expect((await readdir(line.home.folder)).sort()).toEqual(['.git', 'state']);
    expect(out).toContain('Codex CLI: codex mcp add tempera -- tempera serve');
    for (const client of ['Cursor', 'VS Code', 'Gemini CLI', 'Windsurf']) expect(out).toContain(`${client}: `);
  });

  it('asks for each file, shows what it would write, and writes what got a yes', async () => {
    const declined = await line.atTerminal(['init'], ['y', 'n', 'n']);
    expect(declined.err).toContain('"tempera@tempera-team": true');
    expect(declined.err).toContain('Write .claude/settings.local.json? [y/N]');
    expect(declined.err).toContain('Write .mcp.json? [y/N]');
    expect((await readdir(line.home.folder)).sort()).toEqual(['.git', 'state']);
    await line.atTerminal(['init', '--client', 'claude'], ['n', 'y']);
    expect(await read('.mcp.json')).toEqual({
      mcpServers: { tempera: { type: 'stdio', command: 'tempera', args: ['serve'] } },
    });
    await line.atTerminal(['init', '--client', 'claude'], ['y']);
    expect(await read('.claude/settings.local.json')).toMatchObject({ enabledPlugins: PLUGIN });
  });

  it('adds to the shared settings what is missing, loses nothing, and does it once', async () => {
    await mkdir(at('.claude'));
    const there = { permissions: { allow: ['Bash(ls)'] }, enabledPlugins: { 'other@x': true, 'a@b': false } };
    await writeFile(at('.claude/settings.json'), JSON.stringify(there, null, 4));
    const words = [...CLAUDE, '--marketplace', 'acme/tempera-plugin'];
    await line.run(words);
    expect(await read('.claude/settings.json')).toEqual({
      ...there,
      enabledPlugins: { ...there.enabledPlugins, ...PLUGIN },
      extraKnownMarketplaces: { 'tempera-team': { source: { source: 'github', repo: 'acme/tempera-plugin' } } },
    });
    const text = await readFile(at('.claude/settings.json'), 'utf8');
    expect(text).toMatch(/^ {4}"permissions"/m);
    expect((await line.run(words)).err).toContain('has it already');
    expect(await readFile(at('.claude/settings.json'), 'utf8')).toBe(text);
  });

  it('leaves what a person switched off, and every file of Claude alone', async () => {
    await mkdir(at('.claude'));
    await writeFile(at('.claude/settings.local.json'), '{"enabledPlugins":{"tempera@tempera-team":false}}');
    for (const name of ['CLAUDE.md', 'MEMORY.md']) await writeFile(at(name), 'ours');
    await line.run(CLAUDE);
    expect(await read('.claude/settings.local.json')).toMatchObject({
      enabledPlugins: { 'tempera@tempera-team': false },
    });
    for (const name of ['CLAUDE.md', 'MEMORY.md']) expect(await readFile(at(name), 'utf8')).toBe('ours');
  });

  it('touches no file that is no plain JSON or is reached by a link, and binds nevertheless', async () => {
    await mkdir(at('.claude'));
    for (const text of ['{"a":1} // mine', '[1]', '{"a":']) {
      await writeFile(at('.claude/settings.local.json'), text);
      const ran = await line.run(CLAUDE);
      expect(ran).toMatchObject({ exitCode: 0, err: expect.stringContaining('left as it is') });
      expect(await readFile(at('.claude/settings.local.json'), 'utf8')).toBe(text);
    }
    await mkdir(at('elsewhere'));
    await symlink(at('elsewhere'), at('linked'));
    await line.run(['init', '--unbind']);
    await mkdir(at('elsewhere/.git'), { recursive: true });
    await symlink(at('state'), at('elsewhere/.claude'));
    const ran = await line.run(CLAUDE, '', { cwd: at('elsewhere') });
    expect(ran.err).toContain('symbolic link');
    expect(await readdir(at('state'))).not.toContain('settings.local.json');
  });

  it('mixes nothing into a marketplace or a server of the same name that another wrote, and shows it', async () => {
    await mkdir(at('.claude'));
    const evil = { 'tempera-team': { source: { source: 'git', url: 'https://evil.example/p.git' } } };
    const text = JSON.stringify({ extraKnownMarketplaces: evil });
    await writeFile(at('.claude/settings.json'), text);
    const { err } = await line.run([...CLAUDE, '--marketplace', 'acme/tempera-plugin']);
    expect(err).toContain('evil.example/p.git');
    expect(err).toContain('left as it is');
    expect(await readFile(at('.claude/settings.json'), 'utf8')).toBe(text);
    await writeFile(at('.mcp.json'), '{"mcpServers":{"tempera":{"type":"http","url":"https://evil.example"}}}');
    const ran = await line.atTerminal(['init', '--client', 'claude'], ['n']);
    expect(ran.err).toContain('evil.example');
    expect(await read('.mcp.json')).toEqual({ mcpServers: { tempera: { type: 'http', url: 'https://evil.example' } } });
  });

  it('loses nothing that was written while it asked, opens no file wider, and rewrites no number', async () => {
    const file = at('s.json');
    const addition = { enabledPlugins: PLUGIN };
    await writeFile(file, '{"env":{"TOKEN":"x"}}');
    await chmod(file, 0o600);
    const change = await plan(line.home.folder, 's.json', addition);
    await writeFile(file, '{"env":{"TOKEN":"x"},"permissions":{}}');
    await expect(write(line.home.folder, change, 'u1')).rejects.toThrowError(/changed meanwhile/);
    await write(line.home.folder, await plan(line.home.folder, 's.json', addition), 'u2');
    expect(await read('s.json')).toEqual({ env: { TOKEN: 'x' }, permissions: {}, ...addition });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    for (const text of ['{"a":12345678901234567890}', '{"a":1,"a":2}']) {
      await writeFile(file, text);
      await expect(plan(line.home.folder, 's.json', addition)).rejects.toThrowError(/By hand, add: .*tempera@/);
    }
  });

  it('takes no marketplace with a password in it, and no client that it does not know', async () => {
    expect((await line.run([...CLAUDE, '--marketplace', 'https://u:p@x.test/y.git'])).exitCode).toBe(2);
    expect((await line.run([...CLAUDE, '--marketplace', 'http://x.test/y.git'])).exitCode).toBe(2);
    expect((await line.run(['init', '--yes', '--client', 'emacs'])).exitCode).toBe(2);
  });
});
