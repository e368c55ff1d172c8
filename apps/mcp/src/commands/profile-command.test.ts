import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';

let line: CommandLine;

beforeEach(async () => {
  line = await startCommandLine();
  await line.logIn();
});
afterEach(() => line.close());

const told = (n: number, part: string, text: string): object => ({
  ...{ part, text, ageDays: n },
  memory: { id: `${String(n).repeat(8)}-0000-4000-8000-000000000001`, kind: 'PREFERENCE' },
});

describe('tempera profile', () => {
  it('tells the caller’s own, part by part, each line with its source and age and no harm in its text', async () => {
    line.service.state.answers['profile'] = () => ({
      project: null,
      refreshedAt: '2026-11-20T03:10:00.000Z',
      lines: [told(0, 'PINNED', 'Two spaces.'), told(1, 'BACKGROUND', 'Go\u001b[31m'), told(2, 'BACKGROUND', 'Rust')],
    });
    const { out } = await line.run(['profile']);
    expect(out.split('\n').slice(0, 6)).toEqual([
      'Your own profile, chosen 2026-11-20 03:10Z',
      'Pinned:',
      '  00000000 (today) Two spaces.',
      'Background:',
      expect.stringMatching(/^ {2}11111111 \(1 day\) Go/),
      '  22222222 (2 days) Rust',
    ]);
    expect(out).not.toContain('\u001b');
    expect(line.asked('profile')).toEqual([{ project: null }]);
  });

  it('chooses anew when told to, of a project that is named; a bare --project needs a bound folder', async () => {
    line.service.state.answers['refreshProfile'] = () => ({
      ...{ project: 'shop', refreshedAt: '2026-11-20T03:10:00.000Z', lines: [] },
    });
    expect((await line.run(['profile', '--project', 'shop', '--refresh'])).out).toContain('Nothing worth telling yet.');
    expect(line.asked('refreshProfile')).toEqual([{ project: 'shop' }]);
    expect((await line.run(['profile', '--project'])).exitCode).toBe(2);
    line.service.state.answers['profile'] = () => ({ project: null, refreshedAt: null, lines: [] });
    expect((await line.run(['profile'])).out).toContain('tempera profile --refresh');
  });
});
