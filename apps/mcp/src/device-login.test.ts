import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from './program.js';
import { LoginFiles } from './state/login-file.js';
import { refusal, startStubService, type StubService } from './testing/stub-service.js';
import { makeStubWorld, type StubWorld } from './testing/stub-world.js';

let service: StubService;
let home: StubWorld;

interface Ran {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
  readonly waitedMs: number;
}

const run = async (words: readonly string[], typed = ''): Promise<Ran> => {
  const once = await makeStubWorld({ environment: home.world.environment, cwd: home.folder }, typed);
  try {
    const exitCode = await runProgram(words, once.world, { on: () => undefined });
    return { exitCode, out: once.out(), err: once.err(), waitedMs: once.aheadMs };
  } finally {
    await once.remove();
  }
};
const logIn = (...options: string[]): Promise<Ran> => run(['login', '--server', service.url, '--device', ...options]);

beforeEach(async () => {
  service = await startStubService();
  home = await makeStubWorld();
});
afterEach(async () => {
  await service.close();
  await home.remove();
});

describe('tempera login without a code', () => {
  it('shows an address and a code, waits for the answer, and keeps the login', async () => {
    service.state.deviceAnswers.push('authorization_pending', 'authorization_pending', 'ok');
    const ran = await logIn('--name', 'new laptop');
    expect(ran).toMatchObject({ exitCode: 0, out: expect.stringContaining('as Ana, tenant Acme'), waitedMs: 15_000 });
    expect(ran.err).toContain('https://x.test/device');
    expect(ran.err).toContain('BCDF-GHJK');
    expect(service.state.forms[0]).toEqual({
      path: '/oauth/device_authorization',
      fields: { client_id: 'tempera-cli', device_name: 'new laptop' },
    });
    expect((await run(['whoami'])).exitCode).toBe(0);
  });

  it('asks less often when it is told to slow down, and goes on doing so', async () => {
    service.state.deviceAnswers.push('slow_down', 'authorization_pending', 'slow_down', 'ok');
    expect((await logIn()).waitedMs).toBe(5_000 + 10_000 + 10_000 + 15_000);
  });

  it('waits for nobody where there is neither a code nor a terminal: it says so at once, and the ways', async () => {
    for (const typed of ['', '\n', '   ']) {
      const ran = await run(['login', '--server', service.url], typed);
      expect(ran).toMatchObject({ exitCode: 2, waitedMs: 0, out: '' });
      for (const way of ['Pipe a one-time code', 'at a terminal', '`tempera login --device`'])
        expect(ran.err).toContain(way);
    }
    expect(service.state.forms).toEqual([]);
  });

  it('asks for no code with --device, even where one is typed', async () => {
    service.state.deviceAnswers.push('ok');
    const ran = await run(['login', '--server', service.url, '--device'], 'good-code\n');
    expect(ran.exitCode).toBe(0);
    expect(service.state.codes.has('good-code')).toBe(true);
  });

  it.each([
    ['access_denied', 3],
    ['expired_token', 3],
    ['invalid_grant', 3],
  ])('ends on %s with exit code %i, and keeps nothing', async (answer, exitCode) => {
    service.state.deviceAnswers.push(answer);
    expect(await logIn()).toMatchObject({ exitCode, out: '' });
    expect(await new LoginFiles(home.world).keys()).toEqual([]);
  });

  it('gives up when the code has run out', async () => {
    const ran = await logIn();
    expect(ran).toMatchObject({ exitCode: 3, err: expect.stringContaining('Nobody answered') });
    expect(ran.waitedMs).toBe(600_000);
  });

  it('outlives a server that is away for a moment', async () => {
    service.state.deviceAnswers.push('ok');
    let calls = 0;
    const once = await makeStubWorld({
      environment: home.world.environment,
      fetch: (input, init) => {
        calls += 1;
        return calls === 2 ? Promise.reject(new TypeError('connection refused')) : fetch(input, init);
      },
    });
    const exitCode = await runProgram(['login', '--server', service.url, '--device'], once.world, {
      on: () => undefined,
    });
    await once.remove();
    expect(exitCode).toBe(0);
  });

  it('never shows a token or the device code', async () => {
    service.state.deviceAnswers.push('ok');
    const { out, err } = await logIn('--json');
    expect(out + err).not.toMatch(/device-1|access-\d|refresh-\d/);
  });
});

describe('tempera approve', () => {
  const DEVICE = {
    userCode: 'BCDF-GHJK',
    client: 'lap\u001b[31mtop',
    address: '192.0.2.7',
    createdAt: '2026-11-30T09:00:00Z',
  };

  beforeEach(async () => {
    await run(['login', '--server', service.url], 'good-code\n');
    const device = { ...DEVICE, expiresAt: '2026-11-30T09:10:00Z' };
    for (const field of ['device', 'approveDevice', 'denyDevice']) service.state.answers[field] = () => device;
  });
  const asked = (): string[] => service.state.asked.map(({ field }) => field);

  it('approves after the codes were compared, and says who it was without control signs', async () => {
    const ran = await run(['approve', 'BCDF-GHJK', '--yes']);
    expect(ran.exitCode).toBe(0);
    expect(ran.out).toContain('is logged in as you');
    expect(ran.out).not.toContain('\u001b');
    expect(asked()).toEqual(['device', 'approveDevice']);
  });

  it('approves nothing that nobody compared: without a terminal it takes --yes', async () => {
    const ran = await run(['approve', 'BCDF-GHJK']);
    expect(ran).toMatchObject({ exitCode: 2, err: expect.stringContaining('192.0.2.7') });
    expect(asked()).toEqual(['device']);
  });

  it('sends a device away with --deny', async () => {
    expect((await run(['approve', 'BCDF-GHJK', '--deny'])).out).toContain('stays out');
    expect(asked()).toEqual(['device', 'denyDevice']);
  });

  it('says when no device waits under the code', async () => {
    service.state.answers['device'] = () => {
      throw refusal('NOT_FOUND', 'No device waits under this code.', 'no-such-device');
    };
    expect((await run(['approve', 'XXXX-XXXX', '--yes'])).exitCode).toBe(4);
  });
});
