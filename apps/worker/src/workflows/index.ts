/** Everything the worker registers; function names are workflow names, and histories in flight know them. */
export { maintenanceStep } from './maintenance-step.workflow.js';
export { nightlyMaintenance } from './nightly-maintenance.workflow.js';
