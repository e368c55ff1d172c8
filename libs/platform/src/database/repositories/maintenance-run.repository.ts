import { AppError } from '@tempera/client-kit';
import type { MaintenanceReport, RunKind } from '../../temporal/contract.js';
import type { Tx } from '../context.js';
import { addReports, type PageReport } from './maintenance-report.js';

export type RunStatus = 'requested' | 'running' | 'completed' | 'failed';

/** One execution of maintenance, as the people who may see it read it. */
export interface MaintenanceRun {
  readonly id: string;
  readonly kind: RunKind;
  /** `YYYY-MM-DD` in the tenant's time zone. */
  readonly runDate: string;
  readonly requestedBy: string | null;
  readonly status: RunStatus;
  /** Null until the run is completed. */
  readonly report: MaintenanceReport | null;
  readonly failure: string | null;
  readonly requestedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export interface RunRequest {
  readonly tenantId: string;
  readonly requestedBy: string;
  readonly kind: RunKind;
  /** `YYYY-MM-DD` */
  readonly runDate: string;
  readonly at: Date;
  readonly runId: string;
  readonly outboxId: string;
}

interface RunRow extends Omit<MaintenanceRun, 'report'> {
  readonly report: PageReport;
}

const toRun = ({ report, ...run }: RunRow): MaintenanceRun => ({
  ...run,
  report: run.status === 'completed' ? addReports([report]) : null,
});

/** The run that will do what was asked for. */
export interface RequestedRun {
  readonly run: MaintenanceRun;
  /** False where an unfinished run of that date was there already. */
  readonly isNew: boolean;
}

/**
 * Asks for a run, as the person who wants it. An unfinished run of the same kind and date is answered instead of a second; the
 * request and the word to the worker are one transaction, so neither is without the other.
 */
export const requestRun = async (tx: Tx, request: RunRequest): Promise<RequestedRun> => {
  const { tenantId, runId, kind, runDate, at, requestedBy } = request;
  const made = await tx.$executeRaw`
    insert into maintenance_run (tenant_id, id, kind, run_date, requested_by, requested_at)
    values (${tenantId}::uuid, ${runId}::uuid, ${kind}, ${runDate}::date, ${requestedBy}::uuid, ${at}::timestamptz)
    on conflict (tenant_id, kind, run_date) where status in ('requested', 'running') do nothing`;
  if (made > 0) {
    await tx.$executeRaw`
      insert into outbox (tenant_id, id, kind, subject_id)
      values (${tenantId}::uuid, ${request.outboxId}::uuid, 'maintenance.requested', ${runId}::uuid)`;
  }
  const run = made > 0 ? await findRun(tx, tenantId, runId) : await findUnfinishedRun(tx, request);
  if (run) return { run, isNew: made > 0 };
  throw new AppError('unavailable', 'run-just-ended', 'A run of that date has just ended; ask again.');
};

/** The date of an instant in the tenant's time zone, `YYYY-MM-DD`. */
export const tenantDate = async (tx: Tx, tenantId: string, at: Date): Promise<string> => {
  const [row] = await tx.$queryRaw<{ date: string }[]>`
    select (${at}::timestamptz at time zone t.time_zone)::date::text as date from tenant t where t.id = ${tenantId}::uuid`;
  if (!row) throw new AppError('not-found', 'no-such-tenant', 'No such tenant.');
  return row.date;
};

/** One run, or null where there is none or the caller may not see it. */
export const findRun = async (tx: Tx, tenantId: string, runId: string): Promise<MaintenanceRun | null> => {
  const [row] = await tx.$queryRaw<RunRow[]>`
    select id, kind, run_date::text as "runDate", requested_by as "requestedBy", status, report, failure,
      requested_at as "requestedAt", started_at as "startedAt", finished_at as "finishedAt"
    from maintenance_run where tenant_id = ${tenantId}::uuid and id = ${runId}::uuid`;
  return row ? toRun(row) : null;
};

const findUnfinishedRun = async (tx: Tx, { tenantId, kind, runDate }: RunRequest): Promise<MaintenanceRun | null> => {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    select id from maintenance_run where tenant_id = ${tenantId}::uuid and kind = ${kind}
      and run_date = ${runDate}::date and status in ('requested', 'running')`;
  return row ? findRun(tx, tenantId, row.id) : null;
};

/** Where the next page of runs begins: after this one, in order of request, latest first. */
export interface RunPosition {
  readonly requestedAt: Date;
  readonly id: string;
}

/** Runs the caller may see, latest request first. */
export const listRuns = async (
  tx: Tx,
  tenantId: string,
  limit: number,
  after: RunPosition | null,
): Promise<MaintenanceRun[]> => {
  const rows = await tx.$queryRaw<RunRow[]>`
    select id, kind, run_date::text as "runDate", requested_by as "requestedBy", status, report, failure,
      requested_at as "requestedAt", started_at as "startedAt", finished_at as "finishedAt"
    from maintenance_run
    where tenant_id = ${tenantId}::uuid
      and (${after === null} or (requested_at, id) < (${after?.requestedAt ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by requested_at desc, id desc limit ${limit}::int`;
  return rows.map(toRun);
};
