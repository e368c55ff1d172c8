/**
 * What the two sides of the workflow engine agree on: names, arguments and results. Pure, because workflow code imports
 * it inside Temporal's sandbox. Everything here is stored by the engine in the clear: ids and numbers only.
 */

/** One night's maintenance of one tenant. */
export const NIGHTLY_WORKFLOW = 'nightlyMaintenance';
/** One step of a run, page by page; a child of the nightly workflow. */
export const STEP_WORKFLOW = 'maintenanceStep';

/** The steps of a night, in their order. */
export const MAINTENANCE_STEPS = ['credit', 'snapshot', 'propagate'] as const;
export type MaintenanceStep = (typeof MAINTENANCE_STEPS)[number];

/** What a run does: a whole night, or lending alone, from a picture of its own. */
export type RunKind = 'nightly' | 'propagate';
export const STEPS_OF: Readonly<Record<RunKind, readonly MaintenanceStep[]>> = {
  nightly: MAINTENANCE_STEPS,
  propagate: ['snapshot', 'propagate'],
};

/** Why a night starts: its schedule (no run yet), or a person's request, which has made the run already. */
export interface NightlyArguments {
  readonly tenantId: string;
  readonly runId?: string;
}

/** One run; its date is fixed when it begins and never read from a clock again. */
export interface RunRef {
  readonly tenantId: string;
  readonly runId: string;
  /** `YYYY-MM-DD` in the tenant's time zone. */
  readonly runDate: string;
  /** Absent: a whole night, as in every run that was begun before there were kinds. */
  readonly kind?: RunKind;
}

/** Where a step stands: pages are counted from 0, and each starts after the memory the one before ended with. */
export interface StepCursor {
  readonly page: number;
  /** The last memory of the page before; null at the start. */
  readonly after: string | null;
}

export interface StepArguments extends RunRef {
  readonly step: MaintenanceStep;
  readonly cursor: StepCursor;
}

/** What a run did; each step fills its own part, and the parts add up over pages. */
export interface MaintenanceReport {
  /** Credits given or withdrawn. */
  readonly credited: number;
  /** Memories the run has looked at. */
  readonly snapshots: number;
  /** Memories that lend. */
  readonly sources: number;
  /** How many steps from a source the lending reaches. */
  readonly hops: number;
  /** Memories of which what others lend them changed. */
  readonly touched: number;
  /** The largest change of a loan, 0..1. */
  readonly residual: number;
  /** Whether the largest change is too small to matter. */
  readonly converged: boolean;
}

const SCHEDULE_PREFIX = 'maintenance:';

/** The id of a tenant's schedule. */
export const scheduleIdOf = (tenantId: string): string => `${SCHEDULE_PREFIX}${tenantId}`;

/** The tenant a schedule belongs to; null for a schedule that is not ours. */
export const tenantOfSchedule = (scheduleId: string): string | null =>
  scheduleId.startsWith(SCHEDULE_PREFIX) ? scheduleId.slice(SCHEDULE_PREFIX.length) : null;
