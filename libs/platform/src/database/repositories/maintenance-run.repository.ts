import { AppError } from '@tempera/client-kit';
import type { MaintenanceReport, MaintenanceStep, RunKind } from '../../temporal/contract.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { Tx } from '../context.js';
import { addReports, type PageReport } from './maintenance-report.js';

export type RunStatus = 'requested' | 'running' | 'completed' | 'failed' | 'cancelled';

/** One execution of maintenance, as the people who may see it read it. */
export interface MaintenanceRun {
  readonly id: string;
  readonly kind: RunKind;
  /** It only tells what it would do. */
  readonly isDry: boolean;
  /** `YYYY-MM-DD` in the tenant's time zone. */
  readonly runDate: string;
  /** Its plan; empty until it begins. */
  readonly plan: readonly MaintenanceStep[];
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
  readonly isDry?: boolean;
  /** `YYYY-MM-DD` */
  readonly runDate: string;
  readonly at: Date;
  readonly runId: string;
  readonly outboxId: string;
}

interface RunRow extends Omit<MaintenanceRun, 'report'> {
  readonly report: PageReport;
}

/** What is read of a run (r). */
const runColumns = Prisma.sql`r.id, r.kind, r.dry_run as "isDry", r.run_date::text as "runDate", r.steps as plan,
  r.requested_by as "requestedBy", r.status, r.report, r.failure, r.requested_at as "requestedAt",
  r.started_at as "startedAt", r.finished_at as "finishedAt"`;

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
 * Asks for a run, as the person who wants it. An unfinished run of the same kind and date, dry or not, is answered instead of a second; the
 * request and the word to the worker are one transaction, so neither is without the other.
 */
export const requestRun = async (tx: Tx, request: RunRequest): Promise<RequestedRun> => {
  const { tenantId, runId, kind, runDate, at, requestedBy } = request;
  const made = await tx.$executeRaw`
    insert into maintenance_run (tenant_id, id, kind, run_date, requested_by, requested_at, dry_run)
    values (${tenantId}::uuid, ${runId}::uuid, ${kind}, ${runDate}::date, ${requestedBy}::uuid, ${at}::timestamptz,
      ${request.isDry === true})
    on conflict (tenant_id, kind, run_date, dry_run) where status in ('requested', 'running') do nothing`;
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
    select ${runColumns} from maintenance_run r where r.tenant_id = ${tenantId}::uuid and r.id = ${runId}::uuid`;
  return row ? toRun(row) : null;
};

const findUnfinishedRun = async (
  tx: Tx,
  { tenantId, kind, runDate, isDry = false }: RunRequest,
): Promise<MaintenanceRun | null> => {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    select id from maintenance_run where tenant_id = ${tenantId}::uuid and kind = ${kind}
      and run_date = ${runDate}::date and dry_run = ${isDry} and status in ('requested', 'running')`;
  return row ? findRun(tx, tenantId, row.id) : null;
};

/**
 * Cancels a run that has not ended; its pages stop at once, and the worker tells the workflow engine. What they did stays.
 * @returns whether there was something to cancel
 */
export const cancelRun = async (tx: Tx, tenantId: string, runId: string, at: Date): Promise<boolean> => {
  const cancelled = await tx.$executeRaw`
    update maintenance_run set status = 'cancelled', finished_at = ${at}::timestamptz
    where tenant_id = ${tenantId}::uuid and id = ${runId}::uuid and status in ('requested', 'running')`;
  return cancelled === 1;
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
    select ${runColumns} from maintenance_run r
    where r.tenant_id = ${tenantId}::uuid
      and (${after === null} or (requested_at, id) < (${after?.requestedAt ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by requested_at desc, id desc limit ${limit}::int`;
  return rows.map(toRun);
};
