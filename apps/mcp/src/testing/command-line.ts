import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { runProgram } from '../program.js';
import type { World } from '../world.js';
import { startStubService, type StubService } from './stub-service.js';
import { makeStubWorld, type StubWorld } from './stub-world.js';

/** What one run of the command line left behind. */
export interface Ran {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** The command line against a stub service, with a state folder that lives as long as this. */
export interface CommandLine {
  readonly service: StubService;
  readonly home: StubWorld;
  /** One run, as a process of its own: `typed` is piped in. */
  run(words: readonly string[], typed?: string, over?: Partial<World>): Promise<Ran>;
  /** The same with a person at a terminal, who answers each question with the next of `lines`. */
  atTerminal(words: readonly string[], lines: readonly string[]): Promise<Ran>;
  logIn(): Promise<Ran>;
  makeRepository(remote: string): Promise<void>;
  /** What was asked of a field of the service, oldest first. */
  asked(field: string): Record<string, unknown>[];
  close(): Promise<void>;
}

const NO_ENDINGS = { on: () => undefined };

const QUESTION = /\[(?:Y\/n|y\/N)\]|\(its slug\):/;

/** A person who reads standard error and types a line for each question there. */
const person = (lines: readonly string[]): { streams: Partial<World>; told: () => string } => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = new PassThrough();
  const left = [...lines];
  let text = '';
  stderr.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
    if (QUESTION.test(chunk.toString('utf8'))) stdin.write(`${left.shift() ?? ''}\n`);
  });
  const streams = { stdin, stderr } as unknown as Partial<World>;
  return { streams, told: () => text };
};

/** Starts a stub service and makes an empty home. */
export const startCommandLine = async (): Promise<CommandLine> => {
  const service = await startStubService();
  const home = await makeStubWorld();
  const run: CommandLine['run'] = async (words, typed = '', over = {}) => {
    const once = await makeStubWorld({ environment: home.world.environment, cwd: home.folder, ...over }, typed);
    try {
      const exitCode = await runProgram(words, once.world, NO_ENDINGS);
      return { exitCode, out: once.out(), err: once.err() };
    } finally {
      await once.remove();
    }
  };
  return {
    service,
    home,
    run,
    atTerminal: async (words, lines) => {
      const { streams, told } = person(lines);
      return { ...(await run(words, '', streams)), err: told() };
    },
    logIn: () => run(['login', '--server', service.url], 'good-code\n'),
    makeRepository: async (remote) => {
      await mkdir(join(home.folder, '.git'), { recursive: true });
      await writeFile(join(home.folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
      await writeFile(join(home.folder, '.git', 'config'), `[remote "origin"]\n\turl = ${remote}\n`);
    },
    asked: (field) => service.state.asked.filter((one) => one.field === field).map(({ args }) => args),
    close: async () => {
      await service.close();
      await home.remove();
    },
  };
};
