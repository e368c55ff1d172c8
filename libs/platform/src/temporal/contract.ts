/**
 * What the two sides of the workflow engine agree on: names, arguments and results. Pure, because workflow code imports
 * it inside Temporal's sandbox. Everything here is stored by the engine in the clear: ids and numbers only.
 */

import type { Cadence } from '@tempera/core';

/** One night's maintenance of one tenant. */
export const NIGHTLY_WORKFLOW = 'nightlyMaintenance';
/** One step of a run, page by page; a child of the nightly workflow. */
export const STEP_WORKFLOW = 'maintenanceStep';

/**
 * The steps of a night, in their order. A new one is named here, has its rule below, and its work in a file of its own that
 * apps/worker/src/nightly/steps.ts lists.
 */
export const MAINTENANCE_STEPS = [
  'expire',
  'credit',
  'snapshot',
  'propagate',
  'consolidate',
  'prune',
  'purge',
  'profiles',
  'health',
] as const;
export type MaintenanceStep = (typeof MAINTENANCE_STEPS)[number];

/** What is fixed about a step. */
export interface StepRule {
  /** How often a tenant that wants nothing else has it. */
  readonly cadence: Cadence;
  /** The steps whose results of the same run it reads. */
  readonly reads: readonly MaintenanceStep[];
  /** It removes or joins memories, so it can also only tell what it would do. */
  readonly canBeDry: boolean;
}

export const STEP_RULES: Readonly<Record<MaintenanceStep, StepRule>> = {
  expire: { cadence: 'nightly', reads: [], canBeDry: true },
  credit: { cadence: 'nightly', reads: [], canBeDry: false },
  snapshot: { cadence: 'nightly', reads: [], canBeDry: false },
  propagate: { cadence: 'nightly', reads: ['snapshot'], canBeDry: false },
  consolidate: { cadence: 'monthly', reads: [], canBeDry: true },
  prune: { cadence: 'nightly', reads: [], canBeDry: true },
  purge: { cadence: 'nightly', reads: [], canBeDry: true },
  profiles: { cadence: 'quarterly', reads: [], canBeDry: false },
  health: { cadence: 'weekly', reads: [], canBeDry: false },
};

/** A step that is run for what it does itself; the snapshot is only taken for those that read it. */
export type ScheduledStep = Exclude<MaintenanceStep, 'snapshot'>;
export const isScheduled = (step: MaintenanceStep): step is ScheduledStep => step !== 'snapshot';
export const SCHEDULED_STEPS: readonly ScheduledStep[] = MAINTENANCE_STEPS.filter(isScheduled);

/** What a run does: a whole night, or one step with those whose results it reads. */
export type RunKind = 'nightly' | ScheduledStep;
export const RUN_KINDS: readonly RunKind[] = ['nightly', ...SCHEDULED_STEPS];

/** Steps with those whose results they read, in the order of a night. */
export const withWhatTheyRead = (steps: readonly MaintenanceStep[]): MaintenanceStep[] =>
  MAINTENANCE_STEPS.filter((step) => steps.some((one) => one === step || STEP_RULES[one].reads.includes(step)));

/** What a run did that was begun before runs had plans. */
export const STEPS_WITHOUT_PLAN: Readonly<Record<'nightly' | 'propagate', readonly MaintenanceStep[]>> = {
  nightly: ['credit', 'snapshot', 'propagate'],
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
  /** Its plan, fixed when it began; absent in runs that were begun before there were plans. */
  readonly steps?: readonly MaintenanceStep[];
  /** Absent: with effect. */
  readonly isDry?: true;
}

/** Where a step stands: pages are counted from 0, and each starts after the memory the one before ended with. */
export interface StepCursor {
  readonly page: number;
  /** The last memory of the page before, or how far a step that does not go by memories has got; null at the start. */
  readonly after: string | null;
}

export interface StepArguments extends RunRef {
  readonly step: MaintenanceStep;
  readonly cursor: StepCursor;
}

/** What a run did, or would do; each step fills its own part, and the parts add up over pages. */
export interface MaintenanceReport {
  /** Memories archived because their time was over. */
  readonly expired: number;
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
  /** Memories that became part of another. */
  readonly merged: number;
  /** Memories that could, and are of several people: for a maintainer. */
  readonly proposed: number;
  /** Pairs near enough to be one and kept apart by the conflict guard. */
  readonly guarded: number;
  /** Memories archived because nobody needs them. */
  readonly pruned: number;
  /** Memories erased for good. */
  readonly erased: number;
  /** Questions whose words were taken away. */
  readonly cleared: number;
  /** Rows of other kinds that were kept long enough. */
  readonly removed: number;
  /** Profiles that were chosen anew. */
  readonly profiles: number;
  /** Places whose health was noted. */
  readonly measured: number;
  /** Memories that a step could not work on, and went on without. */
  readonly setAside: number;
}

const SCHEDULE_PREFIX = 'maintenance:';

/** The id of a tenant's schedule. */
export const scheduleIdOf = (tenantId: string): string => `${SCHEDULE_PREFIX}${tenantId}`;

/** The tenant a schedule belongs to; null for a schedule that is not ours. */
export const tenantOfSchedule = (scheduleId: string): string | null =>
  scheduleId.startsWith(SCHEDULE_PREFIX) ? scheduleId.slice(SCHEDULE_PREFIX.length) : null;
