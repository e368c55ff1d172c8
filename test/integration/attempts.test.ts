import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AttemptLimiter } from '../../apps/api/src/limits/attempt-limiter.js';
import { startTestApi, type TestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, invitationCode } from '../support/graphql-client.js';

const FREE = 20;

let api: TestApi;
let behindProxy: TestApi;

beforeAll(async () => {
  api = await startTestApi({ attemptsPerAddress: FREE });
  behindProxy = await startTestApi({ attemptsPerAddress: FREE, trustedProxies: ['loopback'] });
});
afterAll(async () => {
  await api.close();
  await behindProxy.close();
});

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly retryAfter: string | null;
  readonly extensions: { code?: string; retryAfterSeconds?: number; details?: { reason?: string } } | undefined;
}

const OPERATIONS = {
  login: 'mutation ($secret: String!) { login(input: { code: $secret }) { accessToken } }',
  refresh: 'mutation ($secret: String!) { refresh(input: { refreshToken: $secret }) { accessToken } }',
  exchange: 'mutation ($secret: String!) { exchangeToken(token: $secret) { accessToken } }',
  operator: 'mutation ($secret: String!) { operatorLogin(code: $secret) { accessToken } }',
};

const attempt = async (
  { url }: TestApi,
  query: string,
  secret: string,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables: { secret } }),
  });
  const body = (await response.json()) as { errors?: { extensions: Answer['extensions'] }[] };
  const extensions = body.errors?.[0]?.extensions;
  return {
    status: response.status,
    code: extensions?.code,
    retryAfter: response.headers.get('retry-after'),
    extensions,
  };
};

const forgetAttempts = ({ database }: TestApi): Promise<unknown> =>
  asSuperuser(database.adminUrl, (client) => client.query('delete from attempt'));

describe('attack 2.19: wrong secrets from one address', () => {
  it.each(Object.entries(OPERATIONS))('are told to wait after some, for %s', async (_kind, query) => {
    await forgetAttempts(api);
    const codes: string[] = [];
    for (let i = 0; i < 60; i += 1) codes.push((await attempt(api, query, `wrong-${i}`)).code ?? 'LET IN');
    expect(codes.slice(0, FREE)).toEqual(Array.from({ length: FREE }, () => 'UNAUTHENTICATED'));
    const refused = codes.filter((code) => code === 'LIMIT_EXCEEDED').length;
    // While it waits nothing is counted, so at most a few of the longer and longer waits end during the test.
    expect(refused).toBeGreaterThan(25);
    expect(codes.every((code) => ['UNAUTHENTICATED', 'LIMIT_EXCEEDED'].includes(code))).toBe(true);
  });

  it('say how long to wait, in the header and in the answer', async () => {
    await forgetAttempts(api);
    for (let i = 0; i < FREE + 1; i += 1) await attempt(api, OPERATIONS.login, `wrong-${i}`);
    await asSuperuser(api.database.adminUrl, (client) =>
      client.query(`update attempt set blocked_until = now() + interval '100 seconds'`),
    );
    const answer = await attempt(api, OPERATIONS.login, 'wrong');
    expect(answer).toMatchObject({ status: 429, code: 'LIMIT_EXCEEDED' });
    expect(answer.extensions?.details?.reason).toBe('too-many-attempts');
    expect(answer.extensions?.retryAfterSeconds).toBe(100);
    expect(answer.retryAfter).toBe('100');
  });

  it('close the door to right ones too, and it opens again', async () => {
    await forgetAttempts(api);
    const owner = await createTenant(await api.operator(), 'Acme');
    const code = await invitationCode(owner, { displayName: 'Ben' });
    for (let i = 0; i < FREE; i += 1) await attempt(api, OPERATIONS.login, `wrong-${i}`);
    await asSuperuser(api.database.adminUrl, (client) =>
      client.query(`update attempt set blocked_until = now() + interval '1 hour'`),
    );
    expect((await attempt(api, OPERATIONS.login, code)).code).toBe('LIMIT_EXCEEDED');
    await asSuperuser(api.database.adminUrl, (client) => client.query(`update attempt set blocked_until = now()`));
    expect((await attempt(api, OPERATIONS.login, code)).status).toBe(200);
  });

  it('count for the connection’s address, whatever a header says, unless the proxy is trusted', async () => {
    const forged = (n: number): Record<string, string> => ({ 'x-forwarded-for': `203.0.113.${n}` });
    await forgetAttempts(api);
    const direct: (string | undefined)[] = [];
    for (let i = 0; i < FREE * 2; i += 1) direct.push((await attempt(api, OPERATIONS.login, `w${i}`, forged(i))).code);
    expect(direct).toContain('LIMIT_EXCEEDED');
    await forgetAttempts(behindProxy);
    const proxied: (string | undefined)[] = [];
    for (let i = 0; i < FREE * 2; i += 1) {
      proxied.push((await attempt(behindProxy, OPERATIONS.login, `w${i}`, forged(i))).code);
    }
    expect(new Set(proxied)).toEqual(new Set(['UNAUTHENTICATED']));
  });

  it('shut out nobody else where one program shows one dead token for ever', async () => {
    await forgetAttempts(api);
    const owner = await createTenant(await api.operator(), 'Office');
    const code = await invitationCode(owner, { displayName: 'Colleague' });
    const codes: (string | undefined)[] = [];
    for (let i = 0; i < FREE + 10; i += 1) {
      codes.push((await attempt(api, OPERATIONS.login, 'the same dead code')).code);
      // As if it waited each time.
      await asSuperuser(api.database.adminUrl, (client) => client.query('update attempt set blocked_until = now()'));
    }
    expect(new Set(codes)).toEqual(new Set(['UNAUTHENTICATED']));
    await attempt(api, OPERATIONS.login, 'the same dead code');
    expect((await attempt(api, OPERATIONS.login, 'the same dead code')).code).toBe('LIMIT_EXCEEDED');
    expect((await attempt(api, OPERATIONS.login, code)).status).toBe(200);
  });

  it('leave no address in the database', async () => {
    const rows = await asSuperuser(api.database.adminUrl, async (client) => {
      const found = await client.query<{ row: string }>('select attempt::text as row from attempt');
      return found.rows.map(({ row }) => row).join('\n');
    });
    expect(rows).not.toBe('');
    for (const address of ['127.0.0.1', Buffer.from('127.0.0.1').toString('hex')]) expect(rows).not.toContain(address);
  });
});

