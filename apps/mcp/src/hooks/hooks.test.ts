import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identifyFolder } from '../folder/git-folder.js';
import { SpoolFolder } from '../spool/spool-folder.js';
import type { SpooledTurn } from '../spool/spool-record.js';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';
import { makeStubWorld, type StubWorld } from '../testing/stub-world.js';
import { FolderBindings } from '../state/folder-bindings.js';
import { LoginFiles } from '../state/login-file.js';
import { stateFolderPath } from '../state/state-folder.js';
import type { World } from '../world.js';
import { isPlainBranch } from './plain-branch.js';
import { recentFiles, rememberFiles } from './recent-files.js';
import { runHook } from './run-hook.js';

let line: CommandLine;
const opened: StubWorld[] = [];

beforeEach(async () => {
  line = await startCommandLine();
  await line.logIn();
});
afterEach(async () => {
  await Promise.all([line.close(), ...opened.splice(0).map((one) => one.remove())]);
});

const hookWith = async (
  name: string,
  typed: string,
  over: Partial<World> = {},
): Promise<[string | null, StubWorld]> => {
  const { environment } = line.home.world;
  const once = await makeStubWorld({ environment, cwd: line.home.folder, ...over }, typed);
  opened.push(once);
  return [await runHook(name, once.world), once];
};
const hook = async (name: string, input: object, over: Partial<World> = {}): Promise<string | null> =>
  (await hookWith(name, JSON.stringify(input), over))[0];

const turn = { session_id: 's1', prompt_id: 'p1', cwd: '/' };
const prompted = (prompt: string): Promise<string | null> => hook('user-prompt-submit', { ...turn, prompt });
const stopped = (answer: string, more: object = {}): Promise<string | null> =>
  hook('stop', { ...turn, last_assistant_message: answer, ...more });

const spool = (): SpoolFolder => new SpoolFolder(line.home.world);
const spooled = async (): Promise<SpooledTurn[]> => {
  const found = [];
  for (const { name } of await spool().waiting()) {
    const record = await spool().read(name);
    if (record !== null && record !== 'torn' && record.kind === 'turn') found.push(record.turn);
  }
  return found;
};
const everythingOnDisk = async (): Promise<string> => {
  const names = await readdir(line.home.folder, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile() && !one.parentPath.includes('logins'));
  return (await Promise.all(files.map((one) => readFile(join(one.parentPath, one.name), 'utf8')))).join('\n');
};

