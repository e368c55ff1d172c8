import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { limitRule } from './limit-rule.js';

const schema = buildSchema('type Memory { text: String related: [Memory] } type Query { memory: Memory }');
const problems = (document: string): string[] =>
  validate(schema, parse(document), [limitRule({ introspection: false })]).map(({ message }) => message);

describe('related memories', () => {
  it('are told once', () => expect(problems('{ memory { related { text } } }')).toEqual([]));

  it('are not told of related memories, where each level would be ten times the answer', () => {
    const nested = ['{ memory { related { related { text } } } }'];
    nested.push(
      '{ memory { ...a } } fragment a on Memory { related { ...b } } fragment b on Memory { related { text } }',
    );
    for (const document of nested) expect(problems(document)).toEqual([expect.stringContaining('related')]);
  });
});
