import { fileURLToPath } from 'node:url';
import { type BundleOptions, bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

/**
 * Bundles the workflows for the engine's sandbox. It takes about two seconds, so it is done at every start: a bundle from
 * the build could be older than the code.
 * @throws Error when workflow code reaches for what the sandbox does not have, such as a `node:` module
 */
export const bundleWorkflows = (options: Partial<BundleOptions> = {}): Promise<WorkflowBundleWithSourceMap> =>
  bundleWorkflowCode({ workflowsPath: fileURLToPath(new URL('./workflows', import.meta.url)), ...options });
