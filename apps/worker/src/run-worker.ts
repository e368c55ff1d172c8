import { Client } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
import { checkAtStart, createDoors, type Doors, type Logger, type Refresh } from '@tempera/platform';
import { randomUUID } from 'node:crypto';
import type { Settings } from './config/settings.js';
import { VERSION } from './config/version.js';
import { connectTemporal } from './connect-temporal.js';
import { createWorker, MAX_ACTIVITIES } from './create-worker.js';
import { createReembedStarter, reembedRound } from './encoders/keep-encoder-changes.js';
import { createDistilSignaller } from './distil/signal-distil.js';
import { createErasureStarter, erasureRound } from './erasure/keep-erasures.js';
import { createExportStarter, exportRound } from './export/keep-exports.js';
import { keepLooking } from './keep-looking.js';
import { reconcileUntil } from './reconcile/reconcile-loop.js';
import { createNightlyStarter } from './reconcile/start-nightly.js';
import { Schedules } from './schedules.js';
import { readTemporalCredentials } from './temporal-credentials.js';
import { instanceWatch } from './telemetry/instance-watch.js';
import { temporalLogger } from './temporal-logger.js';
import { bundleWorkflows } from './workflow-bundle.js';

const now = (): Date => new Date();

/** Memories of one page: enough to be quick, few enough for one transaction (docs/design.md W2). */
const PAGE_SIZE = 500;
/** Half of an activity's time-out. */
const CALL_MS = 30_000;

/**
 * Runs the worker until the signal aborts; pages in flight are finished or handed over first.
 * @throws AppError when the database cannot be reached or would not keep tenants apart
 */
export const runWorker = async (
  settings: Settings,
  logger: Logger,
  signal: AbortSignal,
  onLook: (refresh: Refresh) => void = () => undefined,
): Promise<void> => {
  // Stopping is ours to order: first the reconciler, then the worker, then the connections.
  Runtime.install({
    logger: temporalLogger(logger, now),
    telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } } },
    shutdownSignals: [],
  });
  const doors = openDoors(settings, logger);
  try {
    await checkAtStart(doors);
    logger.info('the database keeps tenants apart');
    onLook(instanceWatch(doors, () => performance.now()));
    await work(settings, doors, logger, signal);
  } finally {
    await doors.close();
  }
};

const openDoors = (
  { databaseWorkerUrl, databaseAppUrl, databaseTextUrl, profile, isDatabaseEmbedded }: Settings,
  logger: Logger,
): Doors =>
  createDoors({
    workerUrl: databaseWorkerUrl,
    appUrl: databaseAppUrl,
    textUrl: databaseTextUrl,
    // One for each activity, one for the reconciler, one to spare.
    poolSize: MAX_ACTIVITIES + 2,
    // Every activity may be a step that reads texts, and does so for a part of its time.
    textPoolSize: MAX_ACTIVITIES / 2,
    // Nobody waits for a night: a turn that comes late is worth more than a page begun again.
    maxWaitMs: 10_000,
    requireDurability: profile === 'production',
    allowSuperuserLogin: isDatabaseEmbedded,
    onIdleError: (error) => logger.warn({ err: error }, 'a database connection broke'),
  });

const work = async (settings: Settings, doors: Doors, logger: Logger, signal: AbortSignal): Promise<void> => {
  const { address, namespace, taskQueue } = settings.temporal;
  const credentials = readTemporalCredentials(settings.temporal);
  const [connection, workflowBundle] = await Promise.all([
    connectTemporal({ address, credentials, logger, signal }),
    bundleWorkflows({ logger: temporalLogger(logger.child({}, { level: 'warn' }), now) }),
  ]);
  try {
    const client = new Client({ connection, namespace });
    const tools = { doors, now, logger, newId: randomUUID, pageSize: PAGE_SIZE, callMs: CALL_MS };
    const worker = await createWorker({ ...tools, connection, namespace, taskQueue, workflowBundle });
    const schedules = new Schedules(client, taskQueue);
    const nights = createNightlyStarter(client, taskQueue);
    const signalDistil = createDistilSignaller(client, taskQueue);
    const identity = { processId: randomUUID(), version: VERSION, startedAt: now() };
    const [startExport, startErasure, startReembed] = [
      createExportStarter(client, taskQueue),
      createErasureStarter(client, taskQueue),
      createReembedStarter(client, taskQueue),
    ];
    const reconciling = Promise.all([
      reconcileUntil(signal, { ...tools, schedules, nights, signalDistil }, identity),
      keepLooking(signal, { what: 'exports', logger, round: () => exportRound({ doors, start: startExport }) }),
      keepLooking(signal, { what: 'changes of encoder', logger, round: () => reembedRound(doors, startReembed) }),
      keepLooking(signal, { what: 'erasures', logger, round: () => erasureRound(doors, startErasure) }),
    ]);
    signal.throwIfAborted();
    signal.addEventListener('abort', () => worker.shutdown(), { once: true });
    logger.info({ address, namespace, taskQueue }, 'the worker is ready');
    await worker.run();
    await reconciling;
  } finally {
    await connection.close();
  }
};
