import type { Complexity, ComplexityEstimator } from '@nestjs/graphql';

/**
 * What one request may cost (docs/design.md G2). A point is one object, or 4 KiB of text that a field may carry at most: so the
 * largest answer that any document can ask for holds 5,000 × 4 KiB = 20 MiB of what people wrote, such as 290 texts of
 * 64 KiB each, whatever pages, aliases and fragments it is made of. (In JSON, quotes and line breaks take two bytes.)
 */
export const MAX_COST = 5_000;
/** Text that one point stands for. */
export const BYTES_PER_POINT = 4_096;
/** What a list of objects counts as when its field does not say how long it may be. */
export const UNKNOWN_LENGTH = 100;

/** The cost of a field that carries at most so many bytes. */
export const bytes = (max: number): number => Math.ceil(max / BYTES_PER_POINT);

/** A list of objects that is never longer than this. */
export const upTo =
  (length: number): Complexity =>
  ({ childComplexity }) =>
    length * (1 + childComplexity);

/** Work that is done for each item of a list argument, such as `memoryIds` of `input`, beside the answer. */
export const perItem =
  (points: number, itemsOf: (args: Readonly<Record<string, unknown>>) => unknown): ComplexityEstimator =>
  ({ args, childComplexity }) =>
    points * lengthOf(itemsOf(args)) + childComplexity;

/** As {@link perItem}, where the answer has a part for each item too. */
export const perItemAnswered =
  (points: number, itemsOf: (args: Readonly<Record<string, unknown>>) => unknown): ComplexityEstimator =>
  ({ args, childComplexity }) =>
    (points + childComplexity) * lengthOf(itemsOf(args));

/** A list that its parent's field has counted already. */
export const countedAbove: ComplexityEstimator = ({ childComplexity }) => childComplexity;

/** The length of a list argument; an absent or single one does the work of one. */
const lengthOf = (items: unknown): number => (Array.isArray(items) ? Math.max(1, items.length) : 1);
