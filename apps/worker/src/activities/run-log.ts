import type { Logger, RunSummary } from '@tempera/platform';
import type { MaintenanceReport, RunRef } from '@tempera/platform/temporal/contract';

const named = ({ tenantId, runId, runDate, kind = 'nightly', isDry }: RunRef): object => ({
  ...{ tenantId, runId, runDate, kind, isDry: isDry === true },
});

/** What the worker's log tells of a run: ids, numbers and times, never what is remembered. */
export const logRun = {
  /** Also when a later attempt goes on with it. */
  began: (logger: Logger, run: RunRef): void => logger.info(named(run), 'a maintenance run began'),

  completed: (logger: Logger, run: RunRef, report: MaintenanceReport, summary: RunSummary): void =>
    logger.info({ ...named(run), ...summary, ...report }, 'a maintenance run was completed'),

  /** The failure is a sentence without contents; the activity that met it has logged the error itself. */
  failed: (logger: Logger, run: RunRef, failure: string, { durationMs, pages }: RunSummary): void =>
    logger.warn({ ...named(run), durationMs, pages, failure }, 'a maintenance run failed'),
};
