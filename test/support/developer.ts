import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { projectRoot } from './programs.js';

/** What a tool answered: the text a person reads, and the same as data. */
export interface ToolAnswer {
  readonly text: string;
  readonly data: Record<string, unknown>;
  readonly isError: boolean;
}

/** A developer's machine: a home of their own, a repository, and an MCP client that runs our server as a child process. */
export interface Developer {
  /** Calls a tool of the MCP server. */
  readonly call: (tool: string, args: Record<string, unknown>) => Promise<ToolAnswer>;
  /** Runs the command line; fails unless it ends with `exitCode` (default 0). */
  readonly run: (args: readonly string[], options?: { input?: string; exitCode?: number }) => Promise<string>;
  readonly close: () => Promise<void>;
}

const cli = join(projectRoot, 'apps/mcp/dist/cli.js');

/** A folder and an environment to run the command line in. */
export interface Desk {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** A developer's machine: an empty repository folder, and a home of its own. */
export const makeDesk = async (folder: string, name: string): Promise<Desk> => {
  const repository = join(folder, name, 'repository');
  const home = join(folder, name, 'home');
  await mkdir(repository, { recursive: true });
  await mkdir(home, { recursive: true });
  return {
    cwd: repository,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, TEMPERA_HOME: join(home, 'tempera') },
  };
};

/** Runs the built command line as a process of its own; fails unless it ends with `exitCode` (default 0). */
export const runCli = async (
  args: readonly string[],
  at: Desk,
  { input = '', exitCode = 0 }: { input?: string; exitCode?: number },
): Promise<string> => {
  const child = spawn(process.execPath, [cli, ...args], { ...at, stdio: ['pipe', 'pipe', 'pipe'] });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.end(input);
  const code = await new Promise((resolve) => child.once('close', resolve));
  const text = Buffer.concat(out).toString('utf8');
  if (code !== exitCode) {
    throw new Error(`tempera ${args.join(' ')} ended with ${String(code)}:\n${text}\n${Buffer.concat(err).toString()}`);
  }
  return text;
};

/** Logs a developer in with a one-time code, binds their repository where a project is named, and starts their client. */
export const startDeveloper = async (options: {
  name: string;
  folder: string;
  server: string;
  code: string;
  project?: string;
}): Promise<Developer> => {
  const at = await makeDesk(options.folder, options.name);
  await runCli(['login', '--server', options.server], at, { input: `${options.code}\n` });
  if (options.project !== undefined) await runCli(['init', '--project', options.project, '--yes'], at, {});
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, 'serve'],
    ...at,
    stderr: 'pipe',
  });
  const client = new Client({ name: `${options.name}'s agent`, version: '1.0.0' });
  await client.connect(transport);
  return {
    run: (args, how = {}) => runCli(args, at, how),
    close: () => client.close(),
    call: async (tool, args) => {
      const answer = await client.callTool({ name: tool, arguments: args });
      const parts = answer.content.map((part) => (part.type === 'text' ? part.text : ''));
      return {
        text: parts.join('\n'),
        data: (answer.structuredContent ?? {}) as Record<string, unknown>,
        isError: answer.isError === true,
      };
    },
  };
};
