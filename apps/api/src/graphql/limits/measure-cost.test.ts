import { buildSchema, type FragmentDefinitionNode, Kind, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { perItem, perItemAnswered, upTo } from './cost.js';
import { measureCost } from './measure-cost.js';

const schema = buildSchema(`
  type Memory { id: ID title: String text: String author: User history: [Revision] others: [Memory] }
  type Revision { text: String }
  type User { name: String }
  type Page { nodes: [Memory] totalCount: Int }
  type Kept { memory: Memory }
  type Query { memory: Memory memories(first: Int!): Page }
  type Mutation { keep(texts: [String!]!): [Kept!] vote(ids: [ID!]!): Int }
`);

const declare = (type: string, field: string, complexity: unknown): void => {
  const found = schema.getType(type);
  if (found === undefined || !('getFields' in found)) throw new Error(`no ${type}`);
  Object.assign(found.getFields()[field] ?? {}, { extensions: { complexity } });
};
declare('Memory', 'text', 16);
declare('Memory', 'history', upTo(20));
declare(
  'Mutation',
  'keep',
  perItemAnswered(20, ({ texts }) => texts),
);
declare(
  'Mutation',
  'vote',
  perItem(2, ({ ids }) => ids),
);

const costOf = (text: string, variables: Record<string, unknown> = {}): number => {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const document = parse(text);
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined) throw new Error('no operation');
  return measureCost({ schema, operation, fragments, variables });
};

describe('the cost of an operation', () => {
  it.each([
    [1, '{ memory { id __typename } }'],
    [2, '{ memory { title } }'],
    [17, '{ memory { text } }'],
    [41, '{ memory { history { text } } }'],
    // The page, and for each of ten its object and its text, which is long.
    [1 + 10 * (1 + 16), '{ memories(first: 10) { totalCount nodes { id text } } }'],
    // A list that does not say how long it is counts as a hundred.
    [101, '{ memory { others { id } } }'],
    [10_101, '{ memory { others { others { id } } } }'],
  ])('is %d for %s', (cost, text) => {
    expect(costOf(text)).toBe(cost);
  });

  it('multiplies pages by `first`, also where a variable says it, and not by more than a page may have', () => {
    const query = 'query ($n: Int!) { memories(first: $n) { nodes { text } } }';
    expect(costOf(query, { n: 3 })).toBe(1 + 3 * 17);
    for (const n of [100, 101, 2_147_483_647]) expect(costOf(query, { n })).toBe(1 + 100 * 17);
    for (const n of [1, 0, -5]) expect(costOf(query, { n })).toBe(1 + 17);
  });

  it('grows with the length of list arguments', () => {
    expect(costOf('mutation ($ids: [ID!]!) { vote(ids: $ids) }', { ids: ['a', 'b', 'c'] })).toBe(6);
    expect(costOf('mutation { keep(texts: ["a", "b"]) { memory { text } } }')).toBe(2 * (20 + 17));
    expect(costOf('mutation { keep(texts: []) { memory { id } } }')).toBe(21);
  });

  it('counts aliases, fragments and inline fragments each time', () => {
    expect(costOf('{ a: memory { text } b: memory { text } }')).toBe(34);
    const text = '{ memory { ...F ...F ... { title } ... on Memory { title } } } fragment F on Memory { t: text }';
    expect(costOf(text)).toBe(1 + 32 + 2);
  });

  it('takes no time for fragments that double', () => {
    const chain = Array.from({ length: 60 }, (_, i) => `fragment F${i} on Memory { ...F${i + 1} ...F${i + 1} }`).join(
      ' ',
    );
    expect(costOf(`{ memory { ...F0 } } ${chain} fragment F60 on Memory { title }`)).toBe(2 ** 60 + 1);
  });
});
