import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A way to a server that can fall silent: connections stay open, and nothing comes through any more. */
export interface SilentProxy {
  /** The given URL by way of the proxy. */
  readonly url: string;
  /** Silences every connection there is now, for good; later ones work. */
  readonly silence: () => void;
  readonly close: () => Promise<void>;
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));

/** Starts a proxy to the host and port of a URL. */
export const startSilentProxy = async (target: string): Promise<SilentProxy> => {
  const { hostname, port } = new URL(target);
  const pairs = new Set<readonly [Socket, Socket]>();
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port || 5432) });
    const pair = [client, upstream] as const;
    pairs.add(pair);
    client.pipe(upstream).pipe(client);
    for (const socket of pair) sockets.add(socket.on('error', () => undefined));
    client.on('close', () => upstream.destroy());
  });
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(await listen(server));
  return {
    url: url.href,
    silence: () => {
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream).resume();
        upstream.unpipe(client).resume();
      }
      pairs.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};
