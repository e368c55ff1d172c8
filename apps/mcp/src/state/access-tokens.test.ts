import { readFile, stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startStubService, type StubService } from '../testing/stub-service.js';
import { makeStubWorld, type StubWorld } from '../testing/stub-world.js';
import { AccessTokens, validUntil } from './access-tokens.js';
import { type Login, loginKey, LoginFiles } from './login-file.js';

let service: StubService;
let stub: StubWorld;

const loginOf = (server: string): Login => ({
  server,
  user: { id: 'u', displayName: 'Ana' },
  tenant: { id: 't', name: 'Acme' },
  secret: { kind: 'refresh', token: 'refresh-1', expiresAt: '2027-01-01T00:00:00Z' },
  access: null,
});

/** One more process of this login: nothing but the files is shared. */
const another = (key: string): AccessTokens => new AccessTokens(new LoginFiles(stub.world), key, stub.world);

const storedLogin = async (): Promise<string> => {
  const login = loginOf(service.url);
  const key = loginKey(login);
  await new LoginFiles(stub.world).write(key, login);
  return key;
};

beforeEach(async () => {
  service = await startStubService();
  stub = await makeStubWorld();
});
afterEach(async () => {
  await service.close();
  await stub.remove();
});

describe('AccessTokens', () => {
  it('rule A4: ten processes that find the token expired refresh it once and share the result', async () => {
    const key = await storedLogin();
    const tokens = await Promise.all(Array.from({ length: 10 }, () => another(key).get()));
    expect(new Set(tokens)).toEqual(new Set(['access-1']));
    expect(service.state.refreshed).toEqual(['refresh-1']);
  });

  it('rule A4: ten processes whose token the service refused renew it once', async () => {
    const key = await storedLogin();
    const refused = await another(key).get();
    service.state.accessTokens.clear();
    const tokens = await Promise.all(Array.from({ length: 10 }, () => another(key).renew(refused)));
    expect(new Set(tokens).size).toBe(1);
    expect(service.state.refreshed).toEqual(['refresh-1', 'refresh-1+']);
  });

  it('keeps the pair in a file that only its user can read', async () => {
    const key = await storedLogin();
    await another(key).get();
    const path = new LoginFiles(stub.world).path(key);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(new LoginFiles(stub.world).folder)).mode & 0o777).toBe(0o700);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({
      secret: { token: 'refresh-1+' },
      access: { token: 'access-1' },
    });
  });

  it('renews in silence when the token nears its end, and not before', async () => {
    const key = await storedLogin();
    const tokens = another(key);
    await tokens.get();
    stub.aheadMs = 9 * 60_000;
    expect(await tokens.get()).toBe('access-1');
    stub.aheadMs = 9.6 * 60_000;
    expect(await tokens.get()).toBe('access-2');
  });

  it('loses nothing when the reply to a refresh is lost: the same parent is asked again', async () => {
    const key = await storedLogin();
    let isFirst = true;
    const world = {
      ...stub.world,
      fetch: async (input: string, init: RequestInit): Promise<Response> => {
        const response = await fetch(input, init);
        if (!isFirst) return response;
        isFirst = false;
        throw new TypeError('connection lost');
      },
    };
    const tokens = new AccessTokens(new LoginFiles(world), key, world);
    await expect(tokens.get()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await tokens.get()).toBe('access-2');
    expect(service.state.refreshed).toEqual(['refresh-1', 'refresh-1']);
  });

  it('says how to log in again when the session has ended, and keeps the file for the doctor', async () => {
    const key = await storedLogin();
    service.state.current = 'other';
    const failed = another(key).get();
    await expect(failed).rejects.toMatchObject({ kind: 'unauthenticated' });
    await expect(failed).rejects.toHaveProperty('details.fix', expect.stringContaining('tempera login --server'));
    expect(await new LoginFiles(stub.world).read(key)).not.toBeNull();
  });
});

describe('validUntil', () => {
  it('judges by our own clock however wrong it is', () => {
    const server = new Date('2026-11-30T12:00:00Z');
    const ours = new Date('2020-01-01T00:00:00Z');
    expect(validUntil('2026-11-30T12:10:00Z', server, ours)).toBe('2020-01-01T00:10:00.000Z');
    expect(validUntil('2026-11-30T12:10:00Z', null, ours)).toBe('2026-11-30T12:10:00.000Z');
  });
});
