import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectRoot } from './programs.js';

const CLI = join(projectRoot, 'apps/mcp/dist/cli.js');

/** A server under our own hands, message by message. */
export class RawServer {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: string[] = [];
  stderr = '';
  private readonly waiting: ((line: string) => void)[] = [];

  constructor(cwd: string, env: Record<string, string>) {
    this.child = spawn(process.execPath, [CLI, 'serve'], { cwd, env });
    this.child.stderr.on('data', (chunk) => (this.stderr += String(chunk)));
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.lines.push(line);
      this.waiting.shift()?.(line);
    });
  }

  send(message: Record<string, unknown>): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async ask(message: Record<string, unknown>): Promise<Record<string, unknown>> {
    const answer = new Promise<string>((resolve) => this.waiting.push(resolve));
    this.send(message);
    return JSON.parse(await answer) as Record<string, unknown>;
  }

  async initialize(): Promise<void> {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    await this.ask({ id: 'init', method: 'initialize', params });
    this.send({ method: 'notifications/initialized' });
  }
}
