import type { MemoryKind, RetrievalKind, Scope } from '@tempera/core';
import { checkAsOf } from '../memories/as-of.js';
import { checkBytes, checkFilter, checkOptionalText, hasItems, refuse } from '../memories/check-input.js';
import type { SearchMode } from './retrieval.enums.js';
import type { RetrieveInput } from './retrieve.input.js';

const MAX_QUERY_BYTES = 8_192;
export const MAX_LIMIT = 50;

/** A question whose arguments have been checked. */
export interface Question {
  readonly text: string;
  /** Null: as many as the settings say. */
  readonly limit: number | null;
  readonly projectSlug: string | null;
  readonly groupSlug: string | null;
  readonly kind: RetrievalKind;
  /** The moment that it asks about; null: now. */
  readonly asOf: Date | null;
  readonly mode: SearchMode;
  readonly narrowing: {
    readonly scope?: Scope;
    readonly kinds?: readonly MemoryKind[];
    readonly tags?: readonly string[];
    readonly files?: readonly string[];
    readonly since?: Date;
    readonly until?: Date;
    readonly refuted?: boolean;
  };
}

/** @throws AppError `invalid-input` that names the argument */
export const parseRetrieve = (input: RetrieveInput, now: Date): Question => {
  const { limit, since, until, scope, kinds } = input;
  const tags = checkFilter(input.tags, { name: 'tags', max: 100, maxItems: 50 });
  const files = checkFilter(input.files, { name: 'files', max: 1_000, maxItems: 50 });
  const hits = limit ?? null;
  if (hits !== null && (hits < 1 || hits > MAX_LIMIT))
    throw refuse('limit', `\`limit\` is a whole number from 1 to ${MAX_LIMIT}.`);
  if (input.refuted === true && input.asOf) {
    throw refuse('as-of-state', '`asOf` tells what stood then; it does not go with `refuted`.');
  }
  if (since && until && since > until) throw refuse('range', '`since` lies after `until`.');
  return {
    text: checkBytes(input.query, 'query', MAX_QUERY_BYTES),
    limit: hits,
    projectSlug: checkOptionalText(input.project, { name: 'project', max: 63, oneLine: true }),
    groupSlug: checkOptionalText(input.group, { name: 'group', max: 63, oneLine: true }),
    kind: input.kind,
    asOf: checkAsOf(input.asOf, now),
    mode: input.mode,
    narrowing: {
      ...(scope ? { scope } : {}),
      ...(hasItems(kinds) ? { kinds } : {}),
      ...(tags ? { tags } : {}),
      ...(files ? { files } : {}),
      ...(since ? { since } : {}),
      ...(until ? { until } : {}),
      ...(input.refuted === true ? { refuted: true } : {}),
    },
  };
};
