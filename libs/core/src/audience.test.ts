import { describe, expect, it } from 'vitest';
import { audienceKey, isSeenByAllOf, type Audience } from './audience.js';
import { asId, type GroupId, type ProjectId, type UserId } from './memory.js';

const anns: Audience = {
  scope: 'private',
  ownerId: asId<UserId>('ann'),
  projectId: asId<ProjectId>('p1'),
  groupId: null,
};
const inProject: Audience = { ...anns, scope: 'project' };
const inOtherProject: Audience = { ...inProject, projectId: asId<ProjectId>('p2') };
const inGroup: Audience = { ...anns, scope: 'group', groupId: asId<GroupId>('g1') };
const inTenant: Audience = { ...anns, scope: 'tenant' };
const bos: Audience = { ...anns, ownerId: asId<UserId>('bo') };

describe('audiences', () => {
  it('are one for the same people, whoever wrote the memory', () => {
    expect(audienceKey(inProject)).toBe(audienceKey({ ...inProject, ownerId: asId<UserId>('bo') }));
    expect(audienceKey(inTenant)).toBe(audienceKey({ ...inTenant, projectId: asId<ProjectId>('p2') }));
  });

  it('are never one for different people', () => {
    const keys = [anns, bos, inProject, inOtherProject, inGroup, inTenant].map(audienceKey);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('whether all who see one memory see another', () => {
  it.each<[Audience, Audience]>([
    [inProject, inProject],
    [inTenant, anns],
    [inTenant, inGroup],
    [inProject, anns],
  ])('is true for $0.scope of $1.scope', (outer, inner) => expect(isSeenByAllOf(outer, inner)).toBe(true));

  it.each<[Audience, Audience]>([
    [anns, inProject],
    [bos, anns],
    [inProject, inTenant],
    [inOtherProject, inProject],
    [inProject, bos],
    [inGroup, inProject],
  ])('is false for $0.scope of $1.scope', (outer, inner) => expect(isSeenByAllOf(outer, inner)).toBe(false));
});
