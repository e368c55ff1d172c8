import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { isAppError } from '@tempera/client-kit';
import { makeMcpServer } from '@tempera/client-kit/mcp';
import { wakeSender } from '../hooks/wake-sender.js';
import { toolContext } from '../workplace.js';
import type { World } from '../world.js';
import { PatientTransport } from './patient-transport.js';

/** A capture that is on its way when a signal comes, or nobody reads any more, may still arrive. */
const FAREWELL_MS = 2_000;
/** Longer than any call takes: a client that closed its end may still read the answers. */
const LAST_ANSWERS_MS = 60_000;

/** How a process hears that it should end. */
export interface Endings {
  on(signal: 'SIGHUP' | 'SIGINT' | 'SIGTERM', listener: () => void): void;
}

/** Calls under way, so that the end can wait for them. */
class CallsUnderWay {
  private readonly calls = new Set<Promise<unknown>>();

  track<Result>(call: Promise<Result>): Promise<Result> {
    const tracked = call.finally(() => this.calls.delete(tracked));
    this.calls.add(tracked);
    return tracked;
  }

  settled(): Promise<unknown> {
    return Promise.allSettled(this.calls);
  }
}

const atMost = async (work: Promise<unknown>, ms: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, deadline]);
  clearTimeout(timer);
};

/**
 * Serves MCP on standard input and output until the client leaves: its end of the pipe closes and all it asked is answered, or
 * a signal comes. Only the
 * protocol is ever written to standard output; everything else goes to standard error.
 */
export const serveMcp = async (world: World, endings: Endings): Promise<void> => {
  const calls = new CallsUnderWay();
  const log = (line: string): void => {
    world.stderr.write(`tempera: ${line}\n`);
  };
  await wakeSender(world).catch(() => undefined);
  const transport = new PatientTransport(world);
  const handle = serveStdio(
    () =>
      makeMcpServer({
        version: world.version,
        invocation: world.invocation,
        context: () => toolContext(world, 'MCP'),
        track: (call) => calls.track(call),
        onUnexpected: (tool, error) => {
          log(`${tool} failed: ${isAppError(error) ? `${error.code}: ${error.message}` : String(error)}`);
        },
      }),
    { transport, onerror: (error) => log(error.message) },
  );
  const leaves = new Promise<void>((resolve) => {
    for (const event of ['close', 'error']) world.stdout.once(event, () => resolve());
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) endings.on(signal, () => resolve());
  });
  const hasSaidAll = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) world.stdin.once(event, () => resolve());
  });
  await Promise.race([leaves, hasSaidAll.then(() => atMost(transport.answered(), LAST_ANSWERS_MS))]);
  await atMost(calls.settled(), FAREWELL_MS);
  await handle.close();
};
