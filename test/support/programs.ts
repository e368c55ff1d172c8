import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

/** The checkout; also right for the compiled support in dist/test/support. */
export const projectRoot = fileURLToPath(
  new URL(import.meta.url.includes('/dist/') ? '../../../' : '../../', import.meta.url),
);

/** A free port of the loopback address, for a server that is started next. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port);
        else reject(new Error('no port'));
      });
    });
  });

/** A process that the test started, with everything it printed. */
export interface Program {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** SIGTERM, then SIGKILL after ten seconds; resolves with the exit code once it is gone. */
  readonly stop: () => Promise<number | null>;
}

/** Starts a program of this checkout, or any other command, with exactly this environment besides PATH and HOME. */
export const startProgram = (command: string, args: readonly string[], env: Record<string, string>): Program => {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, {
    cwd: projectRoot,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const gone = new Promise<number | null>((resolve) => child.once('close', resolve));
  const stop = async (): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), 10_000);
    const code = await gone;
    clearTimeout(force);
    return code;
  };
  return { child, output: () => Buffer.concat(chunks).toString('utf8'), stop };
};

/** Runs a program of this checkout to its end. Fails with what it printed when it does not end well. */
export const runProgram = async (args: readonly string[], env: Record<string, string>): Promise<string> => {
  const program = startProgram(process.execPath, args, env);
  const code = await new Promise((resolve) => program.child.once('close', resolve));
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}:\n${program.output()}`);
  return program.output();
};

/** The full forms do ten and a hundred times as much before what they wait for is there. */
export const PATIENCE_MS = process.env['TEMPERA_FULL'] === '1' ? 15 * 60_000 : 60_000;

/** Polls until `check` holds. Fails with `what` and the program's output when it ends or the time passes. */
export const untilTrue = async (
  what: string,
  check: () => Promise<boolean>,
  program?: Program,
  everyMs = 50,
  patienceMs = PATIENCE_MS,
): Promise<void> => {
  const deadline = Date.now() + patienceMs;
  while (!(await check().catch(() => false))) {
    const ended = program !== undefined && program.child.exitCode !== null;
    if (ended || Date.now() > deadline) throw new Error(`${what}: never came true.\n${program?.output() ?? ''}`);
    await new Promise((resume) => setTimeout(resume, everyMs));
  }
};
