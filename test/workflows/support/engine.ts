import { fileURLToPath } from 'node:url';
import { type Logger, Runtime, type WorkflowBundleOption } from '@temporalio/worker';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { createLogger } from '@tempera/platform';
import { bundleWorkflows } from '../../../apps/worker/src/index.js';

/** The room's sources, so that a bundle is never of an older build. */
const sources: Readonly<Record<string, string>> = {
  '@tempera/core$': '../../../libs/core/src/index.ts',
  '@tempera/platform/temporal/contract$': '../../../libs/platform/src/temporal/contract.ts',
};

const sourceOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const silent: Logger = {
  log: () => undefined,
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** The workflows as the worker bundles them, from source. */
export const bundleFromSource = (): Promise<WorkflowBundleOption> =>
  bundleWorkflows({
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

/** A real Temporal server of this suite's own. @throws where no server program is named */
export const startEngine = async (): Promise<TestWorkflowEnvironment> => {
  const path = process.env['TEST_TEMPORAL_CLI'];
  if (path === undefined) throw new Error('Set TEST_TEMPORAL_CLI to a `temporal` program, or run npm test.');
  Runtime.install({
    telemetryOptions: { logging: { forward: {}, filter: { core: 'ERROR', other: 'ERROR' } } },
    logger: silent,
  });
  return TestWorkflowEnvironment.createLocal({ server: { executable: { type: 'existing-path', path } } });
};
