import express from 'express';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { shedding } from './shedding.js';

it('turns away at once what there is no room for, with when to come again; probes are always answered', async () => {
  const app = express();
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const begun: (() => void)[] = [];
  const isHeld = new Promise<void>((resolve) => begun.push(resolve));
  app.use(shedding(1));
  app.get('/slow', async (_request, response) => {
    begun[0]?.();
    await held;
    response.send('done');
  });
  app.get('/livez', (_request, response) => response.send('alive'));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const slow = fetch(`${url}/slow`);
  await isHeld;
  const refused = await fetch(`${url}/slow`);
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({
    errors: [{ extensions: { code: 'UNAVAILABLE', details: { reason: 'too-busy' } } }],
  });
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  release?.();
  expect((await slow).status).toBe(200);
  expect((await fetch(`${url}/slow`)).status).toBe(200);
  server.close();
  server.closeAllConnections();
});
