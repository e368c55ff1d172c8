import { type ActivityInterfaceFor, proxyActivities } from '@temporalio/workflow';
import type { MaintenanceActivities } from '../activities/maintenance-activities.js';

/**
 * The activities of one tenant; its id is their fairness key, so that a large tenant does not keep the small ones waiting.
 *
 * Attempts have no limit here: how often an error may be tried again depends on its kind, which the activity knows
 * (activities/as-failure.ts), and a database that is away for an hour must not fail a night.
 */
export const activitiesOf = (tenantId: string): ActivityInterfaceFor<MaintenanceActivities> =>
  proxyActivities<MaintenanceActivities>({
    startToCloseTimeout: '60 seconds',
    heartbeatTimeout: '10 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
    priority: { fairnessKey: tenantId },
  });
