import {
  eraseMemories,
  pageOfErasable,
  PURGED_KINDS,
  type PurgedKind,
  purgeRows,
  recordChanges,
  type Tx,
} from '@tempera/platform';
import type { RunRef } from '@tempera/platform/temporal/contract';
import { type PageEffect, type PageSpan, type StepWork, unprepared } from './page.js';

/** Memories erased in one transaction; all that points at each of them goes too. */
const MAX_ERASED = 50;
/** Rows of other kinds. */
const MAX_ROWS = 500;
/** How a place among the other kinds begins; ids of memories begin otherwise. */
const KIND = 'kind:';

/** First memories that are due to be erased, in order of id; then rows of other kinds, kind by kind. */
export const purgeStep: StepWork = {
  memories: async (tx, _run, span) => {
    if (span.after?.startsWith(KIND) === true) return { ids: [], after: span.after };
    const ids = (await pageOfErasable(tx, fewer(span))).map(({ id }) => id);
    return { ids, after: endOf(ids, fewer(span)) };
  },
  prepare: unprepared((tx, run, span) =>
    span.after?.startsWith(KIND) === true
      ? purgeKind(tx, run, span.after.slice(KIND.length) as PurgedKind)
      : erase(tx, run, fewer(span)),
  ),
};

const fewer = (span: PageSpan): PageSpan => ({ ...span, limit: Math.min(span.limit, MAX_ERASED) });

const endOf = (ids: readonly string[], { limit }: PageSpan): string =>
  (ids.length < limit ? undefined : ids.at(-1)) ?? `${KIND}${PURGED_KINDS[0]}`;

const erase = async (tx: Tx, run: RunRef, span: PageSpan): Promise<PageEffect> => {
  const due = await pageOfErasable(tx, span);
  const ids = due.map(({ id }) => id);
  if (run.isDry === true) {
    const changes = due.map(({ id, reason }) => ({
      ...{ memoryId: id, action: 'erased' as const, intoId: null },
      reasons: [reason],
    }));
    await recordChanges(tx, run, 'purge', changes);
  }
  const erased = run.isDry === true ? ids.length : await eraseMemories(tx, ids);
  return {
    report: { erased, looked: ids.length, changed: erased },
    after: endOf(ids, span),
  };
};

const purgeKind = async (tx: Tx, run: RunRef, kind: PurgedKind): Promise<PageEffect> => {
  const isDry = run.isDry === true;
  const count = await purgeRows(tx, kind, { limit: MAX_ROWS, isDry });
  const next = !isDry && count === MAX_ROWS ? kind : PURGED_KINDS[PURGED_KINDS.indexOf(kind) + 1];
  return {
    report: { [kind === 'questions' ? 'cleared' : 'removed']: count, looked: count, changed: count },
    after: next === undefined ? null : `${KIND}${next}`,
  };
};
