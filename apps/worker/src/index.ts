/** What tests start of the worker; the program itself is main.ts. */
export { type ActivityDependencies, createActivities } from './activities/create-activities.js';
export { createWorker, MAX_ACTIVITIES, type WorkerParts } from './create-worker.js';
export { bundleWorkflows } from './workflow-bundle.js';
export { Schedules } from './schedules.js';
export { createNightlyStarter } from './reconcile/start-nightly.js';
export type { ReconcileTools } from './reconcile/deliver-outbox.js';
export { deliverOutbox } from './reconcile/deliver-outbox.js';
export { reconcileTenants } from './reconcile/reconcile-tenants.js';
export { reconcileUntil } from './reconcile/reconcile-loop.js';
export { type ProcessIdentity, Upkeep } from './reconcile/upkeep.js';
export { createExportStarter, exportRound } from './export/keep-exports.js';
export { createErasureStarter, erasureRound } from './erasure/keep-erasures.js';
export { createReembedStarter, reembedRound } from './encoders/keep-encoder-changes.js';
export { createDistilSignaller } from './distil/signal-distil.js';
