import { readSettings } from '@tempera/platform';
import type { MaintenanceStep, RunRef } from '@tempera/platform/temporal/contract';
import type { Settings } from '@tempera/core';
import { consolidateStep } from './consolidate-step.js';
import { creditStep } from './credit-step.js';
import { expireStep } from './expire-step.js';
import { healthStep } from './health-step.js';
import { profileStep } from './profile-step.js';
import { projectSettings } from './project-settings.js';
import { propagateStep } from './propagate-step.js';
import { pruneStep } from './prune-step.js';
import { purgeStep } from './purge-step.js';
import type { NightlyTools, StepWork } from './page.js';
import { snapshotStep } from './snapshot-step.js';

/** What a step begins with, in each attempt. */
export interface StepOpening {
  readonly tools: NightlyTools;
  readonly run: RunRef;
  /** The tenant's. */
  readonly settings: Settings;
  /** Shows life. */
  readonly beat: () => void;
}

/** Every step of a night. A new one has a file of its own, a line here, and a name and a rule in the contract. */
const STEPS: Readonly<Record<MaintenanceStep, (opening: StepOpening) => StepWork | Promise<StepWork>>> = {
  expire: ({ tools }) => expireStep(tools.now),
  credit: ({ settings }) => creditStep(settings),
  snapshot: ({ settings }) => snapshotStep(settings),
  propagate: ({ tools, run, settings, beat }) => propagateStep(tools, run, settings, beat),
  consolidate: ({ tools, run, settings }) => consolidateStep(tools, run, projectSettings(run.tenantId, settings)),
  prune: ({ tools, run, settings }) => pruneStep(tools.now, projectSettings(run.tenantId, settings)),
  purge: () => purgeStep,
  profiles: ({ tools, settings }) => profileStep(settings, tools.now),
  health: ({ run, settings }) => healthStep(settings, projectSettings(run.tenantId, settings)),
};

/** Opens a step: what its pages need is read or worked out once. */
export const openStep = async (
  step: MaintenanceStep,
  { tools, run, beat }: Omit<StepOpening, 'settings'>,
): Promise<StepWork> => {
  const settings = await tools.doors.asWorker(run.tenantId, (tx) => readSettings(tx, run.tenantId, null));
  return STEPS[step]({ tools, run, settings, beat });
};
