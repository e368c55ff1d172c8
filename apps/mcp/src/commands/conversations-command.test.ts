import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';

let line: CommandLine;

beforeEach(async () => {
  line = await startCommandLine();
  await line.logIn();
});
afterEach(() => line.close());

const ID = '0192f0c4-0000-4000-8000-000000000001';
const conversation = {
  ...{
    id: ID,
    project: 'shop',
    client: 'claude-code',
    lastTurnAt: '2026-11-30T10:00:00.000Z',
    turns: 3,
    state: 'DISTILLED',
  },
  ...{ summary: 'Asked: why\u001b[31m.', kept: 2, refused: [{ reason: 'too-general', count: 4 }], facts: [] },
};
const page = (): object => ({ nodes: [conversation], pageInfo: { hasNextPage: false, endCursor: null } });

describe('tempera conversations and distil', () => {
  it('list what came of each conversation, and have one distilled by the beginning of its id', async () => {
    line.service.state.answers['conversations'] = page;
    line.service.state.answers['distilNow'] = () => conversation;
    const { out, err } = await line.run(['conversations']);
    expect(err).toBe('');
    expect(out).toMatch(/0192f0c4.*shop.*3.*distilled.*2.*4.*Asked: why/);
    expect(out).not.toContain('\u001b');
    expect((await line.run(['distil', '0192f0c4'])).out).toContain('Asked for 3 turns');
    expect(line.asked('distilNow')).toEqual([{ conversation: ID }]);
    expect((await line.run(['distil', 'ffffffff'])).exitCode).toBe(4);
  });
});
