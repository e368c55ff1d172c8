/** Everything the worker registers; function names are workflow names, and histories in flight know them. */
export { deleteTenant } from './delete-tenant.workflow.js';
export { distilConversation } from './distil.workflow.js';
export { eraseUser } from './erase-user.workflow.js';
export { exportData } from './export-data.workflow.js';
export { maintenanceStep } from './maintenance-step.workflow.js';
export { nightlyMaintenance } from './nightly-maintenance.workflow.js';
export { reembed } from './reembed.workflow.js';
