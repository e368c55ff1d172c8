import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { asSuperuser } from '../support/cluster.js';
import { type Desk, makeDesk, runCli } from '../support/developer.js';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.js';
import { createTenant, type GraphQLClient, invite } from '../support/graphql-client.js';
import { projectRoot, untilTrue } from '../support/programs.js';

/** As Claude Code starts it: the bundle of the plugin. */
const plugin = join(projectRoot, 'apps/mcp/plugin/dist/tempera.mjs');
const CAPTURE = 'mutation ($input: CaptureInput!) { capture(input: $input) { status memory { id } } }';

describe('hooks of Claude Code against the real service', () => {
  let folder: string;
  let api: TestApi;
  let proxy: FaultProxy;
  let ana: Desk;
  let graphql: GraphQLClient;
  let project = '';

  const start = (desk: Desk, name: string, typed: string, env: Record<string, string> = {}): ChildProcess => {
    const child = spawn(process.execPath, [plugin, 'hook', name], {
      cwd: desk.cwd,
      env: { ...desk.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(typed);
    return child;
  };
  const hook = async (name: string, input: object, desk = ana): Promise<{ code: unknown; out: string }> => {
    const child = start(desk, name, JSON.stringify({ cwd: desk.cwd, ...input }));
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    const [code] = (await once(child, 'close')) as [unknown];
    return { code, out: Buffer.concat(chunks).toString('utf8') };
  };
  const send = (): ChildProcess => start(ana, 'send', '', { TEMPERA_INNER: 'sender' });
  const injected = ({ out }: { out: string }): string => {
    const told = JSON.parse(out) as { hookSpecificOutput: { additionalContext: string } };
    return told.hookSpecificOutput.additionalContext;
  };
  /** Ends turns while a pause is due, so that nobody is woken for them. */
  const spoolAlone = async (session: string, words: readonly string[]): Promise<void> => {
    const spool = join(ana.env['TEMPERA_HOME'] ?? '', 'spool');
    await mkdir(spool, { recursive: true });
    const pause = { failures: 1, notBefore: '2100-01-01T00:00:00Z', code: 'x', message: 'x' };
    const logins = (await readdir(join(ana.env['TEMPERA_HOME'] ?? '', 'logins'))).filter((one) =>
      one.endsWith('.json'),
    );
    const states = Object.fromEntries(logins.map((name) => [name.replace(/\.json$/, ''), pause]));
    await writeFile(join(spool, 'sender.json'), JSON.stringify({ logins: states }));
    for (const word of words)
      await hook('stop', { session_id: session, prompt_id: word, last_assistant_message: `did ${word}` });
  };
  const turnsOf = (session: string): Promise<string[]> =>
    asSuperuser(api.database.adminUrl, async (client) => {
      const sql = 'select prompt_key from turn where session_key = $1 order by at, prompt_key';
      const { rows } = await client.query<{ prompt_key: string }>(sql, [session]);
      return rows.map(({ prompt_key }) => prompt_key);
    });
  const waiting = async (): Promise<number> =>
    (JSON.parse(await runCli(['spool', 'list', '--json'], ana, {})) as { waiting: number }).waiting;
  const flush = (): Promise<string> => runCli(['spool', 'flush'], ana, {});
  const changeLogin = async (change: object): Promise<void> => {
    const logins = join(ana.env['TEMPERA_HOME'] ?? '', 'logins');
    for (const name of (await readdir(logins)).filter((one) => one.endsWith('.json'))) {
      const login = JSON.parse(await readFile(join(logins, name), 'utf8')) as object;
      await writeFile(join(logins, name), JSON.stringify({ ...login, ...change }));
    }
  };
  const pointAt = (server: string): Promise<void> => changeLogin({ server });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tempera-hooks-'));
    api = await startTestApi();
    proxy = await startFaultProxy(api.url);
    const owner = await createTenant(await api.operator(), 'Acme');
    await owner.send('mutation { createProject(input: { slug: "web-shop", name: "Web shop" }) { id } }');
    graphql = await invite(owner, { displayName: 'Ana', project: 'web-shop', projectRole: 'MAINTAINER' });
    const { createLoginCode } = await graphql.send<{ createLoginCode: { code: string } }>(
      'mutation { createLoginCode { code } }',
    );
    ana = await makeDesk(folder, 'ana');
    await runCli(['login', '--server', proxy.url], ana, { input: `${createLoginCode.code}\n` });
    project = 'web-shop';
    await runCli(['init', '--project', project, '--yes'], ana, {});
  }, 120_000);

  afterAll(async () => {
    await proxy?.close();
    await api?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('a session and a prompt are told what is known in a bound folder, and nothing in any other', async () => {
    const text = 'Deploys of the web shop are frozen on Fridays because the payment provider settles then.';
    await graphql.send(CAPTURE, { input: { text, kind: 'DECISION', project, pinned: true, idempotencyKey: 'k1' } });
    const begun = await hook('session-start', { session_id: 's1', source: 'startup' });
    expect(begun.code).toBe(0);
    expect(injected(begun)).toMatch(
      /^\[tempera memory\] .*\n<untrusted-memory-[0-9a-f]{16} id="index">\n\| Project: Web shop\n\| Pinned\n/,
    );
    expect(injected(begun)).toContain('Deploys of the web shop are frozen on Fridays');
    const asked = { session_id: 's2', prompt_id: 'p1', prompt: 'Are deploys of the web shop frozen on Fridays?' };
    expect(injected(await hook('user-prompt-submit', asked))).toContain('frozen on Fridays');
    expect(await hook('user-prompt-submit', asked)).toEqual({ code: 0, out: '' });
    const elsewhere = { cwd: folder, session_id: 's3', source: 'startup' };
    expect(await hook('session-start', elsewhere)).toEqual({ code: 0, out: '' });
  });

  it('J4: needs no server of ours on the machine, and no state: a cold start says nothing and ends with 0', async () => {
    const cold = await makeDesk(folder, 'cold');
    for (const name of ['session-start', 'user-prompt-submit', 'stop', 'session-end', 'pre-compact'])
      expect(await hook(name, { session_id: 's1', prompt: 'x', last_assistant_message: 'x' }, cold)).toEqual({
        code: 0,
        out: '',
      });
  });

  it('five ends of turns at once are five turns, delivered by a sender of their own without a word', async () => {
    const ended = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((word) =>
        hook('stop', { session_id: 'five', prompt_id: word, last_assistant_message: word }),
      ),
    );
    expect(ended).toEqual(ended.map(() => ({ code: 0, out: '' })));
    await untilTrue('all are delivered', async () => (await turnsOf('five')).length === 5);
  });

  it('J1: with the service black-holed, dead or talking nonsense each hook ends with 0 and says nothing; turns come later, once', async () => {
    const nonsense = createServer((_, response) => response.end('<html>busy</html>'));
    await new Promise<void>((resolve) => nonsense.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(nonsense.address() as AddressInfo).port}`;
    const bad: (() => Promise<void> | void)[] = [
      () => proxy.inflict({ kind: 'silence' }),
      () => proxy.inflict({ kind: 'reset' }),
      () => pointAt(address),
    ];
    for (const [at, worsen] of bad.entries()) {
      await worsen();
      await rm(join(ana.env['TEMPERA_HOME'] ?? '', 'quiet'), { force: true });
      const session = { session_id: `bad${at}`, prompt_id: 'p', prompt: 'Are deploys frozen?', source: 'resume' };
      expect(await hook('session-start', session)).toEqual({ code: 0, out: '' });
      expect(await hook('user-prompt-submit', session)).toEqual({ code: 0, out: '' });
      await spoolAlone(`bad${at}`, ['p']);
      await hook('session-end', session);
    }
    expect(await waiting()).toBe(3);
    await pointAt(proxy.url.replace(/\/$/, ''));
    proxy.heal();
    nonsense.close();
    await flush();
    await flush();
    for (const at of bad.keys()) expect(await turnsOf(`bad${at}`)).toEqual(['p']);
    expect(await waiting()).toBe(0);
  });

  it('what a sender had delivered when it was killed, or when the answer was lost, is there once; two senders are one', async () => {
    await spoolAlone('killed', ['a', 'b', 'c']);
    proxy.inflict({ kind: 'silence' });
    const stuck = send();
    await rm(join(ana.env['TEMPERA_HOME'] ?? '', 'spool', 'sender.json'));
    const again = send();
    await untilTrue('a sender waits for its answer', () => Promise.resolve(proxy.hits() > 0));
    for (const child of [stuck, again]) {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    }
    expect(await waiting()).toBe(3);
    proxy.heal();
    proxy.inflict({ kind: 'cut-after', bytes: 'keepTurns' });
    await flush();
    expect(await waiting()).toBe(3);
    proxy.heal();
    await rm(join(ana.env['TEMPERA_HOME'] ?? '', 'spool', 'sender.json'));
    await Promise.all([send(), send()].map((child) => once(child, 'close')));
    expect(await turnsOf('killed')).toEqual(['a', 'b', 'c']);
    expect(await waiting()).toBe(0);
  });

  it('J5: one text captured by GraphQL, by the command line and by way of the spool is one memory', async () => {
    const text = 'The staging database is restored from the last backup each Monday at six.';
    const { capture } = await graphql.send<{ capture: { memory: { id: string } } }>(CAPTURE, {
      input: { text, kind: 'BACKGROUND', project, idempotencyKey: 'k5' },
    });
    const words = ['capture', '--text', text, '--kind', 'background', '--json'];
    expect(JSON.parse(await runCli(words, ana, {}))).toMatchObject({ status: 'repeated', id: capture.memory.id });
    proxy.inflict({ kind: 'reset' });
    expect(JSON.parse(await runCli(words, ana, {}))).toMatchObject({ status: 'queued' });
    proxy.heal();
    await flush();
    const { count } = await asSuperuser(api.database.adminUrl, async (client) => {
      const sql = 'select count(*)::int as count from memory where text = $1';
      const { rows } = await client.query<{ count: number }>(sql, [text]);
      return rows[0] ?? { count: -1 };
    });
    expect(count).toBe(1);
  });

  it('a login that was revoked is said once, in one line for the person, and turns wait for the next', async () => {
    await graphql.send('mutation { logout(everywhere: true) { sessionsEnded } }');
    // The short-lived token may outlive its session by minutes; another one is what is refused.
    await changeLogin({ access: null });
    const began = { session_id: 'ended', source: 'startup' };
    const told = await hook('session-start', began);
    expect(JSON.parse(told.out)).toEqual({
      systemMessage: expect.stringMatching(/^Tempera: The login to \S+ has ended\./),
    });
    expect(await hook('session-start', began)).toEqual({ code: 0, out: '' });
    await hook('stop', { session_id: 'ended', prompt_id: 'p', last_assistant_message: 'x' });
    expect(await waiting()).toBe(1);
  });
});
