/*
 * One line of a conversation file of Claude Code. Its form is internal to that client and changes: every field is optional here,
 * and what is not known is left alone.
 */
import { z } from 'zod';

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional().catch(undefined),
  id: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  input: z.record(z.string(), z.unknown()).optional().catch(undefined),
  tool_use_id: z.string().optional().catch(undefined),
  content: z.unknown().optional(),
  is_error: z.boolean().optional().catch(undefined),
});
export type TranscriptBlock = z.infer<typeof block>;

const content = z.union([z.string(), z.array(z.unknown())]).transform((given): TranscriptBlock[] =>
  typeof given === 'string'
    ? [{ type: 'text', text: given }]
    : given.flatMap((one) => {
        const parsed = block.safeParse(one);
        return parsed.success ? [parsed.data] : [];
      }),
);

const line = z.looseObject({
  type: z.string(),
  uuid: z.string().optional().catch(undefined),
  sessionId: z.string().optional().catch(undefined),
  promptId: z.string().optional().catch(undefined),
  timestamp: z.string().optional().catch(undefined),
  cwd: z.string().optional().catch(undefined),
  gitBranch: z.string().optional().catch(undefined),
  isSidechain: z.boolean().optional().catch(undefined),
  isMeta: z.boolean().optional().catch(undefined),
  isCompactSummary: z.boolean().optional().catch(undefined),
  message: z
    .looseObject({ id: z.string().optional().catch(undefined), content: content.optional().catch(undefined) })
    .optional()
    .catch(undefined),
  attachment: z
    .looseObject({ type: z.string().optional().catch(undefined), prompt: content.optional().catch(undefined) })
    .optional()
    .catch(undefined),
});
export type TranscriptLine = z.infer<typeof line>;

/** Longer lines hold files and pictures, not words. */
const LONGEST_LINE = 8 * 1_048_576;

/** Postgres takes no NUL, and half a pair of surrogates is no character. */
const storable = (text: string): string => text.replace(/\p{Cs}/gu, '\u{FFFD}').replaceAll('\0', '\u{FFFD}');

/** @returns null for what is no line of such a file */
export const parseTranscriptLine = (text: string): TranscriptLine | null => {
  if (text.length > LONGEST_LINE) return null;
  try {
    const parsed = line.safeParse(
      JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? storable(value) : value)),
    );
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
};
