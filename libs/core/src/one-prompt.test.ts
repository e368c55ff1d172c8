import { describe, expect, it } from 'vitest';
import type { MemoryKind } from './memory.js';
import { judgeOnePrompt } from './one-prompt.js';

const relationOf = (
  older: string,
  newer: string,
  { isNear = true, kind = 'episode' as MemoryKind, mayRetire = true } = {},
): string => {
  const side = (text: string, day: number): Parameters<typeof judgeOnePrompt>[0]['older'] => ({
    ...{ kind, text, projectId: null },
    endedAt: new Date(Date.UTC(2026, 0, day)),
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

  it('are told apart where they are on different subjects', () => {
    expect(relationOf('Ada prefers tea.', 'The build cache lives on a shared disk.', { isNear: false })).toBe('far');
  });

  it('that decide anew are a newer decision still', () => {
    const [older, newer] = ['We use yarn for the web shop.', 'We use pnpm for the web shop instead of yarn.'];
    expect(relationOf(older, newer, { kind: 'decision' })).toBe('supersedes');
  });
});
