import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';

const LEARNED = {
  asked: 4,
  injected: 0,
  answered: 1,
  answerRate: 0.25,
  helpful: 1,
  unhelpful: 0,
  helpfulShare: 1,
  meanPlace: 2,
};
const STATS = {
  project: 'web-shop',
  memories: 3,
  kinds: [{ kind: 'EPISODE', count: 3 }],
  scopes: [{ scope: 'PROJECT', count: 3 }],
  states: [{ state: 'ACTIVE', count: 3 }],
  domains: [{ kind: 'TAG', name: 'db', memories: 2 }],
  ...LEARNED,
};
const POINT = {
  bucket: '2026-11',
  from: '2026-11-01T00:00:00.000Z',
  captured: 3,
  againstAll: 0,
  health: null,
  ...LEARNED,
};
const TRENDS = {
  project: 'web-shop',
  bucket: 'MONTHLY',
  points: [POINT],
  all: { captured: 3, ...LEARNED },
  domains: [{ kind: 'TAG', name: 'db', memories: [2] }],
};

let line: CommandLine;
beforeEach(async () => {
  line = await startCommandLine();
  await line.logIn();
  line.service.state.answers['stats'] = () => STATS;
  line.service.state.answers['trends'] = () => TRENDS;
});
afterEach(() => line.close());

describe('tempera stats and tempera trends', () => {
  it('give the numbers of the service with --json, and draw them in ASCII behind a pipe', async () => {
    expect(JSON.parse((await line.run(['stats', '--project', 'web-shop', '--json'])).out)).toMatchObject(STATS);
    expect(line.asked('stats')).toEqual([{ project: 'web-shop' }]);
    const words = ['trends', '--bucket', 'monthly', '--since', '2026-01-01', '--until', '2026-11-30', '--json'];
    expect(JSON.parse((await line.run(words)).out)).toMatchObject(TRENDS);
    expect(line.asked('trends')).toMatchObject([{ bucket: 'MONTHLY' }]);
    const drawn = (await line.run(['trends', '--bucket', 'monthly'])).out;
    expect(drawn).toMatch(/2026-11 +3 #{10}/);
    expect(drawn).toMatch(/^[\x20-\x7e\n]*$/);
  });

  it('say which buckets there are, before anything is asked', async () => {
    const ran = await line.run(['trends', '--bucket', 'daily']);
    expect(ran).toMatchObject({ exitCode: 2, err: expect.stringContaining('--bucket is one of: weekly, monthly') });
    expect((await line.run(['trends', '--since', 'spring'])).err).toContain('--since');
    expect(line.asked('trends')).toEqual([]);
  });
});
