import { z } from 'zod';

/** What every reader of tools/list takes for granted, and every client would pay for in each conversation. */
const isImplied = (key: string, value: unknown): boolean =>
  key === '$schema' || (key === 'additionalProperties' && value === false);

const lean = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(lean);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, entry]) => !isImplied(key, entry));
  return Object.fromEntries(kept.map(([key, entry]) => [key, lean(entry)]));
};

/**
 * A tool's arguments as JSON schema, without what says nothing to a caller. Arguments that are none are refused all the
 * same, by name: the catalogue checks against the schema itself.
 */
export const toldSchema = (schema: z.ZodObject): Record<string, unknown> =>
  lean(z.toJSONSchema(schema)) as Record<string, unknown>;
