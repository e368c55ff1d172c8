import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toolCatalogue } from '@tempera/client-kit';
import { runProgram } from '../../apps/mcp/src/program.js';
import { stubCaptured, stubMemory, stubRetrieval } from '../../apps/mcp/src/testing/stub-answers.js';
import { refusal, startStubService, type StubService } from '../../apps/mcp/src/testing/stub-service.js';
import { RawServer } from '../support/raw-mcp-server.js';
import { makeStubWorld } from '../../apps/mcp/src/testing/stub-world.js';

const CLI = fileURLToPath(new URL('../../apps/mcp/dist/cli.js', import.meta.url));
const ERAS = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
] as const;

let service: StubService;
let folder: string;
let cleanUp: (() => Promise<unknown> | void)[];

const environment = (over: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  TEMPERA_HOME: join(folder, 'state'),
  ...over,
});

/** Runs the command line to its end. */
const tempera = (words: readonly string[], typed = ''): Promise<{ exitCode: number; out: string; err: string }> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [CLI, ...words], { cwd: folder, env: environment() }, (error, out, err) =>
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, out, err }),
    );
    child.stdin?.end(typed);
  });
/** Runs it in this process, where a start of its own is not what matters: starts cost more than all the rest. */
const temperaHere = async (words: readonly string[], typed = ''): Promise<void> => {
  const { world, remove } = await makeStubWorld({ environment: environment(), cwd: folder }, typed);
  try {
    expect(await runProgram(words, world, { on: () => undefined })).toBe(0);
  } finally {
    await remove();
  }
};
const logIn = (): Promise<void> => temperaHere(['login', '--server', service.url], 'good-code');
const bindFolder = (): Promise<void> => temperaHere(['init', '--project', 'web-shop', '--yes']);

type Mode = (typeof ERAS)[number][1];
const connect = async (mode: Mode, over: Record<string, string> = {}): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'serve'],
    cwd: folder,
    env: environment(over),
  });
  cleanUp.push(() => client.close());
  await client.connect(transport);
  return client;
};

type Called = { text: string; isError: boolean; structured: Record<string, unknown> };
const call = async (client: Client, name: string, args: Record<string, unknown>): Promise<Called> => {
  const result = await client.callTool({ name, arguments: args });
  const first = result.content[0];
  return {
    text: first?.type === 'text' ? first.text : '',
    isError: result.isError === true,
    structured: (result.structuredContent ?? {}) as Record<string, unknown>,
  };
};

