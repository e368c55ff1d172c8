import { AppError } from '@tempera/client-kit';
import type {
  MaintenanceReport,
  MaintenanceStep,
  NightlyArguments,
  RunKind,
  RunRef,
  StepCursor,
} from '../../temporal/contract.js';
import type { Tx } from '../context.js';
import { planRun } from './maintenance-plan.js';
import { addReports, type PageReport } from './maintenance-report.js';
import { tenantDate } from './maintenance-run.repository.js';

export interface RunBeginning extends NightlyArguments {
  /** When the run was due; its date in the tenant's time zone is the run date, unless the run has one. */
  readonly dueAt: Date;
  /** Used when there is no run to attach to. */
  readonly newRunId: string;
  /** Who works on it in the workflow engine. */
  readonly workflowId: string;
  readonly at: Date;
}

/**
 * Marks a run as running and fixes its date and its steps: the requested run, or the unfinished one of the day, or a new
 * one. A second call finds what the first has made. @throws AppError `conflict` for one that was cancelled or has failed
 */
export const beginRun = async (tx: Tx, beginning: RunBeginning): Promise<RunRef> => {
  const { tenantId, runId, at } = beginning;
  if (runId !== undefined) return startRun(tx, beginning, runId);
  const runDate = await tenantDate(tx, tenantId, beginning.dueAt);
  await tx.$executeRaw`
    insert into maintenance_run (tenant_id, id, kind, run_date, status, requested_at, started_at)
    values (${tenantId}::uuid, ${beginning.newRunId}::uuid, 'nightly', ${runDate}::date, 'running', ${at}::timestamptz,
      ${at}::timestamptz)
    on conflict (tenant_id, kind, run_date, dry_run) where status in ('requested', 'running') do nothing`;
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    select id from maintenance_run where tenant_id = ${tenantId}::uuid and kind = 'nightly' and not dry_run
      and run_date = ${runDate}::date and status in ('requested', 'running')`;
  if (!row) throw new AppError('unavailable', 'run-just-ended', 'The run of that date has just ended.');
  return startRun(tx, beginning, row.id);
};

interface BegunRow {
  readonly runDate: string;
  readonly kind: RunKind;
  readonly isDry: boolean;
  readonly steps: MaintenanceStep[];
  readonly status: string;
}

const startRun = async (tx: Tx, { tenantId, workflowId, at }: RunBeginning, runId: string): Promise<RunRef> => {
  const [row] = await tx.$queryRaw<BegunRow[]>`
    select run_date::text as "runDate", kind, dry_run as "isDry", steps, status from maintenance_run
    where tenant_id = ${tenantId}::uuid and id = ${runId}::uuid for update`;
  if (!row) throw noSuchRun();
  requireGoing(row);
  const { runDate, kind, isDry } = row;
  const steps = row.steps.length > 0 ? row.steps : await planRun(tx, tenantId, row);
  await tx.$executeRaw`
    update maintenance_run set status = 'running', started_at = coalesce(started_at, ${at}::timestamptz),
      steps = ${steps}::text[], workflow_id = ${workflowId}
    where tenant_id = ${tenantId}::uuid and id = ${runId}::uuid and status in ('requested', 'running')`;
  return { tenantId, runId, runDate, ...(kind === 'nightly' ? {} : { kind }), steps, ...(isDry ? { isDry } : {}) };
};

/** A run that was ended writes nothing any more; one that is completed has nothing left to do. */
const requireGoing = ({ status }: Pick<BegunRow, 'status'>): void => {
  if (status !== 'failed' && status !== 'cancelled') return;
  throw new AppError('conflict', 'run-ended', 'The run has already ended.');
};

/**
 * Makes the pages of a run wait for each other, and stops a run that was ended before it writes anything. The run's row
 * is the lock: it works on every database, and needs nothing to let it go. A suspended tenant has no rows.
 */
export const holdRun = async (tx: Tx, { tenantId, runId }: RunRef): Promise<void> => {
  const [run] = await tx.$queryRaw<{ status: string }[]>`
    select status from maintenance_run where tenant_id = ${tenantId}::uuid and id = ${runId}::uuid for update`;
  if (!run) throw noSuchRun();
  requireGoing(run);
};

const noSuchRun = (): AppError =>
  new AppError('not-found', 'no-such-run', 'No such maintenance run, or its tenant is suspended.');

/** A page that is done: where the next one starts, or null when it was the last. */
export interface DonePage {
  readonly next: StepCursor | null;
}

/** Whether a page was done by an earlier attempt; its effect and this row were one transaction. */
export const findStep = async (tx: Tx, run: RunRef, step: MaintenanceStep, page: number): Promise<DonePage | null> => {
  const [row] = await tx.$queryRaw<{ report: { after?: string | null } }[]>`
    select report from maintenance_step where tenant_id = ${run.tenantId}::uuid and run_id = ${run.runId}::uuid
      and step = ${step} and page = ${page}::int`;
  if (!row) return null;
  const after = row.report.after ?? null;
  return { next: after === null ? null : { page: page + 1, after } };
};

/** The last page of a step that is done, so that a repeated attempt need not walk through those before it. */
export const findLastStep = async (tx: Tx, run: RunRef, step: MaintenanceStep): Promise<DonePage | null> => {
  const [row] = await tx.$queryRaw<{ page: number | null }[]>`
    select max(page)::int as page from maintenance_step where tenant_id = ${run.tenantId}::uuid
      and run_id = ${run.runId}::uuid and step = ${step}`;
  const page = row?.page ?? null;
  return page === null ? null : findStep(tx, run, step, page);
};

export interface StepRecord {
  readonly step: MaintenanceStep;
  readonly page: number;
  readonly report: PageReport;
  /** The last memory of the page, or null when the step is done. */
  readonly after: string | null;
  readonly at: Date;
}

/** Records a page, in the transaction that holds its effect. */
export const recordStep = async (tx: Tx, { tenantId, runId }: RunRef, record: StepRecord): Promise<void> => {
  const report = JSON.stringify({ ...record.report, after: record.after });
  await tx.$executeRaw`
    insert into maintenance_step (tenant_id, run_id, step, page, report, finished_at)
    values (${tenantId}::uuid, ${runId}::uuid, ${record.step}, ${record.page}::int, ${report}::jsonb,
      ${record.at}::timestamptz)`;
};

/** Adds the pages' reports up and completes the run; a second call gives the same report. */
export const completeRun = async (tx: Tx, { tenantId, runId }: RunRef, at: Date): Promise<MaintenanceReport> => {
  const pages = await tx.$queryRaw<{ report: PageReport }[]>`
    select report from maintenance_step where tenant_id = ${tenantId}::uuid and run_id = ${runId}::uuid`;
  const report = addReports(pages.map((page) => page.report));
  await tx.$executeRaw`
    update maintenance_run set status = 'completed', report = ${JSON.stringify(report)}::jsonb,
      finished_at = ${at}::timestamptz
    where tenant_id = ${tenantId}::uuid and id = ${runId}::uuid and status = 'running'`;
  return report;
};

/** Marks an unfinished run as failed; what its pages did stays, and a later run goes on from there. */
export const failRun = async (tx: Tx, { tenantId, runId }: RunRef, failure: string, at: Date): Promise<void> => {
  await tx.$executeRaw`
    update maintenance_run set status = 'failed', failure = ${failure.slice(0, 500)}, finished_at = ${at}::timestamptz
    where tenant_id = ${tenantId}::uuid and id = ${runId}::uuid and status in ('requested', 'running')`;
};
