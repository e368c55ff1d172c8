import { Inject, Injectable } from '@nestjs/common';
import { isAppError } from '@tempera/client-kit';
import type { MemoryId, TenantId } from '@tempera/core';
import {
  borrowLoans,
  completeOutbox,
  type Doors,
  type EmbeddingState,
  type EncoderPool,
  findNear,
  fullTextOf,
  insertEmbeddings,
  insertLinks,
  type MemoryToEmbed,
  type MissingEmbedding,
  postponeOutbox,
  readMemoryToEmbed,
  readTenantEncoders,
  setEmbeddingState,
  type TenantEncoders,
  type TextEmbedding,
  type Tx,
} from '@tempera/platform';
import { type Clock, CLOCK, DOORS, ENCODERS } from '../platform/platform.tokens.js';
import { contentHashOf, linksOf } from './keep-memory.js';
import { NEAR_LIMIT } from './look-around.js';
import { settleLate } from './settle-late.js';

/** A claimed row of the outbox. */
export interface EmbeddingPromise {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly memoryId: MemoryId;
  /** This one included. */
  readonly attempts: number;
}

/** What is to be embedded, and by whom. */
interface Begun {
  readonly memory: MemoryToEmbed;
  readonly encoders: TenantEncoders;
}

/** A failing encoder may recover; what crashes it or takes too long does so every time. */
const MAX_ATTEMPTS = 8;
const MAX_HARMFUL_ATTEMPTS = 3;
/** The last try, by a memory that is shown as failed already. */
const LAST_RETRY_SECONDS = 3_600;
/** An encoder that is not there, or taken by others, is no fault of the memory. */
const AWAY_RETRY_SECONDS = 10;

/** Embeds one promised memory, puts it off with the reason, or sets it aside: then its words alone find it. */
@Injectable()
export class EmbeddingJobs {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(ENCODERS) private readonly encoders: EncoderPool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Keeps the promise, postpones it or sets it aside.
   * @param signal gives it up, as if the encoder were away
   * @throws when the database does not answer; the row's lease then runs out
   */
  async keep(promise: EmbeddingPromise, signal?: AbortSignal): Promise<void> {
    const { tenantId } = promise;
    const begun = await this.begin(promise);
    if (begun === null) return;
    const { memory, encoders } = begun;
    const options = {
      tenantId,
      active: encoders.active,
      urgency: 'backlog',
      ...(signal === undefined ? {} : { signal }),
    } as const;
    const { embeddings, missing } = await this.encoders.embedText(fullTextOf(memory), options);
    try {
      await this.store(promise, memory, embeddings, missing);
    } catch (error) {
      if (!isAppError(error)) throw error;
      if (error.code === 'quota-embeddings') {
        const delaySeconds = secondsUntilTomorrow(this.clock.now());
        return this.doors.asText(tenantId, (tx) => postponeOutbox(tx, promise.id, error.code, delaySeconds));
      }
      // The text changed while it was embedded; the change has promised its own vectors.
      if (error.code !== 'stale-revision') throw error;
      return this.doors.asText(tenantId, (tx) => completeOutbox(tx, promise.id));
    }
  }

  /** Work that takes longer than a lease goes on: nobody else is to begin it meanwhile. */
  async renew({ tenantId, id }: EmbeddingPromise, leaseSeconds: number): Promise<void> {
    await this.doors.asText(tenantId, (tx) => postponeOutbox(tx, id, 'in-progress', leaseSeconds));
  }

  /**
   * What there is to embed; null when nothing is. After many attempts the memory is marked before it is tried: should it
   * end the whole process, the next one finds the mark, and after as many more attempts leaves it alone.
   */
  private begin({ tenantId, memoryId, id, attempts }: EmbeddingPromise): Promise<Begun | null> {
    return this.doors.asText(tenantId, async (tx) => {
      const memory = await readMemoryToEmbed(tx, tenantId, memoryId);
      const isHopeless = memory?.embeddingState === 'failed' && attempts > 3 * MAX_ATTEMPTS;
      if (memory === null || isHopeless) {
        await completeOutbox(tx, id);
        return null;
      }
      if (attempts >= MAX_ATTEMPTS) await setEmbeddingState(tx, memory, 'failed');
      return { memory, encoders: await readTenantEncoders(tx, tenantId) };
    });
  }

  /** In three steps, of which each may be repeated: the promise is kept with the last. */
  private async store(
    promise: EmbeddingPromise,
    memory: MemoryToEmbed,
    embeddings: readonly TextEmbedding[],
    missing: readonly MissingEmbedding[],
  ): Promise<void> {
    const { tenantId, id, revision } = memory;
    const now = this.clock.now();
    await this.doors.asText(tenantId, async (tx) => {
      const contentHash = contentHashOf(fullTextOf(memory));
      await insertEmbeddings(tx, { tenantId, memoryId: id, revision, contentHash, embeddings });
      const neighbours = await findNear(tx, { tenantId, audience: memory, embeddings, except: id, limit: NEAR_LIMIT });
      await insertLinks(tx, tenantId, linksOf(id, { neighbours, near: [], conflicts: [] }), now);
      await borrowLoans(tx, id, now);
    });
    // What was read before only gets back what it lost: what it is to others was settled then.
    if (memory.embeddingState !== 'ready' && embeddings.length > 0) {
      await settleLate(this.doors, { memory, embeddings, now });
    }
    await this.doors.asText(tenantId, (tx) => this.finish(tx, promise, memory, missing));
  }

  private async finish(
    tx: Tx,
    promise: EmbeddingPromise,
    memory: MemoryToEmbed,
    [failure]: readonly MissingEmbedding[],
  ): Promise<void> {
    if (failure === undefined) {
      await setEmbeddingState(tx, memory, 'ready');
      return completeOutbox(tx, promise.id);
    }
    const { state, delaySeconds } = nextTry(failure, promise.attempts, memory.embeddingState);
    await setEmbeddingState(tx, memory, state);
    if (delaySeconds === null) return completeOutbox(tx, promise.id);
    return postponeOutbox(tx, promise.id, failure.error.code, delaySeconds);
  }
}

/** A tenant's vectors are counted by days in UTC. */
const secondsUntilTomorrow = (now: Date): number => 86_400 - Math.floor((now.getTime() % 86_400_000) / 1000);

interface NextTry {
  readonly state: 'pending' | 'failed';
  /** null: there is none. */
  readonly delaySeconds: number | null;
}

/** The attempts that each fault of the text itself gets; any other code says that the encoder was not to be had. */
const ATTEMPTS: Readonly<Record<string, number>> = {
  'encoder-failed': MAX_ATTEMPTS,
  'encoder-crashed': MAX_HARMFUL_ATTEMPTS,
  'encoder-too-slow': MAX_HARMFUL_ATTEMPTS,
};

/** @param before the state in which the memory was found: failed, if this was its last try */
const nextTry = ({ error }: MissingEmbedding, attempts: number, before: EmbeddingState): NextTry => {
  const allowed = ATTEMPTS[error.code];
  if (allowed === undefined) return { state: 'pending', delaySeconds: AWAY_RETRY_SECONDS };
  if (attempts < allowed) return { state: 'pending', delaySeconds: 2 ** attempts };
  return { state: 'failed', delaySeconds: before === 'failed' ? null : LAST_RETRY_SECONDS };
};
