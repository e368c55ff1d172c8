import { OPERATION_RULES } from '../auth/operation-rules.js';

/** Asking for the schema; the client's own names for an operation are never taken, since there is no end to them. */
const INTROSPECTION = new Set(['__schema', '__type', '__typename']);

const wordOf = (field: string): string => {
  if (Object.hasOwn(OPERATION_RULES, field)) return field;
  return INTROSPECTION.has(field) ? 'introspection' : 'other';
};

/** One word for what a GraphQL request asks: the operation, as our own list has it. */
export const operationLabel = (fields: readonly string[] | undefined): string => {
  if (fields === undefined) return 'none';
  const words = new Set(fields.map(wordOf));
  const [only = 'other'] = words;
  return words.size > 1 ? 'several' : only;
};
