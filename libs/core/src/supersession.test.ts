import { describe, expect, it } from 'vitest';
import { asId, type MemoryKind, type ProjectId } from './memory.js';
import { type Encounter, judgeEncounter } from './supersession.js';

const project = asId<ProjectId>('00000000-0000-4000-8000-000000000001');
type Case = Partial<Omit<Encounter, 'older' | 'newer'>> & {
  older: string;
  newer: string;
  kinds?: readonly [MemoryKind, MemoryKind];
  days?: readonly [number, number];
  projects?: readonly [ProjectId | null, ProjectId | null];
};
const relationOf = ({ older, newer, kinds, days, projects, ...rest }: Case): string => {
  const side = (index: 0 | 1, text: string): Encounter['older'] => ({
    kind: (kinds ?? ['decision', 'decision'])[index],
    text,
    projectId: (projects ?? [project, project])[index],
    endedAt: new Date(Date.UTC(2026, 0, (days ?? [1, 2])[index])),
  });
  return judgeEncounter({
    ...{ nearness: 'repetition', sharedWords: 0.8, mayRetire: true, ...rest },
    older: side(0, older),
    newer: side(1, newer),
  }).relation;
};

const THIRTY = 'Timeout of the gateway is 30 s.';
const SIXTY = 'Timeout of the gateway is 60 s.';

describe('a newer decision', () => {
  it.each([
    [THIRTY, SIXTY],
    ['The gateway timeout 30 s holds for all.', 'The gateway timeout 60 s holds for all.'],
    ['The retry limit is 5.', 'The retry limit is 9.'],
    ['We run on v18 and upgrade to v20.', 'We run on v18 and upgrade to v22.'],
    ['We keep backups for 14 days.', 'We keep backups for 30 days.'],
    ['We deploy on Fridays.', 'We do not deploy on Fridays.'],
    ['We deploy on Fridays.', 'We no longer deploy on Fridays.'],
    ['The cache is enabled in tests.', 'The cache is disabled in tests.'],
    ['We use yarn for the web shop.', 'We use pnpm for the web shop instead of yarn.'],
    ['网关超时为 30 秒。', '网关超时为 60 秒。'],
    ['前端使用 yarn 管理依赖。', '前端改用 pnpm 管理依赖，不再使用 yarn。'],
  ])('that changes a value, or says what it gives up, retires the older one: %s / %s', (older, newer) => {
    expect(relationOf({ older, newer })).toBe('supersedes');
    expect(relationOf({ older, newer, nearness: 'alike' })).toBe('supersedes');
  });

  it('that the encoder does not find near has the same words but for the value', () => {
    const more = 'Timeout of the gateway is 60 s, as in the shop.';
    expect(relationOf({ older: THIRTY, newer: more, nearness: 'near' })).toBe('supersedes');
    expect(relationOf({ older: THIRTY, newer: more, nearness: 'alike' })).toBe('conflict');
  });

  it.each([
    ['the subject', 'We use pnpm in the web repo.', 'We use pnpm in the api repo.'],
    ['one of two opposite things', 'The read pool has 10 connections.', 'The write pool has 10 connections.'],
    ['which one', 'Sprint 12 ends on Friday.', 'Sprint 13 ends on Friday.'],
    ['a number like a name', 'The API listens on port 8080.', 'The API listens on port 8081.'],
    ['a year', 'In 2026 we ship to Spain.', 'In 2027 we ship to Spain.'],
    ['a version like a name', 'The v1 API answers in JSON.', 'The v2 API answers in JSON.'],
    ['a measure like a name', '2 GB nodes run the tests.', '4 GB nodes run the tests.'],
    ['how far it goes', 'Only admins may deploy.', 'Admins may deploy.'],
    ['a name, unsaid', 'We use yarn for the web shop.', 'We use pnpm for the web shop.'],
  ])('that differs in %s is a conflict and retires nothing', (_, older, newer) => {
    expect(relationOf({ older, newer })).toBe('conflict');
    expect(relationOf({ older: newer, newer: older })).toBe('conflict');
  });

  it.each([
    ['who says it may not change the older', { mayRetire: false }],
    ['it is the earlier one', { days: [2, 1] as const }],
    ['it is of the same moment', { days: [1, 1] as const }],
    ['it is of another project', { projects: [project, null] as const }],
    ['the words are others', { sharedWords: 0.5 }],
    ['the older is no decision', { kinds: ['background', 'decision'] as const }],
    ['it is no decision itself', { kinds: ['decision', 'background'] as const }],
  ])('retires nothing where %s: a conflict', (_, more) => {
    expect(relationOf({ older: THIRTY, newer: SIXTY, ...more })).toBe('conflict');
  });

  it('does not take what another text gives up for its own subject', () => {
    const older = 'The api uses npm, not yarn.';
    const newer = 'The web shop uses pnpm instead of yarn.';
    expect(relationOf({ older, newer, nearness: 'near' })).toBe('near');
    const more = 'We use Postgres for billing instead of MySQL.';
    expect(relationOf({ older: 'We use Postgres for billing.', newer: more, nearness: 'near' })).toBe('near');
  });

  it('with another name in the same words is pointed out, and retires nothing', () => {
    const older = 'We store the receipts of all shop customers in PostgreSQL for ten years.';
    const newer = 'We store the receipts of all shop customers in MongoDB for ten years.';
    for (const kind of ['decision', 'episode'] as const) {
      expect(relationOf({ older, newer, kinds: [kind, kind], nearness: 'alike' })).toBe('near');
    }
  });

  it('that says how something went, and otherwise than before, is a conflict', () => {
    const [older, newer] = ['The fix works on the main branch.', 'The fix breaks on the main branch.'];
    expect(relationOf({ older, newer, nearness: 'alike' })).toBe('conflict');
    const [read, write] = ['The read pool is large.', 'The write pool is large.'];
    expect(relationOf({ older: read, newer: write, nearness: 'alike' })).toBe('far');
  });

  it('is far, near or the same as it was before', () => {
    expect(relationOf({ older: THIRTY, newer: SIXTY, nearness: 'far' })).toBe('far');
    expect(relationOf({ older: THIRTY, newer: THIRTY })).toBe('same');
    expect(relationOf({ older: 'Herons fish.', newer: 'Egrets sleep.', nearness: 'near' })).toBe('near');
    expect(relationOf({ older: 'Herons fish.', newer: 'Egrets sleep.', nearness: 'alike' })).toBe('far');
  });
});