beforeEach(async () => {
  cleanUp = [];
  service = await startStubService();
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tempera-protocol-')));
  service.state.answers['retrieve'] = () => stubRetrieval([stubMemory()]);
  service.state.answers['capture'] = () => stubCaptured();
});
afterEach(async () => {
  for (const undo of cleanUp) await undo();
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

describe.each(ERAS)('a client of the %s era', (version, mode) => {
  it('is served, told what the server is for, and shown its tools with 6 KB of schemas', async () => {
    await logIn();
    const client = await connect(mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getInstructions()).toContain("team's shared memory");
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(toolCatalogue.map(({ name }) => name));
    const schemas = tools.map(({ inputSchema }) => JSON.stringify(inputSchema)).join('');
    expect(Buffer.byteLength(schemas)).toBeLessThanOrEqual(6 * 1024);
    expect(tools[0]?.annotations).toMatchObject({ readOnlyHint: true });
    expect(tools[1]?.annotations).toMatchObject({ destructiveHint: false });
    expect(tools.every((tool) => tool.outputSchema === undefined)).toBe(true);
  });

  it('captures and recalls, with the session of Claude Code and the project of the folder', async () => {
    await logIn();
    await bindFolder();
    const client = await connect(mode, { CLAUDE_CODE_SESSION_ID: 'session-of-claude' });
    const captured = await call(client, 'tempera_capture', { summary: 'Learned.' });
    expect(captured).toMatchObject({ isError: false, structured: { id: stubMemory()['id'], status: 'created' } });
    expect(service.state.asked.at(-1)?.args['input']).toMatchObject({
      project: 'web-shop',
      sessionKey: 'session-of-claude',
      source: 'MCP',
      idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const recalled = await call(client, 'tempera_retrieve', { query: 'pool' });
    expect(recalled.text).toContain('| Raised the pool to 20');
    expect(recalled.structured['searchedScopes']).toEqual(['private', 'project web-shop', 'tenant']);
  });

  it('gives every answer a boundary of its own', async () => {
    await logIn();
    const client = await connect(mode);
    const boundaries = new Set<string>();
    for (let round = 0; round < 5; round += 1) {
      const { text } = await call(client, 'tempera_retrieve', { query: 'pool' });
      boundaries.add(/<untrusted-memory-([0-9a-f]{16}) /.exec(text)?.[1] ?? 'none');
    }
    expect(boundaries.size).toBe(5);
    expect(boundaries.has('none')).toBe(false);
  });

  it('B10: is told of wrong arguments as a tool error that names them, and of an unknown tool as the protocol says', async () => {
    await logIn();
    const client = await connect(mode);
    const wrong = await call(client, 'tempera_capture', { summary: 7 });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('summary is text') });
    const kind = await call(client, 'tempera_capture', { summary: 'x', kind: 'error' });
    expect(kind.text).toContain('kind is one of: episode, preference, background');
    expect(service.state.asked).toEqual([]);
    await expect(client.callTool({ name: 'tempera_nonsense', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });

  it('C7: is refused a project it does not see, as one that does not exist', async () => {
    await logIn();
    service.state.answers['retrieve'] = () => {
      throw refusal('NOT_FOUND', 'No such project.', 'no-such-project');
    };
    const client = await connect(mode);
    const refused = await call(client, 'tempera_retrieve', { query: 'x', project: 'someone-elses' });
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^No such project\. Check the id or the project slug/),
    });
  });

  it('is told to log in, and needs no restart once that is done', async () => {
    const client = await connect(mode);
    const before = await call(client, 'tempera_retrieve', { query: 'pool' });
    // The line that runs here: the name alone leads nowhere in a checkout.
    expect(before).toMatchObject({ isError: true, text: expect.stringMatching(/`node \S+ login`/) });
    await logIn();
    expect(await call(client, 'tempera_retrieve', { query: 'pool' })).toMatchObject({ isError: false });
    await bindFolder();
    await call(client, 'tempera_retrieve', { query: 'pool' });
    expect(service.state.asked.at(-1)?.args['input']).toMatchObject({ project: 'web-shop' });
  });

  it('J6: goes on after the access token has ended', async () => {
    await logIn();
    const client = await connect(mode);
    await call(client, 'tempera_retrieve', { query: 'pool' });
    service.state.accessTokens.clear();
    expect(await call(client, 'tempera_retrieve', { query: 'pool' })).toMatchObject({ isError: false });
    expect(service.state.refreshed).toHaveLength(1);
  });

  it('is told when the service is away, and served again when it is back', async () => {
    await logIn();
    const client = await connect(mode);
    service.state.before = () => Promise.reject(new Error('away'));
    expect(await call(client, 'tempera_status', {})).toMatchObject({
      isError: true,
      text: expect.stringContaining('answered 500'),
    });
    service.state.before = () => Promise.resolve();
    expect(await call(client, 'tempera_retrieve', { query: 'pool' })).toMatchObject({ isError: false });
  });
});

/** A server under our own hands, message by message. */
const rawServer = (over: Record<string, string> = {}): RawServer => {
  const server = new RawServer(folder, environment(over));
  cleanUp.push(() => void server.child.kill('SIGKILL'));
  return server;
};

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
};

describe('the server process', () => {
  it('answers server/discover and then initialize on one process, as Claude Code asks', async () => {
    const server = rawServer();
    const discovered = await server.ask({ id: 1, method: 'server/discover', params: { _meta: ENVELOPE } });
    expect(discovered).toMatchObject({ id: 1, result: { supportedVersions: expect.arrayContaining(['2026-07-28']) } });
    await server.initialize();
    expect(await server.ask({ id: 2, method: 'tools/list', params: {} })).toMatchObject({
      result: { tools: { length: toolCatalogue.length } },
    });
  });

  it('writes nothing but the protocol on standard output, whatever comes in', async () => {
    const server = rawServer({ NODE_OPTIONS: '--trace-deprecation' });
    await server.initialize();
    server.child.stdin.write('this is no JSON\n');
    server.send({ id: 3, method: 'tools/call', params: { name: 'tempera_status', arguments: { project: 5 } } });
    await server.ask({ id: 4, method: 'ping' });
    for (const line of server.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  it.each(['the end of standard input', 'SIGHUP', 'SIGINT', 'SIGTERM'])('leaves by itself at %s', async (ending) => {
    const server = rawServer();
    await server.initialize();
    const left = once(server.child, 'exit');
    if (ending.startsWith('SIG')) server.child.kill(ending as NodeJS.Signals);
    else server.child.stdin.end();
    expect(await left).toEqual([0, null]);
  });

  it('answers everything it was asked, also when the client closed its end at once', async () => {
    await logIn();
    let release: () => void = () => undefined;
    const mayGoOn = new Promise<void>((resolve) => (release = resolve));
    service.state.before = () => mayGoOn;
    const server = rawServer();
    const closed = once(server.child, 'close');
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    server.send({ id: 1, method: 'initialize', params });
    server.send({ method: 'notifications/initialized' });
    server.send({ id: 2, method: 'tools/list', params: {} });
    for (const id of [3, 4]) {
      const question = { name: 'tempera_retrieve', arguments: { query: 'pool' } };
      server.send({ id, method: 'tools/call', params: question });
    }
    server.child.stdin.end();
    // The calls are held until everything before them was answered: by then the end of standard input has long been read.
    while (server.lines.length < 2) await once(server.child.stdout, 'data');
    release();
    expect(await closed).toEqual([0, null]);
    const answers = server.lines.map((line) => JSON.parse(line) as { id: number; result?: { content?: unknown } });
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4]);
    for (const { id, result } of answers.filter((answer) => answer.id > 2))
      expect([id, JSON.stringify(result)]).toEqual([id, expect.stringContaining('Raised the pool')]);
  });

  it('lets a capture that is on its way arrive before it leaves', async () => {
    service.state.accessLifeMs = 1_000;
    await logIn();
    service.state.accessLifeMs = 600_000;
    let arrived: () => void = () => undefined;
    let release: () => void = () => undefined;
    const isThere = new Promise<void>((resolve) => (arrived = resolve));
    const mayGoOn = new Promise<void>((resolve) => (release = resolve));
    const server = rawServer();
    await server.initialize();
    service.state.before = () => {
      arrived();
      return mayGoOn;
    };
    const args = { summary: 'last words' };
    server.send({ id: 5, method: 'tools/call', params: { name: 'tempera_capture', arguments: args } });
    // What the server waits for now is a fresh token; the capture itself is still to be sent.
    await isThere;
    const left = once(server.child, 'exit');
    server.child.stdin.end();
    setImmediate(release);
    await left;
    expect(service.state.asked.map(({ field }) => field)).toEqual(['capture']);
  });

  it('puts no token on its command line, in its output or in its errors', async () => {
    await logIn();
    const server = rawServer();
    await server.initialize();
    service.state.before = () => Promise.reject(new Error('away'));
    await server.ask({ id: 6, method: 'tools/call', params: { name: 'tempera_status', arguments: {} } });
    const all = [server.child.spawnargs.join(' '), server.stderr, ...server.lines].join('\n');
    expect(all).not.toMatch(/refresh-\d|access-\d|good-code/);
  });
});

describe('processes of one login', () => {
  it('I2: ten at once on one folder of state, with an ended token, refresh it once and all succeed', async () => {
    service.state.accessLifeMs = 1_000;
    await logIn();
    service.state.accessLifeMs = 600_000;
    const ran = await Promise.all(Array.from({ length: 10 }, () => tempera(['whoami', '--json'])));
    expect(ran.map(({ exitCode }) => exitCode)).toEqual(Array.from({ length: 10 }, () => 0));
    expect(service.state.refreshed).toEqual(['refresh-1']);
    const left = await readdir(join(folder, 'state', 'logins'));
    expect(left.filter((name) => name.endsWith('.lock') || name.endsWith('.tmp'))).toEqual([]);
  });

  it('a silent address is given up with exit code 6', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const address = closed.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await new Promise((resolve) => closed.close(resolve));
    expect(await tempera(['login', '--server', `http://127.0.0.1:${port}`], 'x')).toMatchObject({ exitCode: 6 });
  });
});
