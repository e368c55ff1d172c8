import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';
import { refusal } from '../testing/stub-service.js';

let line: CommandLine;
let file: string;

interface Sent {
  readonly key: string;
  readonly sessionKey: string;
  readonly prompt: string;
  readonly answer: string;
  readonly project: string | null;
  readonly isBackfill: boolean;
}
const sent = (): Sent[] => line.asked('keepTurns').flatMap(({ input }) => (input as { turns: Sent[] }).turns);
const answerKeep = (): void => {
  line.service.state.answers['keepTurns'] = ({ input }) => ({
    kept: (input as { turns: Sent[] }).turns.map(({ key }) => ({
      key,
      isNew: true,
      conversationId: key,
      redactions: [],
    })),
    refused: [],
  });
};

beforeEach(async () => {
  line = await startCommandLine();
  await line.logIn();
  answerKeep();
  file = join(line.home.folder, 'projects', 's1.jsonl');
  await mkdir(join(line.home.folder, 'projects', 'subagents'), { recursive: true });
});
afterEach(() => line.close());

let count = 0;
const row = (session: string, type: string, content: unknown, more: object = {}): string =>
  `${JSON.stringify({ type, sessionId: session, uuid: `u${(count += 1)}`, timestamp: '2026-11-01T00:00:00Z', message: { id: `m${count}`, content }, ...more })}\n`;
const turn = (session: string, word: string): string =>
  row(session, 'user', `ask ${word}`, { promptId: `p-${word}` }) +
  row(session, 'assistant', [{ type: 'text', text: `say ${word}` }]);
const run = async (...words: string[]): Promise<Record<string, unknown>> => {
  const ran = await line.run(['import-transcripts', join(line.home.folder, 'projects'), '--json', ...words]);
  return JSON.parse(ran.out) as Record<string, unknown>;
};

describe('tempera import-transcripts', () => {
  it('keeps turns of sessions that interleave, without what is broken, put in, or said by subagents', async () => {
    const lines = [
      row('s1', 'user', 'ask a', { promptId: 'p-a' }),
      turn('s2', 'b'),
      'no json\n',
      `${'x'.repeat(100)}\u0000\n`,
      row('s1', 'assistant', [{ type: 'text', text: 'say \u0000a \ud83d' }]),
      row('s1', 'user', 'meta', { isMeta: true }),
      row('s1', 'assistant', [{ type: 'text', text: 'inner' }], { isSidechain: true }),
      '{"type":"news","content":1}\n',
    ];
    await writeFile(file, lines.join('') + row('s1', 'assistant', [{ type: 'text', text: 'torn' }]).slice(0, -1));
    await writeFile(join(line.home.folder, 'projects', 'subagents', 'agent-1.jsonl'), turn('s3', 'c'));
    expect(await run()).toMatchObject({ files: 1, unreadable: 2, turns: 2, kept: 2, refused: {} });
    expect(sent().map(({ sessionKey, prompt }) => [sessionKey, prompt])).toEqual([
      ['s1', 'ask a'],
      ['s2', 'ask b'],
    ]);
    expect(sent()[0]?.answer).toMatch(/^say .?a \u{FFFD}$/u);
    expect(sent().every(({ isBackfill, project }) => isBackfill && project === null)).toBe(true);
  });

  it('sends no secret in a branch or an error, and no private words that what was put in lay around', async () => {
    const secret = `ghp_${'0123456789abcdefABCDEF0123456789abcd'}`;
    const use = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } };
    const result = { type: 'tool_result', tool_use_id: 't1', is_error: true };
    const prompt =
      'a [tempera memory] <private>\nSALARY\n</private>\n<private><command-args>SALARY x</command-args></private> end';
    await writeFile(
      file,
      row('s1', 'user', prompt, { promptId: 'p-a', gitBranch: `fix/${secret}` }) +
        row('s1', 'assistant', [{ type: 'text', text: 'say a' }, use]) +
        row('s1', 'user', [{ ...result, content: `${'x'.repeat(480)} ${secret}` }]),
    );
    await run();
    expect(sent()[0]).toMatchObject({ prompt: 'end', answer: 'say a', branch: 'fix/[REDACTED:github-pat]' });
    expect(JSON.stringify(sent())).not.toMatch(/SALARY|ghp_/);
  });

  it('goes on where it ended, sends nothing twice, and reads an unchanged file not at all', async () => {
    await writeFile(file, turn('s1', 'a') + turn('s1', 'b'));
    await run();
    expect(await run()).toMatchObject({ unchanged: 1, turns: 0 });
    await appendFile(file, turn('s1', 'c'));
    await run();
    expect(sent().map(({ prompt }) => prompt)).toEqual(['ask a', 'ask b', 'ask b', 'ask c']);
    const [, one, again] = sent();
    expect(again?.key).toBe(one?.key);
  });

  it('stopped in the middle, it notes only what was delivered, and begins the file again', async () => {
    await writeFile(file, Array.from({ length: 50 }, (_, at) => turn('s1', `t${at}`)).join(''));
    let requests = 0;
    const keep = line.service.state.answers['keepTurns'];
    line.service.state.answers['keepTurns'] = (args) => {
      requests += 1;
      if (requests > 1) throw refusal('UNAVAILABLE', 'Away.');
      return keep?.(args);
    };
    const ran = await line.run(['import-transcripts', file]);
    expect(ran.exitCode).toBe(6);
    answerKeep();
    expect(await run()).toMatchObject({ kept: 50 });
    expect(new Set(sent().map(({ key }) => key)).size).toBe(50);
  });

  it('sends nothing in a dry run, and says what is not there', async () => {
    await writeFile(file, turn('s1', 'a'));
    expect(await run('--dry-run')).toMatchObject({ turns: 1, kept: 0, dryRun: true });
    expect(sent()).toEqual([]);
    await writeFile(file, '');
    expect(await run()).toMatchObject({ lines: 0, turns: 0 });
    expect((await line.run(['import-transcripts', '/no/such'])).exitCode).toBe(4);
  });

  it('D1: takes the secrets out of what was said and done before it is sent', async () => {
    const secret = `ghp_${'0123456789abcdefABCDEF0123456789abcd'}`;
    const tool = { type: 'tool_use', id: 't', name: 'Bash', input: { command: `curl -H "x: ${secret}"` } };
    const result = { type: 'tool_result', tool_use_id: 't', is_error: true, content: `denied ${secret}` };
    await writeFile(
      file,
      row('s1', 'user', `use ${secret}`) +
        row('s1', 'assistant', [tool]) +
        row('s1', 'user', [result]) +
        row('s1', 'assistant', [{ type: 'text', text: `done with ${secret} <private>SECRET</private>` }]),
    );
    await run();
    expect(sent()).toHaveLength(1);
    expect(JSON.stringify(sent())).not.toMatch(/ghp_|SECRET/);
    expect(JSON.stringify(sent()).match(/REDACTED:github-pat/g)).toHaveLength(4);
  });
});
