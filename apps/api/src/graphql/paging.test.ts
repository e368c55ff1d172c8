import { asId, type TenantId } from '@tempera/core';
import { KeyRing, newKeySet } from '@tempera/platform';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Paging } from './paging.js';

const tenantId = asId<TenantId>('11111111-1111-4111-8111-111111111111');
const bound = { tenantId, list: 'things', filter: { state: 'active' } };
const paging = new Paging(new KeyRing(newKeySet()));
const rows = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
const cursorOf = (instance = paging): string => {
  const request = instance.request({ first: 2 }, bound);
  return instance.pageOf(rows, request, ({ id }) => [id]).pageInfo.endCursor ?? '';
};

describe('pages', () => {
  it('hold as many rows as asked and say whether more follow', () => {
    const request = paging.request({ first: 2 }, bound);
    expect(request.take).toBe(3);
    const page = paging.pageOf(rows, request, ({ id }) => [id]);
    expect(page.nodes.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(page.pageInfo.hasNextPage).toBe(true);
    const last = paging.pageOf(rows.slice(2), request, ({ id }) => [id]);
    expect(last.pageInfo.hasNextPage).toBe(false);
    expect(paging.pageOf([], request, () => []).pageInfo).toEqual({ hasNextPage: false, endCursor: null });
  });

  it.each([0, -1, 101, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('are refused with first: %d', (first) => {
    expect(() => paging.request({ first }, bound)).toThrow('`first`');
  });
});

describe('cursors', () => {
  it('lead back to where the page ended', () => {
    expect(paging.request({ first: 1, after: cursorOf() }, bound).after).toEqual(['b']);
    expect(paging.request({ first: 1, after: null }, bound).after).toBeNull();
  });

  it('fit one tenant, list, filter and key alone', () => {
    const other = asId<TenantId>('22222222-2222-4222-8222-222222222222');
    const after = cursorOf();
    for (const change of [
      { tenantId: other },
      { list: 'others' },
      { filter: { state: 'archived' } },
      { filter: undefined },
    ]) {
      expect(() => paging.request({ first: 1, after }, { ...bound, ...change })).toThrow('cursor');
    }
    expect(() => paging.request({ first: 1, after: cursorOf(new Paging(new KeyRing(newKeySet()))) }, bound)).toThrow(
      'cursor',
    );
  });

  it('are refused when anything else is given for one', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2_000 }), (after) => {
        expect(() => paging.request({ first: 1, after }, bound)).toThrow('cursor');
      }),
      { numRuns: 1_000 },
    );
  });
});