describe('the end of a turn', () => {
  it('puts what was asked and answered into the spool, for its user alone, and wakes a sender of its own', async () => {
    expect(await prompted('Why does the pool time out?')).toBeNull();
    const [said, world] = await hookWith(
      'stop',
      JSON.stringify({ ...turn, last_assistant_message: 'A client leaked.' }),
    );
    expect(said).toBeNull();
    expect(await spooled()).toEqual([
      expect.objectContaining({
        sessionKey: 's1',
        promptKey: 'p1',
        prompt: 'Why does the pool time out?',
        answer: 'A client leaked.',
        project: null,
        client: 'claude-code',
      }),
    ]);
    expect(world.started).toEqual(['hook send']);
    const [{ name } = { name: '' }] = await spool().waiting();
    expect((await stat(join(spool().folder, name))).mode & 0o777).toBe(0o600);
  });

  it('told five times at once is one turn; one that went on is another', async () => {
    await prompted('Why?');
    await Promise.all(Array.from({ length: 5 }, () => stopped('Because.')));
    expect(new Set((await spooled()).map(({ key }) => key)).size).toBe(1);
    await stopped('Because. And more.');
    expect(new Set((await spooled()).map(({ key }) => key)).size).toBe(2);
  });

  it('A6: of a subagent, of a hook that went on, or of what we started ourselves is not kept', async () => {
    await stopped('x', { agent_id: 'a1' });
    await stopped('x', { stop_hook_active: true });
    const environment = { ...line.home.world.environment, TEMPERA_INNER: 'sender' };
    await hook('stop', { ...turn, last_assistant_message: 'x' }, { environment });
    expect(await spooled()).toEqual([]);
  });

  it('names the tools of the turn by the end of the transcript, which may be cut, late or broken', async () => {
    const path = join(line.home.folder, 's1.jsonl');
    const use = { type: 'tool_use', id: 't1', name: 'Edit', input: { file_path: '/r/a.ts', new_string: 'long text' } };
    const result = { type: 'tool_result', tool_use_id: 't1', is_error: true, content: 'File not found' };
    const lines = [
      { type: 'user', sessionId: 's1', promptId: 'p1', uuid: 'u1', message: { content: 'Why?' } },
      { type: 'assistant', sessionId: 's1', uuid: 'u2', message: { id: 'm1', content: [use] } },
      { type: 'user', sessionId: 's1', promptId: 'p1', uuid: 'u3', message: { content: [result] } },
    ];
    await writeFile(path, `{torn\n${lines.map((one) => JSON.stringify(one)).join('\n')}\n{"type":"assis`);
    await stopped('Because.', { transcript_path: path });
    expect((await spooled())[0]?.tools).toEqual([{ name: 'Edit', file: '/r/a.ts', error: 'File not found' }]);
  });

  it('answered like the one before is another turn, also where nothing names its prompt', async () => {
    const path = join(line.home.folder, 's2.jsonl');
    const unnamed = { session_id: 's2', cwd: '/', last_assistant_message: 'Done.', transcript_path: path };
    for (const uuid of ['u1', 'u2']) {
      await writeFile(path, `${JSON.stringify({ type: 'assistant', sessionId: 's2', uuid })}\n{"type":"summary"}\n`);
      await Promise.all([hook('stop', unnamed), hook('stop', unnamed)]);
    }
    const turns = await spooled();
    expect(new Set(turns.map(({ key }) => key)).size).toBe(2);
    expect(new Set(turns.map(({ promptKey }) => promptKey)).size).toBe(2);
    const later = { now: () => new Date('2030-01-01T00:00:00Z') };
    await hook('stop', { ...unnamed, transcript_path: undefined });
    await hook('stop', { ...unnamed, transcript_path: undefined }, later);
    expect(new Set((await spooled()).map(({ promptKey }) => promptKey)).size).toBe(4);
  });

  it('C9: reads no file that a hook was told to read beside a transcript', async () => {
    const use = { type: 'tool_use', id: 't1', name: 'Edit', input: { file_path: '/r/a.ts' } };
    const said = { type: 'assistant', sessionId: 's1', message: { id: 'm1', content: [use] } };
    await writeFile(join(line.home.folder, 'id_rsa'), `${JSON.stringify(said)}\n`);
    for (const transcript_path of ['../../.ssh/id_rsa', '/dev/zero', `${line.home.folder}/id_rsa`])
      await stopped(`of ${transcript_path}`, { transcript_path });
    expect((await spooled()).map(({ tools }) => tools)).toEqual([[], [], []]);
  });
});