describe('attack 2.19: accounts', () => {
  const limiterOf = (target: TestApi): AttemptLimiter =>
    new AttemptLimiter(target.database.doors, target.ring, target.settings);
  const refusal = async (work: Promise<void>): Promise<string> =>
    work.then(
      () => 'let through',
      (error: unknown) => (error instanceof Error ? String(Reflect.get(error, 'code')) : 'strange'),
    );

  it('one account, 50 addresses: it is the account that waits', async () => {
    await forgetAttempts(api);
    const limiter = limiterOf(api);
    const outcomes: string[] = [];
    for (let i = 0; i < 50; i += 1) {
      const origin = { address: `198.51.100.${i}`, account: 'ana' };
      const outcome = await refusal(limiter.check('password', origin));
      outcomes.push(outcome);
      if (outcome === 'let through') await limiter.failed('password', origin);
    }
    expect(outcomes.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'let through'));
    expect(outcomes.filter((outcome) => outcome === 'too-many-attempts').length).toBeGreaterThan(35);
    expect(await refusal(limiter.check('password', { address: '198.51.100.200', account: 'ben' }))).toBe('let through');
  });

  it('fifty accounts, one address, 200 attempts: it is the address that waits', async () => {
    await forgetAttempts(api);
    const limiter = limiterOf(api);
    let tried = 0;
    for (let i = 0; i < 200; i += 1) {
      const origin = { address: '198.51.100.1', account: `account ${i % 50}` };
      if ((await refusal(limiter.check('password', origin))) !== 'let through') continue;
      tried += 1;
      await limiter.failed('password', origin);
    }
    reportAttack(
      '2.19',
      200,
      { 'let through beyond the first': Math.max(0, tried - FREE - 8) },
      `${tried} were looked at`,
    );
    expect(tried).toBeGreaterThanOrEqual(FREE);
    expect(tried).toBeLessThan(FREE + 8);
    expect(await refusal(limiter.check('password', { address: '198.51.100.2', account: 'someone' }))).toBe(
      'let through',
    );
  });

  it('a device’s code is locked at five, for ten minutes, by attempts that come at once too', async () => {
    await forgetAttempts(api);
    const limiter = limiterOf(api);
    const origin = { address: '198.51.100.3', account: 'ana' };
    await Promise.all(Array.from({ length: 5 }, () => limiter.failed('device', origin)));
    const error: unknown = await limiter.check('device', origin).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'limit-exceeded', details: { limit: 'attempts' } });
    expect(Reflect.get(Reflect.get(error as object, 'details') as object, 'retryAfterSeconds')).toBeGreaterThan(590);
    expect(await refusal(limiter.check('login', origin))).toBe('let through');
    expect(await refusal(limiter.check('device', { ...origin, account: 'ben' }))).toBe('let through');
  });

  it('is counted by replicas together', async () => {
    await forgetAttempts(api);
    const [one, other] = [limiterOf(api), limiterOf(api)];
    const origin = { address: '198.51.100.4', account: 'ana' };
    for (let i = 0; i < 5; i += 1) await (i % 2 === 0 ? one : other).failed('device', origin);
    expect(await refusal(one.check('device', origin))).toBe('too-many-attempts');
    expect(await refusal(other.check('device', origin))).toBe('too-many-attempts');
  });
});
