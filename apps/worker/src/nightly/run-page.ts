import { findLastStep, findStep, holdRun, type PageReport, recordStep, type Doors, type Tx } from '@tempera/platform';
import type { MaintenanceStep, RunRef, StepCursor } from '@tempera/platform/temporal/contract';

/** What the steps of a night work with. */
export interface NightlyTools {
  readonly doors: Pick<Doors, 'asWorker'>;
  readonly now: () => Date;
  /** Memories of one page. */
  readonly pageSize: number;
}

/** What a page did. */
export interface PageEffect {
  readonly report: PageReport;
  /** The last memory of the page, or null when none follow. */
  readonly after: string | null;
}

/** Which memories a page is of. */
export interface PageSpan {
  /** The last memory of the page before; null at the start. */
  readonly after: string | null;
  readonly limit: number;
}

/** One page of a step, inside the transaction that will record it. */
export type PageWork = (tx: Tx, run: RunRef, span: PageSpan) => Promise<PageEffect>;

/**
 * Does one page: its effect and its step row in one transaction, so that a page that is asked for again is skipped.
 * @returns where to go on, or null when the step is done
 */
export const runPage = (
  { doors, now, pageSize }: NightlyTools,
  run: RunRef,
  step: MaintenanceStep,
  cursor: StepCursor,
  work: PageWork,
): Promise<StepCursor | null> =>
  doors.asWorker(run.tenantId, async (tx) => {
    await holdRun(tx, run);
    const done = await findStep(tx, run, step, cursor.page);
    if (done) return done.next;
    const { report, after } = await work(tx, run, { after: cursor.after, limit: pageSize });
    await recordStep(tx, run, { step, page: cursor.page, report, after, at: now() });
    return after === null ? null : { page: cursor.page + 1, after };
  });

/** Where a step stands: what an earlier attempt has done, here or elsewhere, is not walked through again. */
export const resumeStep = async (
  { doors }: Pick<NightlyTools, 'doors'>,
  run: RunRef,
  step: MaintenanceStep,
  cursor: StepCursor,
): Promise<StepCursor | null> => {
  const done = await doors.asWorker(run.tenantId, (tx) => findLastStep(tx, run, step));
  if (done === null) return cursor;
  return done.next === null || done.next.page > cursor.page ? done.next : cursor;
};

/** The last id of a full page; null for a page that was not full, since nothing follows it. */
export const lastOf = (rows: readonly { readonly id: string }[], { limit }: PageSpan): string | null =>
  rows.length < limit ? null : (rows.at(-1)?.id ?? null);
