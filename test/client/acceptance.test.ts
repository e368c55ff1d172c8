import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import { type Desk, makeDesk, runCli } from '../support/developer.js';
import { type Fault, type FaultProxy, startFaultProxy } from '../support/fault-proxy.js';
import { createTenant, type GraphQLClient, invitationCode } from '../support/graphql-client.js';
import { type Instance, startInstance } from '../support/instance.js';
import { freePort, projectRoot } from '../support/programs.js';
import { claudeProgram, clientDesk, CLAUDE_VERSION, type Ended, runToEnd } from './support/claude-code.js';
import { type ModelStub, startModelStub, type Turn } from './support/model-stub.js';

const LOG = join(projectRoot, 'dist/test-reports/client.log');
const PLUGIN = join(projectRoot, 'apps/mcp/plugin');
const TOOL = 'mcp__plugin_tempera_mem__tempera_';
const LESSON = 'The checkout pool ran dry because clients were never closed; closing them in finally fixed it.';
const TITLE = 'Checkout pool runs dry';
const OTHER = 'Invoices are rendered to PDF by a queue worker with a bundled font, since the image has no fonts.';
const OTHER_TITLE = 'Invoices are rendered by a worker';
const OTHER_PROMPT = 'How are invoices rendered to PDF?';
const PROMPT = 'Why does the checkout pool run dry under load?';
const ALLOWED = ['retrieve', 'capture', 'feedback', 'status', 'manage'].flatMap((name) => [
  `${TOOL}${name}`,
  `mcp__tempera__tempera_${name}`,
]);
/** What our two hooks may cost before an answer (1.5 s and 0.8 s), the third after it, and starts of Node on a busy machine. */
const ADDED_LIMIT_MS = 8_000;

let folder: string;
let claude: string;
let model: ModelStub;
let way: FaultProxy;
let instance: Instance;
let owner: GraphQLClient;
let anna: Desk;
let ben: Desk;
const lines: string[] = [];

const say = (line: string): void => {
  lines.push(line);
  process.stdout.write(`${line}\n`);
};

const developer = async (name: string): Promise<Desk> => {
  const code = await invitationCode(owner, { displayName: name, project: 'web-shop', projectRole: 'CONTRIBUTOR' });
  const desk = clientDesk(await makeDesk(folder, name), model.url);
  execFileSync('git', ['init', '--quiet'], { cwd: desk.cwd });
  await runCli(['login', '--server', instance.url], desk, { input: `${code}\n` });
  await runCli(['init', '--project', 'web-shop', '--yes'], desk, {});
  return desk;
};

const inClaude = (desk: Desk, args: readonly string[]): Promise<Ended> => runToEnd(claude, args, desk);

/** One turn of the real client; what it printed is the answer of the model. */
const ask = async (desk: Desk, prompt: string, turn: Turn, more: readonly string[] = []): Promise<Ended> => {
  model.forget();
  model.turn = turn;
  const args = ['-p', prompt, '--output-format', 'text', '--allowedTools', ALLOWED.join(','), ...more];
  const ended = await inClaude(desk, args);
  say(
    `  claude -p ${JSON.stringify(prompt)}: exit ${ended.code}, ${(ended.ms / 1000).toFixed(1)} s, ${JSON.stringify(ended.out.trim())}`,
  );
  return ended;
};
const WITHIN = { timeout: 30_000, interval: 500 };
const idIn = (text: string): string =>
  /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/.exec(text)?.[0] ?? text.slice(0, 40);
const plain = (answer: string): Turn => ({ calls: [], answer });