describe('secrets and private words', () => {
  it('D2: no byte of a private span, a tag of the system or our own block reaches the disk, nested or left open', async () => {
    await prompted(
      'one <private>SECRET-A <private>SECRET-B</private> SECRET-C</private> two <system-reminder>SECRET-D</system-reminder> three <private>SECRET-E',
    );
    const block =
      '[tempera memory] SECRET-F\n<untrusted-memory-0123456789abcdef id="index">\n| SECRET-G\n</untrusted-memory-0123456789abcdef>';
    await stopped(`four\n${block}\nfive <system-reminder>SECRET-H`);
    const [kept] = await spooled();
    expect([kept?.prompt, kept?.answer]).toEqual(['one  two  three', 'four\nfive']);
    expect(await everythingOnDisk()).not.toContain('SECRET');
  });

  it('D2: a line of ours takes no tag of a private span with it', async () => {
    await prompted('see [tempera memory] <private>\nSECRET-I\n</private> end');
    await stopped('a <system-reminder> <private> </system-reminder> SECRET-J</private> b');
    expect((await spooled())[0]).toMatchObject({ prompt: '', answer: 'a' });
    expect(await everythingOnDisk()).not.toContain('SECRET');
  });

  it('wakes no sender for a login that is paused, and one for any other that waits', async () => {
    const login = (await new LoginFiles(line.home.world).current()) ?? '';
    const state = { failures: 3, notBefore: '2099-01-01T00:00:00.000Z', code: 'unavailable', message: 'Away.' };
    await stopped('a');
    await writeFile(join(spool().folder, 'sender.json'), JSON.stringify({ logins: { [login]: state } }));
    const told = JSON.stringify({ ...turn, last_assistant_message: 'b' });
    expect((await hookWith('stop', told))[1].started).toEqual([]);
    const capture = { idempotencyKey: 'k1', text: 'x' };
    await spool().add({ kind: 'capture', login: '0123456789abcdef', capture });
    expect((await hookWith('pre-compact', told))[1].started).toEqual(['hook send']);
  });

  it('a secret in the name of a branch is neither kept nor sent', async () => {
    const secret = `ghp_${'0123456789abcdefABCDEF0123456789abcd'}`;
    const { folder } = line.home;
    await line.makeRepository('https://git.example.com/acme/app');
    await new FolderBindings(line.home.world).bind(await identifyFolder(folder), {
      login: (await new LoginFiles(line.home.world).current()) ?? '',
      project: 'acme-app',
      boundAt: '2026-11-30T10:00:00Z',
    });
    line.service.state.answers['startSession'] = () => null;
    const sent = [];
    for (const branch of [`fix/${secret}`, 'feature/ABC-123-fix-pool']) {
      await writeFile(join(folder, '.git', 'HEAD'), `ref: refs/heads/${branch}\n`);
      await hook('session-start', { ...turn, cwd: folder, source: 'startup' });
      await stopped(`on ${branch.slice(0, 3)}`, { cwd: folder });
      sent.push(line.asked('startSession').at(-1)?.['input']);
    }
    expect(sent).toMatchObject([{ branch: 'fix/[REDACTED:github-pat]' }, { branch: 'feature/ABC-123-fix-pool' }]);
    const kept = (await spooled()).map(({ branch }) => branch);
    expect(kept.sort()).toEqual(['feature/ABC-123-fix-pool', 'fix/[REDACTED:github-pat]']);
    for (const odd of ['xoxb-123456789012-abcDEF', 'AKIA0123456789ABCDEF', 'password=x', 'glpat-aB3dE_fG5hI-7jK'])
      expect(isPlainBranch(odd)).toBe(false);
  });

  it('a file whose name has several lines is not remembered, so that a session is told of the others', async () => {
    const folder = await identifyFolder(line.home.folder);
    const names = ['a.ts', 'b\n.ts', 'c\u2028.ts', 'd\u0085.ts', 'e.ts', ' '];
    await rememberFiles(
      folder,
      names.map((file) => ({ name: 'Edit', file })),
      line.home.world,
    );
    expect(await recentFiles(folder, line.home.world)).toEqual(['e.ts', 'a.ts']);
    const files = join(stateFolderPath(line.home.world), 'files');
    const [name = ''] = await readdir(files);
    await writeFile(join(files, name), JSON.stringify(names));
    expect(await recentFiles(folder, line.home.world)).toEqual(['a.ts', 'e.ts']);
  });

  it('a secret is taken out before anything is written, also one that reaches over what is kept', async () => {
    const secret = `ghp_${'0123456789abcdefABCDEF0123456789abcd'}`;
    await prompted(`push with ${secret}`);
    await stopped(`${'x'.repeat(65_530)} ${secret}`);
    expect(await everythingOnDisk()).not.toContain(secret.slice(0, 12));
    expect(await everythingOnDisk()).toContain('[REDACTED:github-pat]');
  });
});

describe('bad input', () => {
  it('of any kind says nothing, keeps nothing and throws nothing', async () => {
    const inputs = [
      '',
      'no json',
      '[]',
      'null',
      '42',
      '{}',
      '{"session_id":7}',
      '{"session_id":"s"}',
      '{"session_id":"s"',
    ];
    for (const name of ['session-start', 'user-prompt-submit', 'stop', 'session-end', 'pre-compact', 'send', 'bogus'])
      for (const input of inputs) expect((await hookWith(name, input))[0]).toBeNull();
    expect(await spooled()).toEqual([]);
  });

  it('of a turn with half an emoji and NUL is kept as what a database takes', async () => {
    await stopped(`half \ud83d and \u0000 end`);
    expect((await spooled())[0]?.answer).toBe('half \u{FFFD} and  end');
  });
});
