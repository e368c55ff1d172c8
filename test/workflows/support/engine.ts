import { fileURLToPath } from 'node:url';
import { type Logger, Runtime, type WorkflowBundleOption } from '@temporalio/worker';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { createLogger } from '@tempera/platform';
import { bundleWorkflows, type ProcessIdentity } from '../../../apps/worker/src/index.js';

/** The room's sources, so that a bundle is never of an older build. */
const sources: Readonly<Record<string, string>> = {
  '@tempera/core$': '../../../libs/core/src/index.ts',
  '@tempera/platform/temporal/contract$': '../../../libs/platform/src/temporal/contract.ts',
};

const sourceOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Who a reconciler of a test is. */
export const testProcess: ProcessIdentity = {
  processId: '00000000-0000-4000-8000-00000000beef',
  version: 'test',
  startedAt: new Date(0),
};

const silent: Logger = {
  log: () => undefined,
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/**
 * The workflows as the worker bundles them, from source.
 * @param workflowsPath others in their place
 */
export const bundleFromSource = (workflowsPath?: string): Promise<WorkflowBundleOption> =>
  bundleWorkflows({
    ...(workflowsPath === undefined ? {} : { workflowsPath }),
    logger: silent,
    webpackConfigHook: (config) => ({
      ...config,
      resolve: {
        ...config.resolve,
        alias: {
          ...config.resolve?.alias,
          ...Object.fromEntries(Object.entries(sources).map(([name, path]) => [name, sourceOf(path)])),
        },
      },
    }),
  });

/** Silent unless a test needs to be looked into. */
export const testLogger = createLogger({ name: 'test', level: 'silent' });

/** The `temporal` program. @throws where none is named */
export const temporalProgram = (): string => {
  const path = process.env['TEST_TEMPORAL_CLI'];
  if (path === undefined) throw new Error('Set TEST_TEMPORAL_CLI to a `temporal` program, or run npm test.');
  return path;
};

/** Keeps the SDK from telling what tests do on purpose. Once a process. */
export const quietRuntime = (): unknown =>
  Runtime.install({
    telemetryOptions: { logging: { forward: {}, filter: { core: 'ERROR', other: 'ERROR' } } },
    logger: silent,
  });

/** A real Temporal server of this suite's own. */
export const startEngine = async (): Promise<TestWorkflowEnvironment> => {
  quietRuntime();
  return TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'existing-path', path: temporalProgram() } },
  });
};
