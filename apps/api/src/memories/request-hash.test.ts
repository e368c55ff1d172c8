import { describe, expect, it } from 'vitest';
import { hashOf, inNameOrder } from './request-hash.js';

/** As GraphQL hands over an input. */
const bare = (fields: object): object => Object.assign(Object.create(null) as object, fields);

describe('the digest of a request', () => {
  it('does not depend on the order of the names', () => {
    expect(hashOf({ a: 1, b: [bare({ c: 2 })] })).toEqual(hashOf({ b: [bare({ c: 2 })], a: 1 }));
  });

  it('takes lists of objects without a prototype beside other fields', () => {
    const alternatives = [bare({ approach: 'polling', whyNot: 'slow' })];
    const edit = bare({ title: 'A queue', alternatives, errorsResolved: alternatives });
    expect(inNameOrder(edit).map(([name]) => name)).toEqual(['alternatives', 'errorsResolved', 'title']);
    expect(hashOf({ input: inNameOrder(edit) })).not.toEqual(
      hashOf({ input: inNameOrder(bare({ title: 'A queue' })) }),
    );
  });

  it('tells null from nothing where null says something, as in an edit', () => {
    expect(inNameOrder({ a: null, b: undefined })).toEqual([['a', null]]);
    expect(hashOf({ a: 1, b: null })).toEqual(hashOf({ a: 1 }));
  });
});
