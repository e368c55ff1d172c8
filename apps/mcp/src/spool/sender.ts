import { join } from 'node:path';
import { AppError, isAppError } from '@tempera/client-kit';
import { ServiceClient } from '../graphql/service-client.js';
import { withFileLockOrNot } from '../state/file-lock.js';
import { LoginFiles } from '../state/login-file.js';
import { ensurePrivateFolder } from '../state/state-folder.js';
import type { World } from '../world.js';
import { deliver, type Fate, goTogether } from './deliver.js';
import { noteTried, pausedLogins, readSenderStates } from './sender-state.js';
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

/** A record that the service fails at so often is set aside: it must not hold its login for ever. */
const MAX_TRIES = 12;

/** What one look through the spool knows. */
interface Round {
  /** Logins that are not to be tried. */
  readonly skipped: ReadonlySet<string>;
  readonly failed: Map<string, Failure>;
  /** Names of what was left for a login of either. */
  readonly left: Set<string>;
}

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
    const states = await readSenderStates(this.spool.folder);
    const skipped = isAsked ? new Set<string>() : pausedLogins(states, this.world);
    let failed = await this.tryAll(skipped);
    for (const pause of isAsked ? [] : PAUSES_MS) {
      for (const [login, { needsPerson }] of failed) if (needsPerson) skipped.add(login);
      if ([...failed.keys()].every((login) => skipped.has(login))) return;
      await this.world.wait(pause);
      failed = await this.tryAll(skipped);
    }
  }

  /** Looks again after the lock was freed: what came meanwhile woke a process that found it taken, and left. */
  private async tryAll(skipped: ReadonlySet<string>): Promise<ReadonlyMap<string, Failure>> {
    const round: Round = { skipped, failed: new Map(), left: new Set() };
    let wasOurs = false;
    while ((await this.spool.names()).some((name) => !round.left.has(name))) {
      const isOurs = await withFileLockOrNot(join(this.spool.folder, 'sender.lock'), this.world, async () => {
        await this.spool.sweep();
        await this.drain(round);
      });
      if (!isOurs) break;
      wasOurs = true;
    }
    if (wasOurs) await noteTried(this.spool.folder, round.failed, skipped, this.world);
    return round.failed;
  }

  /** A login that cannot be served, for whatever reason, does not hold up those of the others; its own order stays. */
  private async drain(round: Round): Promise<void> {
    let left = await this.spool.waiting();
    while (left.length > 0) {
      const { batch, rest } = await this.nextBatch(left, round);
      left = rest;
      const [first] = batch.records;
      if (first === undefined) continue;
      try {
        await this.settle(batch, await deliver(batch.records, new ServiceClient(this.logins, first.login, this.world)));
      } catch (error) {
        round.failed.set(first.login, failureOf(error));
        for (const name of batch.names) round.left.add(name);
      }
    }
  }

  private async nextBatch(
    waiting: readonly Waiting[],
    { skipped, failed, left }: Round,
  ): Promise<{ batch: Batch; rest: Waiting[] }> {
    const names: string[] = [];
    const records: SpoolRecord[] = [];
    let bytes = 0;
    let at = 0;
    for (; at < waiting.length; at += 1) {
      const one = waiting[at];
      const record = one === undefined ? null : await this.readGood(one.name);
      if (one === undefined || record === null) continue;
      if (skipped.has(record.login) || failed.has(record.login)) {
        left.add(one.name);
        continue;
      }
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
    let later: AppError | null = null;
    for (const [at, name] of names.entries()) {
      const fate = fates[at];
      if (fate === undefined) continue;
      if (fate.kept) await this.spool.remove(name);
      else if (fate.isLater && (await this.spool.noteTry(name)) < MAX_TRIES)
        later ??= new AppError('unavailable', fate.code, fate.message);
      else await this.spool.setAside(name, { code: fate.code, message: fate.message });
    }
    if (later !== null) throw later;
  }
}
