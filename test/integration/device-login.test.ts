import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { pollDevice, postOauth, startDevice } from '../support/device.js';
import { createTenant, GraphQLClient, invite, machineOf, type RefusedError } from '../support/graphql-client.js';

const FIELDS = 'userCode client address';
const DEVICE = `query ($userCode: String!) { device(userCode: $userCode) { ${FIELDS} } }`;
const APPROVE = `mutation ($userCode: String!) { approveDevice(userCode: $userCode) { ${FIELDS} } }`;
const DENY = `mutation ($userCode: String!) { denyDevice(userCode: $userCode) { ${FIELDS} } }`;
const ME = '{ me { user { displayName } } }';

let api: TestApi;
let owner: GraphQLClient;

beforeAll(async () => {
  api = await startTestApi();
  owner = await createTenant(await api.operator(), 'Acme');
});
afterAll(() => api.close());
/** Every test has the address of this machine to itself. */
afterEach(() => sql('truncate attempt, device_code'));

const sql = async (statement: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  asSuperuser(api.database.adminUrl, async (client) => (await client.query(statement, values)).rows as never);
const errorOf = async (deviceCode: string): Promise<unknown> => (await pollDevice(api.url, deviceCode)).body['error'];

describe('a device login', () => {
  it('is started by anybody and shows what to type where', async () => {
    const grant = await startDevice(api.url);
    expect(grant).toEqual({
      device_code: expect.stringMatching(/^tmem_dev_[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: 'http://api.test/device',
      expires_in: 600,
      interval: 5,
    });
  });

  it('logs in as whoever approved it, and is written to the audit', async () => {
    const ann = await invite(owner, { displayName: 'Ann' });
    const grant = await startDevice(api.url, 'kitchen  laptop\u202e');
    expect(await errorOf(grant.device_code)).toBe('authorization_pending');
    const { device } = await ann.send<{ device: unknown }>(DEVICE, { userCode: grant.user_code });
    expect(device).toEqual({ userCode: grant.user_code, client: 'kitchen laptop', address: '127.0.0.1' });
    // As a person types it.
    await ann.send(APPROVE, { userCode: ` ${grant.user_code.replace('-', ' ').toLowerCase()}` });
    const { status, body } = await pollDevice(api.url, grant.device_code);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: expect.any(Number),
        refresh_token: expect.stringMatching(/^tmem_rt_/),
        refresh_token_expires_in: expect.any(Number),
      },
    });
    const device2 = new GraphQLClient(api.url, () => Promise.resolve(String(body['access_token'])));
    expect(await device2.send(ME)).toEqual({ me: { user: { displayName: 'Ann' } } });
    const refreshed = await new GraphQLClient(api.url).send<{ refresh: { accessToken: string } }>(
      'mutation ($t: String!) { refresh(input: { refreshToken: $t }) { accessToken } }',
      { t: body['refresh_token'] },
    );
    expect(refreshed.refresh.accessToken).not.toBe(body['access_token']);
    const audit = await sql(`select action from audit where subject_kind = 'device' order by seq`);
    expect(audit.map(({ action }) => action)).toEqual(['device.approved', 'session.opened']);
  });
});

