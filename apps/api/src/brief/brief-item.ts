import { cutToTokens, estimateTokens } from '@tempera/client-kit';
import { type BriefItem, type BriefPart, isSameError, type MemoryId } from '@tempera/core';
import type { MemoryRecord } from '@tempera/platform';

/** One item tells what matters; the whole memory is found by its id. */
const MOST_TOKENS = 200;
/** What the line with id, author and reasons takes. */
const HEADING_TOKENS = 40;

/** Why a memory is part of a brief. */
export interface BriefReasons {
  /** Its place among what is near the task, 1 for the nearest; null where it is not near. */
  readonly nearness: number | null;
  readonly byFile: boolean;
  readonly byDomain: boolean;
  readonly byType: boolean;
}

export interface ToldMemory extends BriefItem<MemoryId> {
  readonly record: MemoryRecord;
  readonly text: string;
  readonly why: readonly string[];
}

/** What a memory has to tell for a task; null where it is not what a brief tells. */
export const tellMemory = (
  record: MemoryRecord,
  reasons: BriefReasons,
  taskFingerprints: readonly string[],
): ToldMemory | null => {
  const errors = record.errorsResolved
    .filter(({ error, resolution }) => resolution !== null && isSameError(error, taskFingerprints))
    .map(({ error, resolution }) => `Error: ${error} => ${resolution ?? ''}`);
  const isRelated = reasons.nearness !== null || reasons.byFile || reasons.byDomain || reasons.byType;
  const part = partOf(record, errors.length > 0, isRelated);
  if (part === null) return null;
  const text = cutToTokens([...saidBy(record), ...errors, ...rejectedBy(record)].join('\n'), MOST_TOKENS);
  return {
    id: record.id,
    part,
    weight: weightOf(reasons, errors.length > 0),
    tokens: estimateTokens(text) + HEADING_TOKENS,
    record,
    text,
    why: whyTold(part, reasons, errors.length > 0),
  };
};

const partOf = ({ kind, alternatives }: MemoryRecord, hasError: boolean, isRelated: boolean): BriefPart | null => {
  if (hasError) return 'error';
  if (kind === 'todo') return 'todo';
  if (!isRelated) return null;
  if (kind === 'correction' || kind === 'question' || kind === 'decision') return kind;
  return alternatives.length > 0 ? 'alternative' : null;
};

/** Title and text; of work, whose text can be long, the title is enough beside its errors and alternatives. */
const saidBy = ({ kind, title, text }: MemoryRecord): string[] => {
  if (kind === 'episode') return [title];
  return text.trim().startsWith(title) ? [text.trim()] : [title, text.trim()];
};

const rejectedBy = ({ alternatives }: MemoryRecord): string[] =>
  alternatives.map(
    ({ approach, whyNot, revisitIf }) =>
      `Rejected: ${approach} because ${whyNot}${revisitIf === null ? '' : ` (look again if ${revisitIf})`}`,
  );

/** The same error before all else, then nearness and files; a tag or a type alone says little. */
const weightOf = ({ nearness, byFile, byDomain, byType }: BriefReasons, hasError: boolean): number =>
  (hasError ? 2 : 0) +
  (nearness === null ? 0 : 1 / (1 + nearness / 10)) +
  (byFile ? 0.5 : 0) +
  (byDomain ? 0.2 : 0) +
  (byType ? 0.1 : 0);

const whyTold = (part: BriefPart, reasons: BriefReasons, hasError: boolean): string[] => [
  ...(hasError ? ['same error'] : []),
  ...(reasons.byFile ? ['file'] : []),
  ...(reasons.byDomain ? ['domain'] : []),
  ...(reasons.byType ? ['type'] : []),
  ...(reasons.nearness === null ? [] : ['near']),
  ...(part === 'todo' ? ['open'] : []),
];
