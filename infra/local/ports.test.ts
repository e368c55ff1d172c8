import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accepts, freePort, parsePort, requireFreePort } from './ports.mjs';

describe('ports', () => {
  let server: Server;
  let taken: number;

  beforeAll(async () => {
    server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    taken = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  it('a taken port is an error that names the port and the setting', async () => {
    await expect(requireFreePort(taken, 'API_PORT')).rejects.toThrow(
      new RegExp(`Port ${taken} on 127.0.0.1 is taken by another program[^]*API_PORT`),
    );
    await requireFreePort(await freePort(), 'API_PORT');
  });

  it('the preferred port is used when it is free, and another when it is not', async () => {
    const preferred = await freePort();
    expect(await freePort(preferred)).toBe(preferred);
    expect(await freePort(taken)).not.toBe(taken);
  });

  it('tells who listens from who does not', async () => {
    expect(await accepts({ port: taken })).toBe(true);
    expect(await accepts({ port: await freePort() })).toBe(false);
  });

  it.each(['', '0', '65536', '80a', '-1', '4747.5'])('refuses "%s" as a port, naming the setting', (text) => {
    expect(() => parsePort(text, 'API_PORT')).toThrow('API_PORT');
  });
});
