import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';

let line: CommandLine;
const side = (digit: string, text: string): object => ({
  ...{ id: `${digit.repeat(8)}-0000-4000-8000-000000000004`, title: text, text },
  ...{ createdAt: '2026-11-30T10:00:00.000Z', author: { displayName: 'Ada' } },
});
const conflict = {
  ...{
    first: side('1', 'It is 30 s.'),
    second: side('2', 'It is 60 s.'),
    similarity: 0.93,
    differences: ['number: 30 / 60'],
  },
  ...{ foundAt: '2026-11-30T11:00:00.000Z', resolution: null, reason: null, runId: null },
};

beforeEach(async () => {
  line = await startCommandLine();
  await line.logIn();
  const { answers } = line.service.state;
  answers['conflicts'] = () => ({ nodes: [conflict], pageInfo: { hasNextPage: false, endCursor: null } });
  answers['resolveConflict'] = () => conflict;
});
afterEach(() => line.close());

describe('tempera conflicts and resolve', () => {
  it('shows both texts beside each other, with what differs', async () => {
    const { exitCode, out } = await line.run(['conflicts', '--project', 'shop']);
    expect(exitCode).toBe(0);
    for (const part of ['11111111 22222222 · 93 % similar', 'It is 30 s.', 'It is 60 s.', 'number: 30 / 60']) {
      expect(out).toContain(part);
    }
    expect(line.asked('conflicts')).toMatchObject([{ project: 'shop' }]);
  });

  it.each([
    [['--keep', 'first'], { resolution: 'KEEP_FIRST' }],
    [['--keep', 'second', '--reason', 'measured'], { resolution: 'KEEP_SECOND', reason: 'measured' }],
    [['--keep', 'both'], { resolution: 'KEEP_BOTH' }],
    [['--keep', 'merge', '--text', 'It is 60 s by now.'], { resolution: 'MERGE', text: 'It is 60 s by now.' }],
    [['--reopen'], { resolution: 'REOPEN' }],
  ])('decides with %j', async (words, decision) => {
    expect((await line.run(['resolve', '11111111', '22222222', ...words])).exitCode).toBe(0);
    expect(line.asked('resolveConflict')).toEqual([{ input: { first: '11111111', second: '22222222', ...decision } }]);
  });

  it('refuses a decision that is none, before anything is sent', async () => {
    for (const words of [[], ['--keep', 'third']]) {
      expect((await line.run(['resolve', '11111111', '22222222', ...words])).exitCode).toBe(2);
    }
    expect(line.asked('resolveConflict')).toEqual([]);
  });
});
