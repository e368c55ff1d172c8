import type {
  MaintenanceReport,
  NightlyArguments,
  RunRef,
  StepArguments,
  StepCursor,
} from '@tempera/platform/temporal/contract';

/** When a night was due, so that a late start still works for the day it was meant for. */
export interface BeginRunArguments extends NightlyArguments {
  /** ISO instant; the run date is this instant's date in the tenant's time zone unless the run has one already. */
  readonly dueAt: string;
}

export interface FailRunArguments extends RunRef {
  /** For people who may see the run: never text of memories. */
  readonly failure: string;
}

/** What workflows ask of the outside world. Each may be repeated at any time: effects are written once. */
export interface MaintenanceActivities {
  /** Marks the requested run as running, or attaches to the day's unfinished one, or makes one. */
  beginRun(args: BeginRunArguments): Promise<RunRef>;
  /** Works through some pages of a step; the cursor to go on from, or null when the step is done. */
  runPages(args: StepArguments): Promise<StepCursor | null>;
  /** Adds the pages' reports up and completes the run. */
  finishRun(run: RunRef): Promise<MaintenanceReport>;
  /** Marks an unfinished run as failed. */
  failRun(args: FailRunArguments): Promise<void>;
}
