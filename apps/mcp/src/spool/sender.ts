import { join } from 'node:path';
import { isAppError } from '@tempera/client-kit';
import { ServiceClient } from '../graphql/service-client.js';
import { withFileLockOrNot } from '../state/file-lock.js';
import { LoginFiles } from '../state/login-file.js';
import { ensurePrivateFolder } from '../state/state-folder.js';
import type { World } from '../world.js';
import { deliver, type Fate, goTogether } from './deliver.js';
import { noteFailure, noteSuccess, readSenderState } from './sender-state.js';
import { SpoolFolder, type Waiting } from './spool-folder.js';
import type { SpoolRecord } from './spool-record.js';

/** Well below what the service takes in one request: a megabyte, and 50 turns. */
const BATCH_BYTES = 400_000;
const BATCH_RECORDS = 25;
/** Between the tries of one process; then it ends, and the next hook wakes another. */
const PAUSES_MS = [2_000, 8_000, 30_000];

interface Batch {
  readonly names: readonly string[];
  readonly records: readonly SpoolRecord[];
}

/** What a try came to. */
interface Failure {
  readonly code: string;
  readonly message: string;
  /** Nobody but a person can change it, so trying again soon is no use. */
  readonly needsPerson: boolean;
}

const failureOf = (error: unknown): Failure => {
  if (!isAppError(error)) return { code: 'unexpected', message: String(error), needsPerson: false };
  const needsPerson = error.kind === 'unauthenticated' || error.code === 'client-version';
  return { code: error.code, message: error.message, needsPerson };
};

const told = ({ code, message }: Failure): { code: string; message: string } => ({ code, message });

/** Delivers what waits, one process of this user at a time. */
export class Sender {
  private readonly spool: SpoolFolder;
  private readonly logins: LoginFiles;

  constructor(private readonly world: World) {
    this.spool = new SpoolFolder(world);
    this.logins = new LoginFiles(world);
  }

  /**
   * Until nothing waits, or a bounded number of tries failed.
   *
   * @param isAsked a person wants it now, whatever pause is due
   */
  async run(isAsked: boolean): Promise<void> {
    await ensurePrivateFolder(this.spool.folder);
    let failure = await this.tryAll(isAsked);
    for (const pause of isAsked ? [] : PAUSES_MS) {
      if (failure === null || failure.needsPerson) return;
      await this.world.wait(pause);
      failure = await this.tryAll(true);
    }
  }

  /** Looks again after the lock was freed: what came meanwhile woke a process that found it taken, and left. */
  private async tryAll(isHasty: boolean): Promise<Failure | null> {
    const ended: { failure: Failure | null } = { failure: null };
    while (ended.failure === null && (await this.spool.waiting()).length > 0) {
      const pause = await readSenderState(this.spool.folder);
      if (!isHasty && pause !== null && new Date(pause.notBefore) > this.world.now()) return null;
      const isOurs = await withFileLockOrNot(join(this.spool.folder, 'sender.lock'), this.world, async () => {
        await this.spool.sweep();
        ended.failure = await this.drain();
        if (ended.failure === null) await noteSuccess(this.spool.folder, this.world);
        else await noteFailure(this.spool.folder, told(ended.failure), this.world);
      });
      if (!isOurs) return null;
    }
    return ended.failure;
  }

  /** One login that ended does not hold up those of the others. */
  private async drain(): Promise<Failure | null> {
    const stuck = new Map<string, Failure>();
    let left = await this.spool.waiting();
    while (left.length > 0) {
      const { batch, rest } = await this.nextBatch(left, stuck);
      left = rest;
      const [first] = batch.records;
      if (first === undefined) continue;
      try {
        await this.settle(batch, await deliver(batch.records, new ServiceClient(this.logins, first.login, this.world)));
      } catch (error) {
        const failure = failureOf(error);
        if (!failure.needsPerson) return failure;
        stuck.set(first.login, failure);
      }
    }
    return [...stuck.values()][0] ?? null;
  }

  private async nextBatch(
    waiting: readonly Waiting[],
    stuck: ReadonlyMap<string, Failure>,
  ): Promise<{ batch: Batch; rest: Waiting[] }> {
    const names: string[] = [];
    const records: SpoolRecord[] = [];
    let bytes = 0;
    let at = 0;
    for (; at < waiting.length; at += 1) {
      const one = waiting[at];
      const record = one === undefined ? null : await this.readGood(one.name);
      if (one === undefined || record === null || stuck.has(record.login)) continue;
      const [first] = records;
      const fits = records.length < BATCH_RECORDS && bytes + one.bytes <= BATCH_BYTES;
      if (first !== undefined && !(fits && goTogether(first, record))) break;
      names.push(one.name);
      records.push(record);
      bytes += one.bytes;
    }
    return { batch: { names, records }, rest: waiting.slice(at) };
  }

  private async readGood(name: string): Promise<SpoolRecord | null> {
    const record = await this.spool.read(name);
    if (record !== 'torn') return record;
    await this.spool.setAside(name, { code: 'torn', message: 'It was not written to its end.' });
    return null;
  }

  /** Only now, as the service has it on its own disk, may it go from ours. */
  private async settle({ names }: Batch, fates: readonly Fate[]): Promise<void> {
    for (const [at, name] of names.entries()) {
      const fate = fates[at];
      if (fate === undefined) continue;
      if (fate.kept) await this.spool.remove(name);
      else await this.spool.setAside(name, { code: fate.code, message: fate.message });
    }
  }
}
