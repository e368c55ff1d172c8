import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pid, platform } from 'node:process';
import { PassThrough } from 'node:stream';
import type { World } from '../world.js';

/** A world of a test: its own state folder, streams that can be read back, and a clock that can be set. */
export interface StubWorld {
  readonly world: World;
  readonly folder: string;
  /** Milliseconds that the clock of this world is ahead of the real one. */
  aheadMs: number;
  /** The processes of its own that it started. */
  readonly started: string[];
  /** What was written since the last look. */
  out(): string;
  err(): string;
  remove(): Promise<void>;
}

const pipe = (isTTY: boolean): PassThrough => Object.assign(new PassThrough(), { isTTY });

/** Makes a world with standard input already typed and ended. */
export const makeStubWorld = async (over: Partial<World> = {}, typed = '', isTTY = false): Promise<StubWorld> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tempera-mcp-')));
  const [stdin, stdout, stderr] = [pipe(false), pipe(isTTY), pipe(isTTY)];
  stdin.end(typed);
  const read = (stream: PassThrough): string => String(stream.read() ?? '');
  const stub: StubWorld = {
    folder,
    aheadMs: 0,
    started: [],
    out: () => read(stdout),
    err: () => read(stderr),
    remove: () => rm(folder, { recursive: true, force: true }),
    world: {
      version: '0.1.0',
      invocation: 'tempera',
      pluginFolder: '/opt/tempera/plugin',
      environment: { TEMPERA_HOME: join(folder, 'state') },
      platform,
      pid,
      home: folder,
      host: 'test-host',
      cwd: folder,
      stdin: stdin as unknown as World['stdin'],
      stdout: stdout as unknown as World['stdout'],
      stderr: stderr as unknown as World['stderr'],
      now: () => new Date(Date.now() + stub.aheadMs),
      // Time passes at once, by the clock of this world.
      wait: (ms) => {
        stub.aheadMs += ms;
        return Promise.resolve();
      },
      newId: () => randomUUID(),
      randomHex: () => randomBytes(8).toString('hex'),
      fetch: (input, init) => fetch(input, init),
      isAlive: () => true,
      startDetached: (words) => void stub.started.push(words.join(' ')),
      ...over,
    },
  };
  return stub;
};
