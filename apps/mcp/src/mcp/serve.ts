import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { isAppError } from '@tempera/client-kit';
import { toolContext } from '../workplace.js';
import type { World } from '../world.js';
import { makeMcpServer } from './mcp-server.js';

/** A capture that is on its way when the client leaves may still arrive. */
const FAREWELL_MS = 2_000;

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

  async settled(withinMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, withinMs);
    });
    await Promise.race([Promise.allSettled(this.calls), deadline]);
    clearTimeout(timer);
  }
}

/**
 * Serves MCP on standard input and output until the client leaves: its end of the pipe closes, or a signal comes. Only the
 * protocol is ever written to standard output; everything else goes to standard error.
 */
export const serveMcp = async (world: World, endings: Endings): Promise<void> => {
  const calls = new CallsUnderWay();
  const log = (line: string): void => {
    world.stderr.write(`tempera: ${line}\n`);
  };
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
    { onerror: (error) => log(error.message) },
  );
  await new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) world.stdin.once(event, () => resolve());
    for (const event of ['close', 'error']) world.stdout.once(event, () => resolve());
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) endings.on(signal, () => resolve());
  });
  await calls.settled(FAREWELL_MS);
  await handle.close();
};
