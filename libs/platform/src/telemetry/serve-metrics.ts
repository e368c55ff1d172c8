import { AppError } from '@tempera/client-kit';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics } from 'prom-client';
import { counter, metrics } from './metrics.js';

export interface MetricsServerOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Asked before each look, and not waited for longer than {@link REFRESH_MS}. */
  readonly refresh?: () => Promise<void>;
}

export interface MetricsServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** A collector gives up after ten seconds by default; what the database does not tell by then is left as it was. */
const REFRESH_MS = 2_000;

const stale = counter('tempera_metrics_stale_total', 'Looks at which the database did not tell its part in time.');

let isProcessWatched = false;

/** Event loop, memory, processor, open files: of the process, so once, however many services it runs. */
const watchProcess = (): void => {
  if (isProcessWatched) return;
  isProcessWatched = true;
  collectDefaultMetrics({ register: metrics });
};

const within = async (work: () => Promise<void>, ms: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  try {
    return await Promise.race([work().then(() => true), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
};

const answer = async (
  request: IncomingMessage,
  response: ServerResponse,
  refresh: (() => Promise<void>) | undefined,
): Promise<void> => {
  if (request.method !== 'GET' || request.url !== '/metrics') {
    response.writeHead(404).end();
    return;
  }
  if (refresh !== undefined && !(await within(refresh, REFRESH_MS))) stale.inc();
  const text = await metrics.metrics();
  response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' }).end(text);
};

/**
 * Serves `/metrics` in Prometheus's text form, on a listener of its own, apart from the public one: it asks for no token,
 * because only the collector's network leads there (docs/observability.md).
 * @throws AppError where it cannot listen
 */
export const serveMetrics = async ({ host, port, refresh }: MetricsServerOptions): Promise<MetricsServer> => {
  watchProcess();
  const server = createServer((request, response) => {
    answer(request, response, refresh).catch(() => response.headersSent || response.writeHead(500).end());
  });
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `The metrics cannot be served on ${host}:${port}; check METRICS_HOST and METRICS_PORT.`;
      reject(new AppError('invalid-input', 'metrics-address', message, { cause }));
    });
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
