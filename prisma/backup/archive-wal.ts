import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Archive, keep } from './archive.js';
import { startTool, type Tool } from './pg-tools.js';

export interface WalOptions extends Archive {
  /** A superuser's, or a login's with the right to replicate. */
  readonly url: string;
  /** How often what has come is put away; what a lost disk of this program may cost at most. */
  readonly everyMs: number;
  /** Told how many segments were put away. */
  readonly onKept?: (segments: number) => void;
}

/** The server keeps its log for this reader until the reader has it. */
const SLOT = 'tempera_archive';
/** Segments, the ones being written, and histories of timelines. */
const OF_THE_LOG = /^[0-9A-F]{8}(?:[0-9A-F]{16}(?:\.partial)?|\.history)$/;
const AGAIN_MS = 1_000;

/**
 * Follows a server's log until the signal aborts, and keeps it in `wal/`, each segment encrypted when it is full, the one being
 * written as often as it has grown. A server that goes away is waited for.
 * @throws Error where the slot cannot be made: no right to replicate, or no server
 */
export const archiveWal = async (options: WalOptions, signal: AbortSignal): Promise<void> => {
  const spool = join(options.folder, 'spool');
  for (const folder of [spool, join(options.folder, 'wal')]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const slot = `--slot=${SLOT}`;
  await ended(startTool('pg_receivewal', [slot, '--create-slot', '--if-not-exists'], options.url));
  const keeper = new Keeper(options, spool);
  while (!signal.aborted) {
    const receiver = startTool(
      'pg_receivewal',
      [slot, `--directory=${spool}`, '--synchronous', '--no-loop'],
      options.url,
    );
    const stop = (): void => void receiver.child.kill('SIGINT');
    signal.addEventListener('abort', stop, { once: true });
    const over = ended(receiver).catch(() => undefined);
    await keeper.keepUntil(over);
    signal.removeEventListener('abort', stop);
    await wait(AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
};

const ended = ({ child, done }: Tool): Promise<void> => {
  child.stdin?.end();
  child.stdout?.resume();
  return done;
};

/** Puts away what lies in the spool. */
class Keeper {
  /** When each unfinished segment was last changed as it was put away. */
  private readonly known = new Map<string, number>();

  constructor(
    private readonly options: WalOptions,
    private readonly spool: string,
  ) {}

  /** Goes on as long as the receiver runs, and once more for what it wrote last. */
  async keepUntil(over: Promise<void>): Promise<void> {
    let isOver = false;
    const noted = over.then(() => (isOver = true));
    while (!isOver) {
      await this.keepAll();
      await Promise.race([noted, wait(this.options.everyMs)]);
    }
    await this.keepAll();
  }

  private async keepAll(): Promise<void> {
    const names = (await readdir(this.spool)).filter((name) => OF_THE_LOG.test(name)).sort();
    let kept = 0;
    for (const name of names) kept += (await this.keepOne(name)) ? 1 : 0;
    if (kept > 0) this.options.onKept?.(kept);
  }

  /** @returns whether it was put away; not where it has got another name meanwhile, as a segment does when it is full */
  private async keepOne(name: string): Promise<boolean> {
    try {
      return await this.keepAsItIs(name);
    } catch (error) {
      if (isGone(error)) return false;
      throw error;
    }
  }

  private async keepAsItIs(name: string): Promise<boolean> {
    const from = join(this.spool, name);
    const { mtimeMs } = await stat(from);
    const isPartial = name.endsWith('.partial');
    if (isPartial && this.known.get(name) === mtimeMs) return false;
    const { folder, recipients } = this.options;
    await keep(createReadStream(from), join(folder, 'wal', name), recipients);
    if (isPartial) this.known.set(name, mtimeMs);
    else await this.finish(name);
    return true;
  }

  /** Only what is kept whole and flushed leaves the spool, and takes the place of its beginning. */
  private async finish(name: string): Promise<void> {
    this.known.delete(`${name}.partial`);
    await rm(join(this.spool, name));
    await rm(join(this.options.folder, 'wal', `${name}.partial`), { force: true });
  }
}

const isGone = (error: unknown): boolean => error instanceof Error && Reflect.get(error, 'code') === 'ENOENT';
