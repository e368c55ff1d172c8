import { createHash } from 'node:crypto';
import { z } from 'zod';
import { field, firstOf, type ImportFormat, peekJson } from '../import-format.js';
import { check, type ImportInput, parseJson } from '../import-input.js';
import {
  inPieces,
  type ImportedMemory,
  type ImportItem,
  momentOf,
  type ParsedImport,
  sourceIdOf,
  tagsOf,
} from '../import-item.js';

/** Products that export one JSON file with a list of short texts. */

const moment = z.union([z.string(), z.number()]).nullish();

/** What no product named is named by its words. */
const nameOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Kinds by the words of other products; else it is background. */
const KINDS: Readonly<Record<string, string>> = {
  decision: 'DECISION',
  'architectural-decision': 'DECISION',
  preference: 'PREFERENCE',
  preferences: 'PREFERENCE',
  user_preference: 'PREFERENCE',
  todo: 'TODO',
  task: 'TODO',
  correction: 'CORRECTION',
  feedback: 'CORRECTION',
  question: 'QUESTION',
  bugfix: 'EPISODE',
  session: 'EPISODE',
};
export const kindOf = (word: string | null | undefined): string =>
  KINDS[(word ?? '').trim().toLowerCase()] ?? 'BACKGROUND';

const parseAll = async <Shape extends z.ZodType>(
  input: ImportInput,
  shape: Shape,
  listOf: (file: z.output<Shape>) => readonly { readonly id: string | null; readonly memory: ImportedMemory }[],
): Promise<ParsedImport> => {
  const [name = ''] = input.names;
  const file = check(name, null, parseJson(name, await input.read(name)), shape);
  const items: ImportItem[] = [];
  const skipped: ParsedImport['skipped'][number][] = [];
  for (const [index, { id, memory }] of listOf(file).entries()) {
    const sourceId = sourceIdOf(id ?? nameOf(memory.text));
    if (memory.text.trim() === '') skipped.push({ sourceId: id ?? `number ${index + 1}`, reason: 'It says nothing.' });
    else items.push(...inPieces({ sourceId, memory }));
  }
  return { items, skipped };
};

const mem0Memory = z.object({
  id: z.string(),
  memory: z.string(),
  categories: z.array(z.string()).nullish(),
  created_at: moment,
  updated_at: moment,
  run_id: z.string().nullish(),
});
const mem0Shape = z
  .union([z.array(mem0Memory), z.object({ results: z.array(mem0Memory) }), z.object({ memories: z.array(mem0Memory) })])
  .transform((file) => (Array.isArray(file) ? file : 'results' in file ? file.results : file.memories));

export const mem0: ImportFormat = {
  name: 'mem0',
  reads: 'memories of mem0 as its API answers them: a list, or `results` with one (JSON)',
  matches: async (input) => {
    const file = await peekJson(input);
    const first = firstOf(file) ?? firstOf(field(file, 'results')) ?? firstOf(field(file, 'memories'));
    return typeof field(first, 'memory') === 'string';
  },
  parse: (input) =>
    parseAll(input, mem0Shape, (file) =>
      file.map((one) => ({
        id: one.id,
        memory: {
          text: one.memory,
          kind: kindOf(one.categories?.[0]),
          tags: tagsOf(one.categories ?? []),
          occurredAt: momentOf(one.updated_at ?? one.created_at),
          sessionKey: one.run_id ?? null,
        },
      })),
    ),
};

const memoryServiceShape = z.object({
  memories: z.array(
    z.object({
      content: z.string(),
      content_hash: z.string().nullish(),
      tags: z.array(z.string()).nullish(),
      created_at: moment,
      updated_at: moment,
      memory_type: z.string().nullish(),
    }),
  ),
});

export const mcpMemoryService: ImportFormat = {
  name: 'mcp-memory-service',
  reads: 'an export of mcp-memory-service (JSON)',
  matches: async (input) => typeof field(firstOf(field(await peekJson(input), 'memories')), 'content') === 'string',
  parse: (input) =>
    parseAll(input, memoryServiceShape, ({ memories }) =>
      memories.map((one) => ({
        id: one.content_hash ?? null,
        memory: {
          text: one.content,
          kind: kindOf(one.memory_type),
          tags: tagsOf([...(one.tags ?? []), ...(one.memory_type ? [one.memory_type] : [])]),
          occurredAt: momentOf(one.created_at),
        },
      })),
    ),
};

const everMemShape = z.object({ memories: z.array(z.object({ text: z.string(), timestamp: moment })) });

export const everMem: ImportFormat = {
  name: 'evermemos',
  reads: 'memories as texts with timestamps (JSON)',
  matches: async (input) => typeof field(firstOf(field(await peekJson(input), 'memories')), 'text') === 'string',
  parse: (input) =>
    parseAll(input, everMemShape, ({ memories }) =>
      memories.map((one) => ({
        id: null,
        memory: { text: one.text, kind: 'BACKGROUND', occurredAt: momentOf(one.timestamp) },
      })),
    ),
};
