import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppError } from '@tempera/client-kit';
import {
  checkAtStart,
  createDoors,
  type Doors,
  EncoderDesk,
  type EncoderHost,
  EncoderPool,
  EncoderThread,
  type EncoderCard,
  readFurtherEncoders,
  KeyRing,
  type KeySet,
  type Logger,
  watchKeyFile,
} from '@tempera/platform';
import type { Settings } from './config/settings.js';
import { createApp } from './create-app.js';
import { Readiness } from './health/readiness.js';

const doorsFor = (settings: Settings, logger: Logger): Doors =>
  createDoors({
    appUrl: settings.databaseAppUrl,
    textUrl: settings.databaseTextUrl,
    operatorUrl: settings.databaseOperatorUrl,
    requireDurability: settings.profile === 'production',
    allowSuperuserLogin: settings.isDatabaseEmbedded,
    onIdleError: (error) => logger.warn({ err: error }, 'an idle database connection broke'),
  });

/**
 * One thread an inference. Short texts gain nothing from more: with all of two cores a question took 21 ms of processor
 * time instead of 8, and the requests beside it waited for the threads that spun.
 */
const ENCODER_THREADS = 1;

const hostOf = ({ embeddingModelDir: path }: Settings, further: readonly EncoderCard[]): EncoderHost => {
  const threads = ENCODER_THREADS;
  if (path !== undefined) return new EncoderThread({ source: { kind: 'folder', path }, further, threads });
  const unset = new AppError('unavailable', 'encoder-unset', 'EMBEDDING_MODEL_DIR names no folder with encoders.');
  return new EncoderDesk({ load: () => Promise.reject(unset), now: () => performance.now() });
};

const listen = async (app: NestExpressApplication, { host, port }: Settings): Promise<void> => {
  const server = app.getHttpServer();
  server.requestTimeout = 15_000;
  server.headersTimeout = 10_000;
  // Longer than the usual idle time of a proxy, so that it never sends into a connection that we are closing.
  server.keepAliveTimeout = 65_000;
  try {
    await app.listen(port, host);
  } catch (cause) {
    const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined;
    if (code === 'EADDRINUSE') {
      throw new AppError('conflict', 'port-taken', `Port ${port} is taken; set API_PORT to another.`, { cause });
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      const message = `The API cannot listen on ${host}:${port}; check API_HOST and API_PORT.`;
      throw new AppError('invalid-input', 'address-refused', message, { cause });
    }
    throw cause;
  }
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

const serve = async (
  app: NestExpressApplication,
  settings: Settings,
  logger: Logger,
  stop: AbortSignal,
): Promise<void> => {
  try {
    await listen(app, settings);
    logger.info({ host: settings.host, port: settings.port, publicUrl: settings.publicUrl }, 'listening');
    await aborted(stop);
    app.get(Readiness).beginDraining();
    await new Promise((resolve) => setTimeout(resolve, settings.drainNoticeMs));
  } finally {
    // Requests in flight are answered first: Apollo's drain plugin waits for them, ten seconds at most.
    await app.close();
  }
};

/**
 * Runs the API until `stop`: checks the database before it listens, and closes everything at the end.
 * @throws AppError for a database that would not keep tenants apart, or an address that is taken
 */
export const runApi = async (settings: Settings, keys: KeySet, logger: Logger, stop: AbortSignal): Promise<void> => {
  const further = settings.embeddingModelDir === undefined ? [] : await readFurtherEncoders(settings.embeddingModelDir);
  const doors = doorsFor(settings, logger);
  const ring = new KeyRing(keys);
  const unwatch = watchKeyFile(settings.signingKeysFile, ring, {
    onChange: () => logger.info('keys changed'),
    onError: (error) => logger.error({ err: error }, 'the keys file changed and cannot be used; the old keys stay'),
  });
  const encoders = new EncoderPool({ host: hostOf(settings, further), further, now: () => performance.now() });
  try {
    await checkAtStart(doors);
    for (const { encoder, state, reason } of await encoders.prepare())
      logger.info({ encoder, state, reason }, 'encoder');
    const app = await createApp({ settings, doors, encoders, clock: { now: () => new Date() }, logger, keys: ring });
    await serve(app, settings, logger, stop);
  } finally {
    unwatch();
    await encoders.dispose();
    await doors.close();
  }
};
