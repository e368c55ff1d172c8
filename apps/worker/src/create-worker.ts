import { type NativeConnection, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { type ActivityDependencies, createActivities } from './activities/create-activities.js';
import { createDistilActivities, type DistilTools } from './distil/distil-activities.js';
import { createErasureActivities, type ErasureTools } from './erasure/erasure-activities.js';
import { createExportActivities, type ExportTools } from './export/export-activities.js';
import { createReembedActivities, type ReembedTools } from './encoders/reembed-activities.js';
import { activityWatch } from './telemetry/activity-watch.js';

export interface WorkerParts
  extends
    Omit<ActivityDependencies, 'doors'>,
    Omit<ExportTools, 'doors'>,
    Omit<ErasureTools, 'doors'>,
    Omit<ReembedTools, 'doors'>,
    Omit<DistilTools, 'doors'> {
  readonly doors: ActivityDependencies['doors'] &
    ExportTools['doors'] &
    ErasureTools['doors'] &
    ReembedTools['doors'] &
    DistilTools['doors'];
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly taskQueue: string;
  readonly workflowBundle: WorkflowBundleOption;
}

/** Pages worked on at once by one process; each holds one connection of the pool. */
export const MAX_ACTIVITIES = 8;

/** A worker with bounds: what it does at once, and how long a stop takes. */
export const createWorker = ({
  connection,
  namespace,
  taskQueue,
  workflowBundle,
  ...tools
}: WorkerParts): Promise<Worker> =>
  Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle,
    activities: {
      ...createActivities(tools),
      ...createExportActivities(tools),
      ...createErasureActivities(tools),
      ...createReembedActivities(tools),
      ...createDistilActivities(tools),
    },
    interceptors: { activity: [activityWatch] },
    maxConcurrentActivityTaskExecutions: MAX_ACTIVITIES,
    maxConcurrentWorkflowTaskExecutions: 20,
    maxCachedWorkflows: 100,
    // The default grace is none: a page in flight would be cut off at every deployment.
    shutdownGraceTime: '25 seconds',
    shutdownForceTime: '35 seconds',
  });
