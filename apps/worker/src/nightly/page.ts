import { isAppError } from '@tempera/client-kit';
import {
  type Doors,
  findStep,
  holdRun,
  type Logger,
  type PageOfMemories,
  type PageReport,
  recordStep,
  type Tx,
} from '@tempera/platform';
import type { MaintenanceStep, RunRef, StepCursor } from '@tempera/platform/temporal/contract';

/** What the steps of a night work with. */
export interface NightlyTools {
  readonly doors: Pick<Doors, 'asWorker' | 'asText'>;
  readonly now: () => Date;
  /** Memories of one page. */
  readonly pageSize: number;
  readonly logger: Logger;
}

/** What a page did. */
export interface PageEffect {
  readonly report: PageReport;
  /** The last memory of the page, or null when none follow. */
  readonly after: string | null;
}

/** Which memories a page is of. */
export type PageSpan = PageOfMemories;

/** One page of a step, inside the transaction that will record it. */
export type PageWork = (tx: Tx, run: RunRef, span: PageSpan) => Promise<PageEffect>;

/** A step as it is worked on, page by page. */
export interface StepWork {
  /** What is to be known or worked out before the page's transaction, by a step that reads more than scores. */
  readonly prepare: (span: PageSpan) => Promise<PageWork>;
  /** The memories of a page and where it ends, for the one of them to be found that the step cannot work on. */
  readonly memories: (tx: Tx, run: RunRef, span: PageSpan) => Promise<PageMemories>;
}

export interface PageMemories {
  readonly ids: readonly string[];
  readonly after: string | null;
}

/** One page of one step of one run. */
export interface PageTask {
  readonly run: RunRef;
  readonly step: MaintenanceStep;
  readonly cursor: StepCursor;
  readonly work: StepWork;
  /** Shows life. */
  readonly beat: () => void;
}

/** What came up in the work of a page itself, and will come up again. */
export class PageFault extends Error {
  constructor(override readonly cause: unknown) {
    super('The work of a page failed.', { cause });
  }
}

/** What is done with the work's own outcome, in its transaction. */
export type Finish = (tx: Tx, effect: PageEffect) => Promise<PageEffect>;

const asItIs: Finish = (_tx, effect) => Promise.resolve(effect);

/** @throws PageFault for what another attempt would meet again; all else as it is */
export const attempt = async (
  { doors, now, pageSize }: NightlyTools,
  { run, step, cursor, work }: PageTask,
  part: Partial<PageSpan> = {},
  finish: Finish = asItIs,
): Promise<StepCursor | null> => {
  const span = { after: cursor.after, limit: pageSize, without: [], ...part };
  let isAtWork = true;
  try {
    const page = await work.prepare(span);
    isAtWork = false;
    return await doors.asWorker(run.tenantId, async (tx) => {
      await holdRun(tx, run);
      const done = await findStep(tx, run, step, cursor.page);
      if (done) return done.next;
      isAtWork = true;
      const own = await page(tx, run, span);
      isAtWork = false;
      const { report, after } = await finish(tx, own);
      await recordStep(tx, run, { step, page: cursor.page, report, after, at: now() });
      return after === null ? null : { page: cursor.page + 1, after };
    });
  } catch (error) {
    throw isAtWork && !isPassing(error) ? new PageFault(error) : error;
  }
};

/** What a later attempt may not meet. */
const isPassing = (error: unknown): boolean => isAppError(error) && error.kind === 'unavailable';

/** The last id of a full page; null for a page that was not full, since nothing follows it. */
export const lastOf = (rows: readonly { readonly id: string }[], { limit }: PageSpan): string | null =>
  rows.length < limit ? null : (rows.at(-1)?.id ?? null);

/** The memories of a page that goes by memories. */
export const memoriesOf = (rows: readonly { readonly id: string }[], span: PageSpan): PageMemories => ({
  ids: rows.map(({ id }) => id),
  after: lastOf(rows, span),
});

/** A step whose pages need nothing beforehand. */
export const unprepared =
  (page: PageWork): StepWork['prepare'] =>
  () =>
    Promise.resolve(page);
