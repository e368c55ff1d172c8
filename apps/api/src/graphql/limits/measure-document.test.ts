import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { measureDocument } from './measure-document.js';

const sizeOf = (text: string): ReturnType<typeof measureDocument> => measureDocument(parse(text), () => false);

describe('the depth of a document', () => {
  it.each([
    [1, '{ a }'],
    [2, '{ a { b } }'],
    [3, '{ a { ... { b { c } } } }'],
    [3, '{ a { ...F } } fragment F on X { b { c } }'],
    [3, '{ x a { ...__schema } } fragment __schema on X { b { ...G } } fragment G on Y { c }'],
    [4, 'query A { a } query B { a { b { c { d } } } }'],
  ])('is %d for %s', (depth, text) => {
    expect(sizeOf(text).depth).toBe(depth);
  });

  it('is infinite where a fragment reaches itself', () => {
    expect(sizeOf('{ ...F } fragment F on X { a { ...F } }').depth).toBe(Number.POSITIVE_INFINITY);
    expect(sizeOf('{ ...F } fragment F on X { ...G } fragment G on X { ...F }').depth).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('what else is counted', () => {
  it('counts aliases, directives and fields of a fragment each time it is spread', () => {
    const text = '{ ...F ...F } fragment F on X { b: a @include(if: true) c }';
    expect(sizeOf(text)).toMatchObject({ aliases: 2, directives: 2, fields: 4 });
  });

  it('counts directives on operations, spreads and inline fragments', () => {
    expect(sizeOf('query @a { ...F @b ... @c { x } } fragment F on X { y }').directives).toBe(3);
  });

  it('takes no time for fragments that double', () => {
    const chain = Array.from({ length: 60 }, (_, i) => `fragment F${i} on X { ...F${i + 1} ...F${i + 1} }`).join(' ');
    expect(sizeOf(`{ ...F0 } ${chain} fragment F60 on X { a }`).fields).toBe(2 ** 60);
  });

  it('leaves out the root fields that are free, and only as root fields', () => {
    const isFree = (field: string): boolean => field === '__schema';
    expect(measureDocument(parse('{ __schema { types { name } } a }'), isFree).depth).toBe(1);
    expect(measureDocument(parse('{ ...F } fragment F on Query { __schema { types { name } } }'), isFree).depth).toBe(
      0,
    );
    expect(measureDocument(parse('{ a { __schema { b { c } } } }'), isFree).depth).toBe(4);
  });
});