describe('attack 2.11: the device flow', () => {
  it('locks after five wrong codes, for right ones too, for that person and nobody else at the address', async () => {
    const guesser = await invite(owner, { displayName: 'Guesser' });
    const grant = await startDevice(api.url);
    const codes = Array.from({ length: 1_000 }, (_none, at) => [...at.toString(20).padStart(8, '0')]).map((digits) =>
      digits.map((digit) => 'BCDFGHJKLMNPQRSTVWXZ'[Number.parseInt(digit, 20)]).join(''),
    );
    const answers: RefusedError[] = [];
    // A hundred at once: more connections than that are refused by a busy machine before the service sees them.
    for (let at = 0; at < codes.length; at += 100) {
      const some = codes.slice(at, at + 100).map((userCode) => guesser.refused(DEVICE, { userCode }));
      answers.push(...(await Promise.all(some)));
    }
    const counts = new Map<string, number>();
    for (const { code } of answers) counts.set(code, (counts.get(code) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({ NOT_FOUND: 5, LIMIT_EXCEEDED: 995 });
    for (const query of [DEVICE, APPROVE, DENY]) {
      expect((await guesser.refused(query, { userCode: grant.user_code })).code).toBe('LIMIT_EXCEEDED');
    }
    expect(await errorOf(grant.device_code)).toBe('authorization_pending');
    expect(await owner.send(DEVICE, { userCode: grant.user_code })).toMatchObject({ device: { address: '127.0.0.1' } });
    reportAttack('2.11', codes.length, { accepted: 0 }, 'guessed codes, 5 looked up');
  });

  it('tells a device that polls too fast to slow down, by five seconds more each time', async () => {
    const { device_code } = await startDevice(api.url);
    const answers: unknown[] = [];
    for (const secondsAgo of [null, 1, 4, 12, 16, 4]) {
      if (secondsAgo !== null)
        await sql(`update device_code set polled_at = now() - make_interval(secs => $1)`, [secondsAgo]);
      answers.push(await errorOf(device_code));
    }
    const [pending, slow] = ['authorization_pending', 'slow_down'];
    // Its interval was 5, 5, 10, 15 (12 s are too few), 20 (16 s too), 25.
    expect(answers).toEqual([pending, slow, slow, slow, slow, slow]);
    expect(await sql('select interval_seconds from device_code')).toEqual([{ interval_seconds: 30 }]);
    await sql(`update device_code set polled_at = now() - interval '30 seconds'`);
    expect(await errorOf(device_code)).toBe(pending);
  });

  it('redeems once, however many ask at the same time', async () => {
    const grant = await startDevice(api.url);
    await owner.send(APPROVE, { userCode: grant.user_code });
    const polls = await Promise.all(Array.from({ length: 10 }, () => pollDevice(api.url, grant.device_code)));
    expect(polls.filter(({ status }) => status === 200)).toHaveLength(1);
    await sql('truncate attempt');
    expect(await errorOf(grant.device_code)).toBe('invalid_grant');
  });

  it('lets nobody in before approval, after denial, after its ten minutes, or whose approver has left', async () => {
    const denied = await startDevice(api.url);
    await owner.send(DENY, { userCode: denied.user_code });
    expect(await errorOf(denied.device_code)).toBe('access_denied');
    expect((await owner.refused(APPROVE, { userCode: denied.user_code })).code).toBe('NOT_FOUND');

    const late = await startDevice(api.url);
    await sql(`update device_code set expires_at = now() where approved is null`);
    expect(await errorOf(late.device_code)).toBe('expired_token');
    expect((await owner.refused(APPROVE, { userCode: late.user_code })).code).toBe('NOT_FOUND');

    const orphan = await startDevice(api.url);
    const bob = await invite(owner, { displayName: 'Bob' });
    await bob.send(APPROVE, { userCode: orphan.user_code });
    await sql(`update app_user set status = 'removed' where display_name = 'Bob'`);
    expect(await errorOf(orphan.device_code)).toBe('access_denied');
  });

  it('cannot be answered twice, nor by the one who was slower', async () => {
    const grant = await startDevice(api.url);
    const eve = await invite(owner, { displayName: 'Eve' });
    const both = await Promise.allSettled([
      owner.send(APPROVE, { userCode: grant.user_code }),
      eve.send(APPROVE, { userCode: grant.user_code }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is closed to machines, which could else open a login that outlives their token', async () => {
    const machine = await machineOf(owner, ['READ', 'WRITE', 'ADMIN']);
    const { user_code: userCode, device_code } = await startDevice(api.url);
    for (const query of [DEVICE, APPROVE, DENY]) {
      expect((await machine.refused(query, { userCode })).code).toBe('FORBIDDEN');
    }
    expect(await errorOf(device_code)).toBe('authorization_pending');
  });

  it('keeps nothing of its codes in the clear, and the hash of the short one needs a key', async () => {
    const grant = await startDevice(api.url);
    const dump = JSON.stringify(await sql(`select encode(user_hash, 'hex') as u, d::text as all from device_code d`));
    for (const secret of [grant.device_code, grant.user_code, grant.user_code.replace('-', '')]) {
      expect(dump).not.toContain(secret);
    }
    const plain = await sql(`select encode(sha256($1::bytea), 'hex') as u`, [grant.user_code.replace('-', '')]);
    expect(dump).not.toContain(String(plain[0]?.['u']));
  });

  it('lets no address fill the table', async () => {
    await Promise.all(Array.from({ length: 50 }, () => startDevice(api.url)));
    const refused = await postOauth(api.url, 'device_authorization', { client_id: 'tempera-cli' });
    expect(refused).toMatchObject({ status: 429, body: { error: 'slow_down' } });
    await sql(`update device_code set expires_at = now() - interval '2 days'`);
    await startDevice(api.url);
    expect(await sql('select count(*)::int as waiting from device_code')).toEqual([{ waiting: 1 }]);
  });
});

describe('the routes of OAuth', () => {
  const token = (fields: Record<string, string> | string, headers?: Record<string, string>): Promise<unknown> =>
    postOauth(api.url, 'token', fields, headers).then(({ status, body }) => [status, body['error']]);
  const grant = 'grant_type=urn:ietf:params:oauth:grant-type:device_code';

  it.each([
    ['', 'invalid_request'],
    ['grant_type=', 'invalid_request'],
    ['grant_type=password&username=a&password=b', 'unsupported_grant_type'],
    ['grant_type=refresh_token&refresh_token=x', 'unsupported_grant_type'],
    [`${grant}&device_code=x`, 'invalid_client'],
    [`${grant}&device_code=x&client_id=<script>`, 'invalid_client'],
    [`${grant}&client_id=tempera-cli`, 'invalid_request'],
    [`${grant}&client_id=tempera-cli&device_code=x`, 'invalid_grant'],
    [`${grant}&client_id=tempera-cli&device_code=${'x'.repeat(3_000)}`, 'invalid_grant'],
    [`${grant}&client_id=tempera-cli&device_code=x&device_code=y`, 'invalid_request'],
    [`${grant}&client_id[a]=tempera-cli&device_code=x`, 'invalid_client'],
  ])('answer %s with 400 and %s', async (body, error) => {
    expect(await token(body)).toEqual([400, error]);
  });

  it('take a form in UTF-8 of a few kilobytes and nothing else', async () => {
    const json = { 'content-type': 'application/json' };
    expect(await token('{"grant_type":"x"}', json)).toEqual([400, 'invalid_request']);
    expect(await token(`a=${'x'.repeat(20_000)}`)).toEqual([413, 'invalid_request']);
    expect(await token(Array.from({ length: 40 }, (_n, at) => `f${at}=1`).join('&'))).toEqual([413, 'invalid_request']);
    const charset = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-16' };
    expect(await token('a=b', charset)).toEqual([415, 'invalid_request']);
    const name = { client_id: 'tempera-cli', device_name: 'x'.repeat(201) };
    expect((await postOauth(api.url, 'device_authorization', name)).body['error']).toBe('invalid_request');
  });

  it('are posted to: GET is answered with 405', async () => {
    for (const path of ['token', 'device_authorization']) {
      const response = await fetch(`${api.url}/oauth/${path}`);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  it('are the only ones of theirs that take a form', async () => {
    const response = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'apollo-require-preflight': '1' },
      body: new URLSearchParams({ query: '{ service { version } }' }).toString(),
    });
    expect(response.status).toBe(400);
  });

  it('answer with JSON that no cache keeps', async () => {
    const response = await fetch(`${api.url}/oauth/device_authorization`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'client_id=tempera-cli',
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});
