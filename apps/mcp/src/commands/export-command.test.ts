import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';
import { refusal } from '../testing/stub-service.js';

const PARTS = ['{"id":"1"}\n{"id"', ':"2"}\n', '{"id":"3"}\n'];
const whole = PARTS.join('');
const id = '44444444-0000-4000-8000-000000000001';
const file = {
  name: 'memories.jsonl',
  bytes: whole.length,
  lines: 3,
  sha256: createHash('sha256').update(whole).digest('hex'),
  parts: PARTS.length,
};
const shown = (status: string): object => ({
  ...{ id, kind: 'MINE', project: null, status, memories: 3, failure: status === 'FAILED' ? 'It broke.' : null },
  ...{ files: status === 'COMPLETED' ? [file] : [], manifest: status === 'COMPLETED' ? '{"memories":3}\n' : null },
  ...{ requestedAt: '2026-11-30T00:00:00Z', expiresAt: '2026-12-07T00:00:00Z' },
});

let line: CommandLine;
let folder: string;
beforeEach(async () => {
  line = await startCommandLine();
  await line.logIn();
  folder = join(line.home.folder, 'out');
  const states = ['RUNNING', 'COMPLETED'];
  const { answers } = line.service.state;
  answers['exportData'] = () => shown('REQUESTED');
  answers['dataExport'] = () => shown(states.shift() ?? 'COMPLETED');
  answers['exportPart'] = ({ part }) => PARTS[Number(part)];
});
afterEach(() => line.close());

const run = (...words: string[]): ReturnType<CommandLine['run']> => line.run(['export', ...words, '--out', 'out']);

describe('tempera export', () => {
  it('waits until the export is written, fetches every part and writes the manifest last', async () => {
    const ran = await run('--mine', '--json');
    expect([ran.exitCode, ran.err]).toEqual([0, '']);
    expect(JSON.parse(ran.out)).toMatchObject({ memories: 3, folder });
    expect(await readFile(join(folder, 'memories.jsonl'), 'utf8')).toBe(whole);
    expect((await readdir(folder)).sort()).toEqual(['manifest.json', 'memories.jsonl']);
    expect(line.asked('exportData')).toEqual([{ input: { kind: 'MINE', project: null } }]);
  });

  it('goes on with the same export where it was stopped, also in the middle of a write', async () => {
    const { answers } = line.service.state;
    answers['exportPart'] = ({ part }) => {
      if (part === 1) throw refusal('UNAVAILABLE', 'Busy.');
      return PARTS[Number(part)];
    };
    expect((await run('--mine')).exitCode).toBe(6);
    await writeFile(join(folder, 'memories.jsonl'), 'half a part', { flag: 'a' });
    answers['exportPart'] = ({ part }) => PARTS[Number(part)];
    expect((await run('--mine')).exitCode).toBe(0);
    expect(await readFile(join(folder, 'memories.jsonl'), 'utf8')).toBe(whole);
    expect(line.asked('exportData')).toHaveLength(1);
    expect(line.asked('exportPart').filter(({ part }) => part === 0)).toHaveLength(1);
  });

  it('says that a file is not as the service wrote it, and fetches it anew the next time', async () => {
    const { answers } = line.service.state;
    answers['exportPart'] = () => '{"id":"9"}\n';
    const spoilt = await run('--mine');
    expect(spoilt.exitCode).toBe(6);
    expect(spoilt.err).toContain('not as the service wrote it');
    expect(await readdir(folder)).not.toContain('manifest.json');
    answers['exportPart'] = ({ part }) => PARTS[Number(part)];
    expect((await run('--mine')).exitCode).toBe(0);
    expect(await readFile(join(folder, 'memories.jsonl'), 'utf8')).toBe(whole);
  });

  it.each([[[]], [['--mine', '--tenant']], [['--project', 'web-shop', '--mine']]])(
    'asks for nothing unless exactly one thing is named: %j',
    async (words) => {
      const ran = await run(...words);
      expect([ran.exitCode, ran.err]).toEqual([2, expect.stringContaining('--mine, --project')]);
      expect(line.service.state.asked).toEqual([]);
    },
  );

  it('keeps out of a folder that holds something else, and tells why an export failed', async () => {
    line.service.state.answers['dataExport'] = () => shown('FAILED');
    const failed = await run('--mine');
    expect([failed.exitCode, failed.err]).toEqual([5, expect.stringContaining('It broke.')]);
    const other = await run('--tenant');
    expect([other.exitCode, other.err]).toEqual([2, expect.stringContaining('another export')]);
    const words = ['export', '--mine', '--out', '.'];
    expect((await line.run(words)).err).toContain('not empty');
  });
});
