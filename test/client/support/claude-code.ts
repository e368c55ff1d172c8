import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Desk } from '../../support/developer.js';

/** The version that the facts of docs/claude-code.md were seen with; raise it and run again. */
export const CLAUDE_VERSION = '2.1.332';
const RUN_LIMIT_MS = 120_000;

/** How a program ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
}

/** Runs a program to its end, with exactly this environment. */
export const runToEnd = (
  command: string,
  args: readonly string[],
  { cwd, env, limitMs = RUN_LIMIT_MS }: Desk & { readonly limitMs?: number },
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: limitMs });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({
        code,
        out: Buffer.concat(out).toString(),
        err: Buffer.concat(err).toString(),
        ms: performance.now() - began,
      }),
    );
  });

/** The client's program; fetched once (384 MB) into a folder outside of the checkout. */
export const claudeProgram = async (): Promise<string> => {
  const folder =
    process.env['TEMPERA_CLIENT_FOLDER'] || join(homedir(), '.cache/tempera', `claude-code-${CLAUDE_VERSION}`);
  const program = join(
    folder,
    'node_modules/@anthropic-ai',
    `claude-code-${process.platform}-${process.arch}`,
    'claude',
  );
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  process.stdout.write(`fetching Claude Code ${CLAUDE_VERSION} into ${folder}, once\n`);
  const args = [
    'install',
    '--no-audit',
    '--no-fund',
    '--prefix',
    folder,
    `@anthropic-ai/claude-code@${CLAUDE_VERSION}`,
  ];
  const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined)) as Desk['env'];
  const { code, err } = await runToEnd('npm', args, { cwd: folder, env, limitMs: 900_000 });
  if (code === 0 && existsSync(program)) return program;
  throw new Error(`Claude Code ${CLAUDE_VERSION} could not be installed into ${folder}:\n${err}`);
};

/** The surroundings of a developer's client: a home of its own, a model of ours, and nothing that calls elsewhere. */
export const clientDesk = ({ cwd, env }: Desk, model: string): Desk => ({
  cwd,
  env: {
    ...env,
    CLAUDE_CONFIG_DIR: join(env['HOME'] ?? '', '.claude'),
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'sk-stub',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    ENABLE_TOOL_SEARCH: 'false',
  },
});
