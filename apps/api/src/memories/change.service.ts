import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import type { MemoryId } from '@tempera/core';
import {
  appendAudit,
  type Doors,
  isPastRestoring,
  isRefused,
  liftSupersession,
  lockVerdicts,
  type MemoryRecord,
  promiseEmbedding,
  readSettings,
  setPinned,
  setRefuted,
  setState,
  setVerification,
  type Tx,
  type Verification,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { checkOptionalText, refuse } from './check-input.js';
import { EmbeddingLoop } from './embedding-loop.js';
import { toMemory } from './memory.mapper.js';
import type { Memory } from './memory.types.js';
import {
  type ChangeableMemory,
  notYours,
  readOne,
  requireActive,
  requireChange,
  requireMemory,
} from './require-change.js';

/** What a person forgot is erased after so many days. */
const FORGOTTEN_DAYS = 30;
const MAX_REASON = 500;

/** Where a change happens. */
interface Change {
  readonly tenantId: Caller['tenantId'];
  readonly id: Memory['id'];
  readonly now: Date;
}
/** Changes a memory and names what it did for the audit log; null where all was so already. */
type Act = (tx: Tx, change: Change, memory: ChangeableMemory) => Promise<string | null>;

/** Pins, verifies, archives, restores and forgets: what is changed of a memory beside its words. Each may be repeated. */
@Injectable()
export class ChangeService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly loop: EmbeddingLoop,
  ) {}

  /** @throws AppError `not-found`, `forbidden` but for one's own private and what one maintains, `conflict` for what is archived */
  setPinned(caller: Caller, id: string, pinned: boolean): Promise<Memory> {
    return this.change(caller, id, async (tx, change, { record, maintains }) => {
      requireActive(record);
      if (!maintains) throw maintainersPin();
      if (record.pinned === pinned) return null;
      await setPinned(tx, change, pinned);
      return pinned ? 'memory.pinned' : 'memory.unpinned';
    });
  }

  /** @throws AppError `not-found`, `forbidden`, `conflict` for what is archived */
  setVerification(caller: Caller, id: string, verification: Verification): Promise<Memory> {
    return this.change(caller, id, async (tx, change, { record }) => {
      requireActive(record);
      if (record.verification === verification) return null;
      await setVerification(tx, change, verification);
      return 'memory.verification-set';
    });
  }

  /** Out of searches and lists; nothing is lost. @throws AppError `not-found`, `forbidden`, `conflict` for what is forgotten */
  archive(caller: Caller, id: string, given: string | null): Promise<Memory> {
    const reason = checkOptionalText(given, { name: 'reason', max: MAX_REASON });
    return this.change(caller, id, async (tx, change, { record }) => {
      if (record.state === 'archived') return null;
      requireActive(record);
      await setState(tx, change, 'archived', reason);
      return 'memory.archived';
    });
  }

  /**
   * Says that a memory is false, and what shows it: out of answers from now on, kept and labelled. A second verdict waits
   * until the first is taken back, so that nobody's proof is lost. @throws AppError `not-found` for either, `forbidden`,
   * `conflict` for what is not in use, and for a proof that not all see who see the memory
   */
  refute(caller: Caller, id: string, by: string | null, given: string | null): Promise<Memory> {
    const reason = checkOptionalText(given, { name: 'reason', max: MAX_REASON });
    const act: Act = async (tx, change, { record }) => {
      const proof = by === null ? null : await requireMemory(tx, caller, by);
      if (proof?.id === change.id) throw refuse('refutes-itself', 'A memory does not refute itself.');
      const isSame = record.refutedBy === (proof?.id ?? null) && record.stateReason === reason;
      if (record.state === 'refuted' && isSame) return null;
      if (proof !== null) requireActive(proof);
      requireActive(record);
      await setRefuted(tx, change, proof?.id ?? null, reason);
      return 'memory.refuted';
    };
    return this.change(caller, id, act, by);
  }

  /**
   * Takes archiving, refuting, forgetting or being superseded back. @throws AppError `not-found`, `forbidden`, also for a maintainer's
   * choice to others, `conflict` for what waits to be erased
   */
  async restore(caller: Caller, id: string): Promise<Memory> {
    const memory = await this.change(caller, id, async (tx, change, memory) => {
      const { record } = memory;
      const stood = await this.letStand(tx, caller, change, memory);
      if (record.state === 'active') return stood ? 'memory.supersession-lifted' : null;
      await requireRestorable(tx, change, record);
      await setState(tx, change, 'active', null);
      // Vectors may be missing, and what was captured since does not know it yet. What was refuted before it was forgotten
      // is so again.
      const { state } = await readOne(tx, caller, change.id);
      if (state === 'active') await promiseEmbedding(tx, change.tenantId, change.id, change.now);
      return 'memory.restored';
    });
    this.loop.wake();
    return memory;
  }

  /** Hidden at once from everybody but its owner and the caller, erased after 30 days. @throws AppError `not-found`, `forbidden` */
  forget(caller: Caller, id: string): Promise<Memory> {
    return this.change(caller, id, async (tx, change, { record }) => {
      if (record.state === 'forgotten') return null;
      await setState(tx, change, 'forgotten', null);
      return 'memory.forgotten';
    });
  }

  /** Whoever made the newer one may take its place back, and who answers for both. */
  private async letStand(
    tx: Tx,
    caller: Caller,
    { tenantId, id, now }: Change,
    { record, maintains }: ChangeableMemory,
  ): Promise<boolean> {
    if (record.supersededAt === null) return false;
    const newer = record.supersededBy === null ? null : await readOne(tx, caller, record.supersededBy);
    if (!maintains && newer?.ownerId !== caller.userId) throw maintainersRestore();
    await liftSupersession(tx, tenantId, id, now);
    return true;
  }

  /** @param other a memory that the change is measured by: of two that shall refute each other one comes first */
  private async change(caller: Caller, id: string, act: Act, other: string | null = null): Promise<Memory> {
    const now = this.clock.now();
    const { tenantId } = caller;
    try {
      return await this.doors.asTenant(caller, async (tx) => {
        if (other !== null) await takeTurns(tx, caller, [id, other]);
        const memory = await requireChange(tx, caller, id);
        const { id: memoryId, scope } = memory.record;
        const action = await act(tx, { tenantId, id: memoryId, now }, memory);
        const record = await readOne(tx, caller, memoryId);
        // What somebody keeps to themselves is no business of the tenant's log.
        if (action !== null && scope !== 'private') {
          await appendAudit(tx, { action, subjectKind: 'memory', subjectId: memoryId });
        }
        return toMemory(record, caller.userId, now);
      });
    } catch (error) {
      if (isRefused(error)) throw notYours();
      throw error;
    }
  }
}

/** One verdict at a time on either memory, before any of them is locked. */
const takeTurns = async (tx: Tx, caller: Caller, given: readonly string[]): Promise<void> => {
  const ids: MemoryId[] = [];
  for (const one of given) ids.push((await requireMemory(tx, caller, one)).id);
  await lockVerdicts(tx, caller.tenantId, ids);
};

const maintainersPin = (): AppError =>
  new AppError('forbidden', 'maintainers-pin', 'Only who maintains what a memory is shared with pins it.');

const maintainersRestore = (): AppError =>
  new AppError(
    'forbidden',
    'maintainers-restore',
    'It gave way to a newer memory; who wrote that one, or a maintainer, lets it stand again.',
  );

/** @throws AppError `conflict` for what only waits to be erased */
const requireRestorable = async (tx: Tx, { tenantId, id }: Change, { projectId }: MemoryRecord): Promise<void> => {
  const { storage } = await readSettings(tx, tenantId, projectId);
  const days = { forgotten: FORGOTTEN_DAYS, archived: storage.eraseArchivedDays };
  const past = await isPastRestoring(tx, tenantId, id, days);
  if (past !== null) throw new AppError('conflict', past, `What was ${past} ${days[past]} days ago is not restored.`);
};
