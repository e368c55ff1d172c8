/** What the client takes from its surroundings. Handed in, so that a test can be a world of its own. */
export interface World {
  readonly version: string;
  /** How another program starts this one, such as `tempera` or `node /somewhere/tempera.js`. */
  readonly invocation: string;
  /** The plugin of Claude Code that came with this program. */
  readonly pluginFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly pid: number;
  readonly home: string;
  readonly host: string;
  readonly cwd: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  now(): Date;
  /** Resolves after so many milliseconds. */
  wait(ms: number): Promise<void>;
  /** A fresh UUID. */
  newId(): string;
  /** 16 hex characters from a cryptographic source. */
  randomHex(): string;
  fetch(input: string, init: RequestInit): Promise<Response>;
  /** Whether a process of this machine is still there. */
  isAlive(pid: number): boolean;
  /** Starts this program once more, on its own: it holds no terminal and outlives this process. */
  startDetached(words: readonly string[], environment: Readonly<Record<string, string>>): void;
}
