import { describe, expect, it } from 'vitest';
import { grantOf, PERMISSIONS, ACCESS_ROLES } from './permissions.js';

const all = PERMISSIONS.flatMap(({ permissions }) => [...permissions]);

describe('the table of permissions', () => {
  it('names every action once, in words that differ', () => {
    expect(new Set(all.map(({ action }) => action)).size).toBe(all.length);
    expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
  });

  it('never grants a contributor or reader what it denies a maintainer', () => {
    for (const { action, grants } of all) {
      if (grants.maintainer === 'no') expect([action, grants.contributor, grants.reader]).toEqual([action, 'no', 'no']);
    }
  });

  it('shows a private memory to nobody but its owner: no one moves or sees what is another’s own', () => {
    for (const role of ACCESS_ROLES) expect(grantOf('move-others', role)).toBe('no');
  });

  it('is asked by name, and says when there is no such action', () => {
    expect(grantOf('capture-reviewed', 'contributor')).toBe('propose');
    expect(() => grantOf('see-everything', 'admin')).toThrow('see-everything');
  });
});