const rows = async (sql: string): Promise<Record<string, unknown>[]> =>
  asSuperuser(
    instance.database.adminUrl,
    async (client) => (await client.query(sql)).rows as Record<string, unknown>[],
  );

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tempera-client-')));
  [claude, model] = await Promise.all([claudeProgram(), startModelStub()]);
  const port = await freePort();
  way = await startFaultProxy(`http://127.0.0.1:${port}/`);
  const address = way.url.replace(/\/$/, '');
  instance = { ...(await startInstance({ worker: false, port, env: { PUBLIC_URL: address } })), url: address };
  owner = await createTenant(instance.operator, 'Acceptance');
  await owner.send('mutation { createProject(input: { slug: "web-shop", name: "Web shop" }) { id } }');
  [anna, ben] = [await developer('Anna'), await developer('Ben')];
  say(`Claude Code ${CLAUDE_VERSION} against ${address}, a model of ours at ${model.url}`);
}, 600_000);

afterAll(async () => {
  await mkdir(join(LOG, '..'), { recursive: true });
  await writeFile(LOG, `${lines.join('\n')}\n`);
  process.stdout.write(`the log: ${LOG}\n`);
  await model.close();
  await instance.close();
  await way.close();
  // A sender of the last turn may still write there.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
});

describe('the real client', () => {
  it('takes the plugin as it is built, without a warning', async () => {
    const strict = await inClaude(anna, ['plugin', 'validate', PLUGIN, '--strict']);
    say(`plugin validate --strict: exit ${strict.code}`);
    expect([strict.code, strict.out + strict.err]).toEqual([0, expect.anything()]);
    for (const desk of [anna, ben]) {
      for (const args of [
        ['plugin', 'marketplace', 'add', PLUGIN],
        ['plugin', 'install', 'tempera@tempera-team'],
      ]) {
        const { code, out, err } = await inClaude(desk, args);
        say(`${args.slice(0, 3).join(' ')}: exit ${code}`);
        expect([code, out + err]).toEqual([0, expect.anything()]);
      }
    }
  });

  it('has the model capture, recall and vote, and the turn is kept', async () => {
    const ended = await ask(anna, PROMPT, {
      calls: [
        () => ({ name: `${TOOL}capture`, input: { summary: LESSON, title: TITLE } }),
        () => ({ name: `${TOOL}capture`, input: { summary: OTHER, title: OTHER_TITLE } }),
        () => ({ name: `${TOOL}retrieve`, input: { query: PROMPT } }),
        ([first = '']) => ({ name: `${TOOL}feedback`, input: { episode_ids: [idIn(first)], helpful: true } }),
      ],
      answer: 'Close the clients in finally.',
    });
    expect(ended).toMatchObject({ code: 0, out: 'Close the clients in finally.\n' });
    expect(model.offered()).toEqual(expect.arrayContaining([`${TOOL}capture`, `${TOOL}retrieve`, `${TOOL}feedback`]));
    const kept = await rows(
      'select m.title, (select count(*)::int from vote v where v.memory_id = m.id) votes from memory m order by m.title',
    );
    say(`  kept: ${JSON.stringify(kept)}`);
    expect(kept).toEqual([
      { title: TITLE, votes: 1 },
      { title: OTHER_TITLE, votes: 0 },
    ]);
    const turns = (): Promise<unknown> => rows('select prompt, client from turn');
    await expect.poll(turns, WITHIN).toEqual([{ prompt: PROMPT, client: 'claude-code' }]);
    say('  the turn arrived at the service');
  });

  it('tells a colleague what the team knows: at the start what is pinned, at a prompt what is near and helped', async () => {
    const [pinned, other] = await rows('select id from memory order by title');
    await owner.send('mutation ($id: ID!) { setPinned(id: $id, pinned: true) { id } }', { id: pinned?.['id'] });
    const voted = await ask(ben, PROMPT, {
      calls: [
        () => ({ name: `${TOOL}retrieve`, input: { query: OTHER_PROMPT } }),
        () => ({ name: `${TOOL}feedback`, input: { episode_ids: [other?.['id']], helpful: true } }),
      ],
      answer: 'As Anna found.',
    });
    expect(voted).toMatchObject({ code: 0, out: 'As Anna found.\n' });
    expect(model.heard()).toContain('SessionStart hook additional context');
    expect(model.heard()).toContain(TITLE);
    say(`  told at the start: ${TITLE}`);
    expect(await ask(ben, OTHER_PROMPT, plain('By a worker.'))).toMatchObject({ code: 0, out: 'By a worker.\n' });
    const atPrompt = model.heard().split('UserPromptSubmit hook additional context')[1] ?? '';
    expect(atPrompt.slice(0, 2_000)).toContain(OTHER_TITLE);
    say(`  told at the prompt: ${OTHER_TITLE}`);
  });

  it('speaks to the service over HTTP with the headers of our helper, and to no other address', async () => {
    const desk = ben;
    const helper = `${process.execPath} ${join(projectRoot, 'apps/mcp/dist/cli.js')} headers`;
    const configOf = (url: string): string =>
      JSON.stringify({ mcpServers: { tempera: { type: 'http', url, headersHelper: helper } } });
    const turn: Turn = {
      calls: [() => ({ name: 'mcp__tempera__tempera_retrieve', input: { query: PROMPT } })],
      answer: 'Found over HTTP.',
    };
    const ended = await ask(desk, PROMPT, turn, [
      '--mcp-config',
      configOf(`${instance.url}/mcp`),
      '--strict-mcp-config',
    ]);
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('Found over HTTP.') as string });
    expect(model.offered().filter((name) => name.startsWith('mcp__tempera__'))).toHaveLength(8);
    expect(model.heard()).toContain(LESSON.slice(0, 40));
    const stolen: string[] = [];
    const thief = createServer((request, response) => {
      stolen.push(JSON.stringify(request.headers));
      response.writeHead(401).end();
    });
    await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(thief.address() as { port: number }).port}/mcp`;
    const robbed = await ask(desk, PROMPT, plain('Robbed?'), [
      '--mcp-config',
      configOf(address),
      '--strict-mcp-config',
    ]);
    thief.close();
    thief.closeAllConnections();
    expect(robbed.code).toBe(0);
    say(
      `  a foreign address was sent ${stolen.filter((headers) => /bearer/i.test(headers)).length} tokens in ${stolen.length} requests`,
    );
    expect(stolen.join('\n')).not.toMatch(/bearer/i);
  });

  const faults: readonly (readonly [string, Fault])[] = [
    ['dead', { kind: 'reset' }],
    ['black-holed', { kind: 'silence' }],
    ['slow', { kind: 'latency', ms: 3_000, jitterMs: 500 }],
    ['answering garbage', { kind: 'garbage' }],
  ];
  it('is unharmed by a service that is dead, black-holed, slow or answers garbage', async () => {
    const bare = clientDesk(await makeDesk(folder, 'bare'), model.url);
    const without = await ask(bare, 'Say hello.', plain('Hello.'));
    for (const [name, fault] of faults) {
      way.inflict(fault);
      const ended = await ask(ben, 'Say hello.', plain('Hello.'));
      const added = ended.ms - without.ms;
      say(
        `  with the service ${name}: ${(added / 1000).toFixed(1)} s more than without the plugin, ${way.hits()} faults met`,
      );
      way.heal();
      expect([name, ended.code, ended.out.trim(), ended.err.trim()]).toEqual([name, 0, without.out.trim(), '']);
      expect(added).toBeLessThan(ADDED_LIMIT_MS);
      expect(way.hits()).toBeGreaterThan(0);
    }
    await expect
      .poll(
        async () => {
          await ask(ben, 'And now?', plain('Well again.'));
          return (await rows(`select count(*)::int n from turn where prompt = 'Say hello.'`))[0]?.['n'];
        },
        { timeout: 90_000, interval: 3_000 },
      )
      .toBe(faults.length);
    say('  every turn of the bad hours arrived afterwards, once');
  });
});
