import { describe, expect, it } from 'vitest';
import { findConflicts } from '../conflict-guard.js';

describe('weekdays and months', () => {
  it.each([
    ['Deploys of the shop happen on Mondays', 'Deploys of the shop happen on Fridays', 'Mon', 'Fri'],
    ['The freeze begins in March', 'The freeze begins in May', 'Mar', 'May'],
    ['the review is in may', 'the review is in june', 'May', 'Jun'],
    ['Open Mon-Thu', 'Open Mon-Fri', 'Mon Thu', 'Fri Mon'],
    ['The licence ends on 5 March', 'The licence ends on 5 May', 'Mar', 'May'],
    ['Backups run on Sunday night', 'Backups run every night', 'Sun', ''],
    ['发布在周一', '发布在星期五', 'Mon', 'Fri'],
    ['发布日是周三', '发布日是周日', 'Wed', 'Sun'],
    ['周一周三部署', '周一周五部署', 'Mon Wed', 'Fri Mon'],
    ['デプロイは月曜日', 'デプロイは金曜日', 'Mon', 'Fri'],
  ])('keep apart, and are named: %s | %s', (one, other, mine, theirs) => {
    const found = findConflicts(one, other).find(({ kind }) => kind === 'date');
    expect([found?.one.join(' '), found?.other.join(' ')]).toEqual([mine, theirs]);
  });

  it('with digits are numbers, in any numerals', () => {
    expect(findConflicts('冻结期在3月', '冻结期在五月').map(({ kind }) => kind)).toEqual(['number']);
    expect(findConflicts('冻结期在3月', '冻结期在三月')).toEqual([]);
  });

  it.each([
    ['周一部署', '星期一部署'],
    ['周五部署', '禮拜五部署'],
    ['We deploy on Mon and Fri', 'We deploy on Fridays and Mondays'],
    ['The freeze begins in Sept.', 'The freeze begins in September'],
    ['This may fail', 'This can fail'],
    ['Release 5 may fail', 'Release 5 can fail'],
    ['They march on', 'They may march on'],
  ])('in another spelling, and words that only look like them, keep nothing apart: %s | %s', (one, other) => {
    expect(findConflicts(one, other)).toEqual([]);
  });

  it('is not what 一 after 周 counts', () => {
    expect(findConflicts('每周一次', '每周一').map(({ kind }) => kind)).toContain('number');
    expect(findConflicts('三周五天后结束', '三周六天后结束').map(({ kind }) => kind)).not.toContain('date');
  });
});
