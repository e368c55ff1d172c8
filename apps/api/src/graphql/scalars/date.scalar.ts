import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

const parse = (value: unknown): string => {
  const text = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : '';
  const date = new Date(`${text}T00:00:00Z`);
  const isReal = text !== '' && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
  if (!isReal) throw new GraphQLError('Date is a day such as 2026-01-31.');
  if (text < '1900-01-01') throw new GraphQLError('Date is a day from 1900-01-01 on.');
  return text;
};

/** A day without a time or zone, `YYYY-MM-DD`; a string in code too, so that no zone ever shifts it. */
export const GraphqlDate = new GraphQLScalarType<string, string>({
  name: 'Date',
  description: 'A day without a time, such as 2026-01-31.',
  parseValue: parse,
  parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : null),
  serialize: (value) => {
    if (typeof value !== 'string') throw new Error('A Date field needs a string of the form YYYY-MM-DD.');
    return value;
  },
});
