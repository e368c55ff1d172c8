import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readKeyFile } from '@tempera/platform';
import { parseSettings } from '../../apps/api/src/config/settings.js';
import { reportAttack } from '../support/attack-report.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort, runProgram, startProgram, untilTrue } from '../support/programs.js';

let database: TestDatabase;
let folder: string;
let keysFile: string;

beforeAll(async () => {
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tempera-start-'));
  keysFile = join(folder, 'keys.json');
  await runProgram(['apps/api/dist/keys-cli.js', '--out', keysFile], {});
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await database.close();
});

const environment = (): Record<string, string> => ({
  DATABASE_APP_URL: database.urls.app,
  DATABASE_TEXT_URL: database.urls.text,
  DATABASE_OPERATOR_URL: database.urls.operator,
  API_HOST: '127.0.0.1',
  API_PORT: '0',
  TOKEN_ISSUER: 'http://api.test',
  TOKEN_AUDIENCE: 'http://api.test/graphql',
  SIGNING_KEYS_FILE: keysFile,
  LOG_LEVEL: 'info',
});

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

const startWith = async (change: Record<string, string | undefined>): Promise<Ended> => {
  const entries = Object.entries({ ...environment(), ...change });
  const env = Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
  const program = startProgram(process.execPath, ['apps/api/dist/main.js'], env);
  const code = await new Promise<number | null>((resolve) => program.child.once('close', resolve));
  return { code, output: program.output() };
};

/** What main.ts does first, in this process: a refusal here is the program's. */
const refusalOf = (change: Record<string, string>): string => {
  try {
    readKeyFile(parseSettings({ ...environment(), ...change }).signingKeysFile);
  } catch (error) {
    return error instanceof Error ? error.message : 'no error';
  }
  return 'let through';
};

describe('attack 2.4: start without what the token check needs', () => {
  it('refuses each as a program, with exit code 2 and its name, and never listens', async () => {
    const names = ['TOKEN_ISSUER', 'TOKEN_AUDIENCE', 'SIGNING_KEYS_FILE'];
    const ends = await Promise.all(names.map((name) => startWith({ [name]: undefined })));
    for (const [index, { code, output }] of ends.entries()) {
      expect(code).toBe(2);
      expect(output).toContain(names[index]);
      expect(output).not.toContain('listening');
    }
    reportAttack('2.4', ends.length, { started: 0 });
  });

  it('takes an empty or blank value for a missing one', () => {
    for (const name of ['TOKEN_ISSUER', 'TOKEN_AUDIENCE', 'SIGNING_KEYS_FILE']) {
      for (const value of ['', '   ']) expect(refusalOf({ [name]: value })).toContain(name);
    }
  });

  it('refuses keys that are not there, that others can read, or of which none is current', async () => {
    expect(refusalOf({ SIGNING_KEYS_FILE: '/nowhere/keys.json' })).toContain('/nowhere/keys.json');
    const empty = join(folder, 'empty.json');
    await writeFile(empty, '{"keys":[]}', { mode: 0o600 });
    expect(refusalOf({ SIGNING_KEYS_FILE: empty })).toContain('empty.json');
    for (const mode of [0o640, 0o604, 0o660]) {
      await chmod(keysFile, mode);
      expect(refusalOf({})).toContain('chmod 600');
    }
    await chmod(keysFile, 0o600);
    expect(refusalOf({})).toBe('let through');
  });
});

describe('other settings', () => {
  it('names API_PORT when the port is taken', async () => {
    const server = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const { code, output } = await startWith({ API_PORT: String(port) });
    server.close();
    expect(code).toBe(5);
    expect(output).toContain('API_PORT');
  });

  it('names every wrong setting at once', () => {
    const refusal = refusalOf({ API_PORT: 'many', LOG_LEVEL: 'loud', DATABASE_APP_URL: 'mysql://x' });
    for (const name of ['API_PORT', 'LOG_LEVEL', 'DATABASE_APP_URL']) expect(refusal).toContain(name);
  });

  it('answers what is in flight and ends with 0 on SIGTERM', async () => {
    const port = await freePort();
    const env = { ...environment(), API_PORT: String(port) };
    const program = startProgram(process.execPath, ['apps/api/dist/main.js'], env);
    await untilTrue('ready', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok, program);
    const body = JSON.stringify({ query: '{ service { version } }' });
    const asked = request({
      port,
      host: '127.0.0.1',
      path: '/graphql',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
    });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      asked.once('response', (response) => resolve(response.resume().statusCode)).once('error', reject);
    });
    // The server has the request's head and waits for its body: in flight, beyond doubt.
    await new Promise<void>((resolve) => asked.once('continue', resolve).flushHeaders());
    const code = program.stop();
    await untilTrue('stopping', () => Promise.resolve(program.output().includes('stopping')));
    asked.end(body);
    expect(await answered).toBe(200);
    expect(await code).toBe(0);
  });
});

describe('keys-cli', () => {
  it('never writes over keys that are there', async () => {
    const before = await readFile(keysFile, 'utf8');
    const { child } = startProgram(process.execPath, ['apps/api/dist/keys-cli.js', '--out', keysFile], {});
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(5);
    expect(await readFile(keysFile, 'utf8')).toBe(before);
  });
});
