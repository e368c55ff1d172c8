import type { MaintenanceRun as RunRecord, StepProgress } from '@tempera/platform';
import type { MaintenanceRun, MaintenanceStepReport, StepState } from './maintenance.types.js';

/** A run as people see it: its plan, with what each step has done so far. */
export const toMaintenanceRun = (
  { plan, isDry, ...run }: RunRecord,
  progress: readonly StepProgress[],
): MaintenanceRun => {
  const done = new Map(progress.map((step) => [step.step, step]));
  // Runs from before there were plans have steps all the same.
  const steps = plan.length > 0 ? plan : progress.map(({ step }) => step);
  const isOver = run.status === 'completed' || run.status === 'failed' || run.status === 'cancelled';
  return {
    ...run,
    dryRun: isDry,
    steps: steps.map((step): MaintenanceStepReport => {
      const found = done.get(step);
      const { pages = 0, looked = 0, changed = 0, setAside = 0, finishedAt = null } = found ?? {};
      return { ...{ step, pages, looked, changed, setAside, finishedAt }, state: stateOf(found, isOver) };
    }),
  };
};

const stateOf = (progress: StepProgress | undefined, isOver: boolean): StepState => {
  if (progress?.isDone === true) return 'done';
  if (isOver) return 'not-done';
  return progress === undefined ? 'waiting' : 'running';
};
