import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Sends each request to a program that said it is ready, in turns, as the balancer of a cluster does. */
export interface Balancer {
  readonly url: string;
  /** How many of the programs it sends to at this moment. */
  readonly readyCount: () => number;
  readonly close: () => Promise<void>;
}

interface Backend {
  readonly url: string;
  readonly agent: Agent;
  isReady: boolean;
}

const LOOK_EVERY_MS = 200;
/** As the chart has it: an answer that is late twice counts as none; one that says no counts at once. */
const LOOK_MS = 3_000;
const LATE_LOOKS = 2;

/**
 * Starts a balancer that asks each program for /readyz. It tries nothing again: what a program refuses or breaks off, the
 * client sees.
 */
export const startBalancer = async (urls: readonly string[]): Promise<Balancer> => {
  const backends: Backend[] = urls.map((url) => ({ url, agent: new Agent({ keepAlive: true }), isReady: false }));
  let turn = 0;
  const next = (): Backend | undefined => {
    const ready = backends.filter(({ isReady }) => isReady);
    return ready[(turn += 1) % Math.max(1, ready.length)];
  };
  const server = createServer((incoming, outgoing) => {
    const backend = next();
    if (backend === undefined) return refuse(outgoing, 'nobody is ready');
    pass(backend, incoming, outgoing);
  });
  // Longer than a client's own: it must not send into a connection that is being closed.
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = new AbortController();
  const looking = Promise.all(backends.map((backend) => lookUntil(end.signal, backend)));
  const close = async (): Promise<void> => {
    end.abort();
    await looking;
    server.closeAllConnections();
    server.close();
    for (const { agent } of backends) agent.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    readyCount: () => backends.filter(({ isReady }) => isReady).length,
    close,
  };
};

const lookUntil = async (end: AbortSignal, backend: Backend): Promise<void> => {
  let late = 0;
  while (!end.aborted) {
    try {
      backend.isReady = (await fetch(`${backend.url}/readyz`, { signal: AbortSignal.timeout(LOOK_MS) })).ok;
      late = 0;
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      late += isLate ? 1 : LATE_LOOKS;
      if (late >= LATE_LOOKS) backend.isReady = false;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
};

const pass = ({ url, agent }: Backend, incoming: IncomingMessage, outgoing: ServerResponse): void => {
  const { method, headers } = incoming;
  const onward = request(new URL(incoming.url ?? '/', url), { method, headers, agent });
  onward.once('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
    answer.once('error', () => outgoing.destroy());
  });
  onward.once('error', (error) => {
    if (outgoing.headersSent) outgoing.destroy();
    else refuse(outgoing, error.message);
  });
  incoming.pipe(onward);
};

/** In the form of the service's own answers, so that a client tells it by its words. */
const refuse = (outgoing: ServerResponse, message: string): void => {
  outgoing.writeHead(502, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify({ errors: [{ message, extensions: { code: 'BAD_GATEWAY' } }] }));
};
