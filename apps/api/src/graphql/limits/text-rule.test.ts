import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { faultInDocument, faultInVariables, textFault } from './text-rule.js';

it('knows what Postgres cannot keep and UTF-8 cannot carry', () => {
  expect(textFault('a\u0000b')).toContain('NUL');
  for (const text of ['\ud800', 'a\udfff', '\ude00\ud83d']) expect(textFault(text)).toContain('surrogate');
  for (const text of ['', 'plain', '😀', '漢字', '\ufffd']) expect(textFault(text)).toBeNull();
});

it('finds a faulty text wherever it stands in the variables, keys included', () => {
  expect(faultInVariables({ a: [{ b: ['x', '\u0000'] }] })).toContain('NUL');
  expect(faultInVariables({ a: { 'x\ud800': 1 } })).toContain('surrogate');
  expect(faultInVariables({ a: [1, null, true, { b: 'fine' }] })).toBeNull();
});

it('walks values nested beyond any stack', () => {
  let value: unknown = '\u0000';
  for (let depth = 0; depth < 200_000; depth += 1) value = [value];
  expect(faultInVariables({ value })).toContain('NUL');
});

it('finds a faulty text among the literals of a document', () => {
  expect(faultInDocument(parse('{ a(b: {c: ["x", "\\u0000"]}) }'))).toContain('NUL');
  expect(faultInDocument(parse('{ a(b: "fine") }'))).toBeNull();
});
