import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureServer, type Http2SecureServer, type IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '@tempera/platform';
import { parseSettings } from '../../apps/worker/src/config/settings.js';
import { connectTemporal } from '../../apps/worker/src/connect-temporal.js';
import { readTemporalCredentials } from '../../apps/worker/src/temporal-credentials.js';
import { newAuthority } from '../support/certificates.js';

const EMPTY_MESSAGE = Buffer.alloc(5);
const asked: { headers: IncomingHttpHeaders; client: string }[] = [];
let folder: string;
let engine: Http2SecureServer;
let warned = '';

const file = (name: string, text: string, mode = 0o600): string => {
  const path = join(folder, name);
  writeFileSync(path, text, { mode });
  return path;
};

/** What a frontend of the engine does first: says what it is, once it knows who asks. */
const startEngine = async (ca: string, own: { cert: string; key: string }): Promise<Http2SecureServer> => {
  const server = createSecureServer({ ...own, ca, requestCert: true, rejectUnauthorized: false });
  server.on('stream', (stream, headers) => {
    const socket = stream.session?.socket;
    const subject = socket instanceof TLSSocket && socket.authorized ? socket.getPeerCertificate().subject.CN : '';
    asked.push({ headers, client: String(subject) });
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(EMPTY_MESSAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

/** Connects with these settings, or gives up at the first refusal. */
const connect = async (settings: Readonly<Record<string, string>>): Promise<'connected' | 'refused'> => {
  const { port } = engine.address() as AddressInfo;
  const { temporal } = parseSettings({
    DATABASE_WORKER_URL: 'postgresql://mem_worker@127.0.0.1/tempera',
    DATABASE_APP_URL: 'postgresql://mem_app@127.0.0.1/tempera',
    DATABASE_TEXT_URL: 'postgresql://mem_text@127.0.0.1/tempera',
    TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
    ...settings,
  });
  const stop = new AbortController();
  const write = (line: string): void => {
    warned += line;
    stop.abort();
  };
  const logger = createLogger({ name: 'worker', level: 'warn', destination: { write } });
  const credentials = readTemporalCredentials(temporal);
  try {
    const connection = await connectTemporal({ address: temporal.address, credentials, logger, signal: stop.signal });
    await connection.close();
    return 'connected';
  } catch {
    return 'refused';
  }
};

const ours: Record<'ca' | 'cert' | 'key' | 'apiKey', string> = { ca: '', cert: '', key: '', apiKey: '' };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tempera-temporal-tls-'));
  const authority = newAuthority('authority.test');
  const worker = authority.issue('worker.test');
  ours.ca = file('ca.pem', authority.cert, 0o644);
  ours.cert = file('cert.pem', worker.cert, 0o644);
  ours.key = file('key.pem', worker.key);
  ours.apiKey = file('api-key', 'a.secret.key\n');
  engine = await startEngine(authority.cert, authority.issue('engine.test'));
});
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

it('the worker shows its certificate or its API key to an engine it knows, and to no other', async () => {
  const known = { TEMPORAL_TLS_CA_FILE: ours.ca, TEMPORAL_TLS_SERVER_NAME: 'engine.test' };
  const pair = { TEMPORAL_TLS_CERT_FILE: ours.cert, TEMPORAL_TLS_KEY_FILE: ours.key };
  expect(await connect({ ...known, ...pair })).toBe('connected');
  expect(asked.splice(0).map(({ client }) => client)).toEqual(['worker.test']);
  expect(await connect({ ...known, TEMPORAL_API_KEY_FILE: ours.apiKey })).toBe('connected');
  expect(asked.splice(0).map(({ headers }) => headers.authorization)).toEqual(['Bearer a.secret.key']);

  const foreign = file('foreign.pem', newAuthority('authority.test').cert, 0o644);
  const key = { TEMPORAL_API_KEY_FILE: ours.apiKey };
  expect(await connect({ ...known, ...key, TEMPORAL_TLS_CA_FILE: foreign })).toBe('refused');
  expect(await connect({ ...known, ...key, TEMPORAL_TLS_SERVER_NAME: 'other.test' })).toBe('refused');
  expect(await connect({})).toBe('refused');
  expect(asked).toEqual([]);
  expect(warned).not.toContain('a.secret.key');
});

it('a file that is missing, open to others or empty is refused by the name of its setting', async () => {
  const openKey = file('open-key', 'a.secret.key');
  chmodSync(openKey, 0o644);
  const pair = { TEMPORAL_TLS_CERT_FILE: ours.cert, TEMPORAL_TLS_KEY_FILE: ours.key };
  const refusals: readonly (readonly [Record<string, string>, string])[] = [
    [{ TEMPORAL_API_KEY_FILE: join(folder, 'none') }, 'TEMPORAL_API_KEY_FILE'],
    [{ TEMPORAL_API_KEY_FILE: openKey }, 'chmod 600'],
    [{ TEMPORAL_API_KEY_FILE: file('empty', '\n') }, 'TEMPORAL_API_KEY_FILE'],
    [{ TEMPORAL_API_KEY_FILE: file('two-lines', 'a\nb') }, 'TEMPORAL_API_KEY_FILE'],
    [{ ...pair, TEMPORAL_TLS_CERT_FILE: join(folder, 'none') }, 'TEMPORAL_TLS_CERT_FILE'],
    [{ ...pair, TEMPORAL_TLS_KEY_FILE: join(folder, 'none') }, 'TEMPORAL_TLS_KEY_FILE'],
    [{ TEMPORAL_TLS_CA_FILE: join(folder, 'none') }, 'TEMPORAL_TLS_CA_FILE'],
  ];
  for (const [settings, word] of refusals) await expect(connect(settings)).rejects.toThrow(word);
});
