import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SpoolFolder } from '../spool/spool-folder.js';
import type { SpooledTurn } from '../spool/spool-record.js';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';
import { makeStubWorld, type StubWorld } from '../testing/stub-world.js';
import type { World } from '../world.js';
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
