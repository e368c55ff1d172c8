import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Desk, makeDesk, runCli } from '../support/developer.js';
import { startFaultProxy } from '../support/fault-proxy.js';
import { createTenant } from '../support/graphql-client.js';
import { startInstance } from '../support/instance.js';
import { projectRoot } from '../support/programs.js';
import { table } from './load/load-table.js';

const HELP = `npm run bench:hooks -- [--rounds 20] [--memories 1000] [--json]

How long Claude Code waits for each hook, from the start of its process to its end, beside \`node -e 0\` in the same rounds.`;

const plugin = join(projectRoot, 'apps/mcp/plugin/dist/tempera.mjs');
const CAPTURE = 'mutation ($input: CaptureInput!) { capture(input: $input) { memory { id } } }';

interface Figures {
  readonly what: string;
  readonly p50: number;
  readonly p95: number;
  readonly ofNode: string;
}

const timed = async (args: readonly string[], desk: Desk, input: object): Promise<number> => {
  const begin = performance.now();
  const child = spawn(process.execPath, [...args], { ...desk, stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(JSON.stringify({ cwd: desk.cwd, ...input }));
  await once(child, 'close');
  return performance.now() - begin;
};

const at = (times: readonly number[], share: number): number =>
  Math.round([...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0);

const figuresOf = (times: ReadonlyMap<string, readonly number[]>): Figures[] => {
  const node = at(times.get('node -e 0') ?? [], 0.5);
  return [...times].map(([what, all]) => {
    const p50 = at(all, 0.5);
    return { what, p50, p95: at(all, 0.95), ofNode: (p50 / Math.max(1, node)).toFixed(1) };
  });
};

/** One round: everything once, so that what else the machine does meets all alike. */
const round = async (number: number, up: Desk, away: Desk, note: (what: string, ms: number) => void): Promise<void> => {
  const turn = { session_id: `s${number}`, prompt_id: 'p', source: 'startup', prompt: 'How is staging restored?' };
  const ended = { ...turn, last_assistant_message: 'It is restored each Monday. '.repeat(200) };
  note('node -e 0', await timed(['-e', '0'], up, {}));
  note('session-start', await timed([plugin, 'hook', 'session-start'], up, turn));
  note('user-prompt-submit', await timed([plugin, 'hook', 'user-prompt-submit'], up, turn));
  note('stop', await timed([plugin, 'hook', 'stop'], up, ended));
  note('session-start, black-holed', await timed([plugin, 'hook', 'session-start'], away, turn));
  await rm(join(away.env['TEMPERA_HOME'] ?? '', 'quiet'), { force: true });
  note('user-prompt-submit, black-holed', await timed([plugin, 'hook', 'user-prompt-submit'], away, turn));
  note('stop, black-holed', await timed([plugin, 'hook', 'stop'], away, ended));
};

const bench = async (rounds: number, memories: number): Promise<Figures[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'tempera-bench-hooks-'));
  const api = await startInstance({ worker: false });
  const proxy = await startFaultProxy(api.url);
  try {
    const owner = await createTenant(api.operator, 'Bench');
    await owner.send('mutation { createProject(input: { slug: "web-shop", name: "Web shop" }) { id } }');
    for (let index = 0; index < memories; index += 1) {
      const text = `Note ${index}: staging number ${index} is restored from backup ${index * 7} each Monday.`;
      await owner.send(CAPTURE, { input: { text, project: 'web-shop', merge: 'NEVER', idempotencyKey: `k${index}` } });
    }
    const desks: Desk[] = [];
    for (const [name, server] of [
      ['up', api.url],
      ['away', proxy.url],
    ] as const) {
      const { createLoginCode } = await owner.send<{ createLoginCode: { code: string } }>(
        'mutation { createLoginCode { code } }',
      );
      const desk = await makeDesk(folder, name);
      await runCli(['login', '--server', server], desk, { input: `${createLoginCode.code}\n` });
      await runCli(['init', '--project', 'web-shop', '--yes'], desk, {});
      desks.push(desk);
    }
    const [up, away] = desks;
    if (up === undefined || away === undefined) throw new Error('No desks.');
    proxy.inflict({ kind: 'silence' });
    const times = new Map<string, number[]>();
    for (let number = 0; number < rounds; number += 1)
      await round(number, up, away, (what, ms) => times.set(what, [...(times.get(what) ?? []), ms]));
    return figuresOf(times);
  } finally {
    await proxy.close();
    await api.close();
    await rm(folder, { recursive: true, force: true });
  }
};

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    memories: { type: 'string', default: '1000' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const print = (text: string): void => void process.stdout.write(`${text}\n`);
if (values.help) print(HELP);
else {
  const figures = await bench(Number(values.rounds), Number(values.memories));
  if (values.json) print(JSON.stringify(figures, null, 2));
  else
    print(
      table(
        ['process', 'p50 ms', 'p95 ms', '× node'],
        figures.map(({ what, p50, p95, ofNode }) => [what, p50, p95, ofNode]),
      ),
    );
}
