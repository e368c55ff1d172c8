import { describe, expect, it } from 'vitest';
import type { MemoryKind, Outcome } from './memory.js';
import { judgeOnePrompt } from './one-prompt.js';

type Outcomes = readonly [Outcome | null, Outcome | null];
const relationOf = (
  older: string,
  newer: string,
  { isNear = true, kind = 'episode' as MemoryKind, mayRetire = true, outcomes = [null, null] as Outcomes } = {},
): string => {
  const side = (text: string, day: 1 | 2): Parameters<typeof judgeOnePrompt>[0]['older'] => ({
    ...{ kind, text, projectId: null },
    endedAt: new Date(Date.UTC(2026, 0, day)),
    outcome: outcomes[day - 1] ?? null,
  });
  const encounter = { older: side(older, 1), newer: side(newer, 2), sharedWords: 0.7, mayRetire };
  return judgeOnePrompt({ ...encounter, nearness: isNear ? 'alike' : 'far' }, isNear).relation;
};

const HERON = 'The heron pump must be primed by hand before it starts.';

describe('captures of one prompt', () => {
  it.each([
    'Prime the heron pump manually before you start it.',
    'Starting the heron pump requires priming it by hand first.',
    HERON,
  ])('are one in other words: %s', (text) => {
    expect(relationOf(HERON, text)).toBe('same');
    expect(relationOf(text, HERON)).toBe('same');
  });

  it.each([
    ['The queue retries 5 times.', 'The queue retries 9 times.'],
    ['The cache is enabled in tests.', 'The cache is not enabled in tests.'],
    ['Settings live in conf/app.yml.', 'Settings live in conf/web.yml.'],
    ['Run `npm ci` first.', 'Run `npm install` first.'],
  ])('stay apart, and linked, where they differ: %s / %s', (older, newer) => {
    expect(['near', 'conflict']).toContain(relationOf(older, newer));
  });

  it.each([
    ['The tests pass on Linux and fail on Windows.', 'The tests fail on Linux and pass on Windows.'],
    ['The fix works on the main branch.', 'The fix breaks on the main branch.'],
    ['The client calls the server first.', 'The server calls the client first.'],
    ['The client calls the server first.', 'The server always calls the client, and does so first.'],
    ['Use the primary for writes and the replica for reads.', 'Use the replica for writes and the primary for reads.'],
    ['The rollback succeeded and the deploy failed.', 'The rollback failed and the deploy succeeded.'],
    ['先备份，再升级数据库。', '先升级数据库，再备份。'],
  ])('that say the reverse are a conflict: %s / %s', (older, newer) => {
    expect(relationOf(older, newer)).toBe('conflict');
    expect(relationOf(newer, older)).toBe('conflict');
  });

  it('that only turn the sentence round are one', () => {
    expect(
      relationOf('The deploy failed and the rollback succeeded.', 'The rollback succeeded and the deploy failed.'),
    ).toBe('same');
  });

  it('of a success and a failure are a conflict, whatever the words; what was done in part may end either way', () => {
    const again = 'Prime the heron pump manually before you start it.';
    expect(relationOf(HERON, again, { outcomes: ['success', 'failure'] })).toBe('conflict');
    expect(relationOf(HERON, again, { outcomes: ['failure', 'success'] })).toBe('conflict');
    expect(relationOf(HERON, again, { outcomes: ['partial', 'success'] })).toBe('same');
    expect(relationOf(HERON, again, { outcomes: ['success', null] })).toBe('same');
  });

  it('are told apart where they are on different subjects', () => {
    expect(relationOf('Ada prefers tea.', 'The build cache lives on a shared disk.', { isNear: false })).toBe('far');
  });

  it('that decide anew are a newer decision still', () => {
    const [older, newer] = ['We use yarn for the web shop.', 'We use pnpm for the web shop instead of yarn.'];
    expect(relationOf(older, newer, { kind: 'decision' })).toBe('supersedes');
  });
});
