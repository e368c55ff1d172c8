import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What a bad network does to what passes; each is for connections of now and later, until {@link FaultProxy.heal}. */
export type Fault =
  /** Everything comes late, by so many milliseconds more or less. */
  | { readonly kind: 'latency'; readonly ms: number; readonly jitterMs: number }
  | { readonly kind: 'bandwidth'; readonly bytesPerSecond: number }
  /** Everything comes in pieces of so many bytes. */
  | { readonly kind: 'slices'; readonly bytes: number }
  /** Connections are taken and stay open, and nothing comes through. */
  | { readonly kind: 'silence' }
  /** Every connection is reset, and so is every new one. */
  | { readonly kind: 'reset' }
  /** Whatever the server answers, something else arrives that is no answer of it. */
  | { readonly kind: 'garbage' }
  /** The server's answer to what holds these bytes never arrives: the connection is cut once the server has answered. */
  | { readonly kind: 'cut-after'; readonly bytes: string };

/** A way to a server that can be made a bad one. */
export interface FaultProxy {
  /** The given URL by way of the proxy. */
  readonly url: string;
  readonly port: number;
  readonly inflict: (fault: Fault) => void;
  /** What is open and was silenced stays so; everything else, and every new connection, works again. */
  readonly heal: () => void;
  /** How often something was delayed, cut, reset or swallowed since the last `inflict`. */
  readonly hits: () => number;
  /** The ports by which the server knows the connections that are open. */
  readonly portsAtServer: () => readonly (number | undefined)[];
  readonly close: () => Promise<void>;
}

type Direction = 'up' | 'down';

/** One client's connection through the proxy. */
interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
  /** Nothing passes any more, whatever is healed. */
  silenced: boolean;
  /** The bytes to cut after have passed; the next answer is lost. */
  cutting: boolean;
}

const GARBAGE = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 17\r\nconnection: close\r\n\r\n<html>]{"\u0000garbage');
const SLICE_MS = 5;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Starts a proxy to the host and port of a URL.
 * @param random 0..1, for jitter
 */
export const startFaultProxy = async (target: string, random: () => number = Math.random): Promise<FaultProxy> => {
  const { hostname, port: targetPort } = new URL(target);
  const pairs = new Set<Pair>();
  let fault: Fault | undefined;
  let hits = 0;
  const hit = (): void => void (hits += 1);

  const reset = ({ client, upstream }: Pair): void => {
    client.resetAndDestroy();
    upstream.destroy();
  };

  /** Passes one chunk on as the fault of this moment has it. */
  const pass = async (pair: Pair, chunk: Buffer, to: Socket, direction: Direction): Promise<void> => {
    if (pair.cutting && direction === 'down') {
      hit();
      return reset(pair);
    }
    if (pair.silenced) return hit();
    switch (fault?.kind) {
      case undefined:
      case 'reset':
        return write(to, chunk);
      case 'silence':
        pair.silenced = true;
        return hit();
      case 'latency':
        hit();
        await pause(Math.max(0, fault.ms + (random() * 2 - 1) * fault.jitterMs));
        return write(to, chunk);
      case 'bandwidth':
        hit();
        await pause((chunk.length / fault.bytesPerSecond) * 1_000);
        return write(to, chunk);
      case 'slices':
        hit();
        return writeSlices(to, chunk, fault.bytes);
      case 'garbage':
        if (direction === 'up') return write(to, chunk);
        hit();
        pair.silenced = true;
        return write(to, GARBAGE);
      case 'cut-after':
        if (direction === 'up' && chunk.includes(fault.bytes)) pair.cutting = true;
        return write(to, chunk);
    }
  };

  const pump = async (pair: Pair, from: Socket, to: Socket, direction: Direction): Promise<void> => {
    try {
      for await (const chunk of from) await pass(pair, chunk as Buffer, to, direction);
      to.end();
    } catch {
      // Either side broke off, and so shall the other.
      from.destroy();
      to.destroy();
    }
  };

  const server: Server = createServer((client) => {
    if (fault?.kind === 'reset') {
      hit();
      client.on('error', () => undefined);
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ host: hostname, port: Number(targetPort || 5432) });
    const pair: Pair = { client, upstream, silenced: false, cutting: false };
    pairs.add(pair);
    for (const socket of [client, upstream]) socket.on('error', () => undefined).setNoDelay(true);
    client.on('close', () => {
      pairs.delete(pair);
      upstream.destroy();
    });
    void pump(pair, client, upstream, 'up');
    void pump(pair, upstream, client, 'down');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    port,
    inflict: (next) => {
      [fault, hits] = [next, 0];
      if (next.kind === 'silence') for (const pair of pairs) pair.silenced = true;
      if (next.kind !== 'reset') return;
      hits = pairs.size;
      for (const pair of pairs) reset(pair);
    },
    heal: () => (fault = undefined),
    hits: () => hits,
    portsAtServer: () => [...pairs].map(({ upstream }) => upstream.localPort),
    close: async () => {
      server.close();
      for (const { client, upstream } of pairs) for (const socket of [client, upstream]) socket.destroy();
      await once(server, 'close');
    },
  };
};

const write = async (to: Socket, chunk: Buffer): Promise<void> => {
  if (to.destroyed || to.write(chunk)) return;
  await Promise.race([once(to, 'drain'), once(to, 'close')]);
};

const writeSlices = async (to: Socket, chunk: Buffer, bytes: number): Promise<void> => {
  for (let at = 0; at < chunk.length; at += bytes) {
    await write(to, chunk.subarray(at, at + bytes));
    await pause(SLICE_MS);
  }
};
