import { Inject, Injectable } from '@nestjs/common';
import { isAppError } from '@tempera/client-kit';
import type { MemoryId, TenantId } from '@tempera/core';
import {
  borrowLoans,
  completeOutbox,
  type Doors,
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
  type Tx,
} from '@tempera/platform';
import { type Clock, CLOCK, DOORS, ENCODERS } from '../platform/platform.tokens.js';
import { alsoBy } from './capture-embedder.js';
import { contentHashOf, linksOf } from './keep-memory.js';
import { NEAR_LIMIT } from './look-around.js';
import { MAX_ATTEMPTS, nextTry } from './next-try.js';
import { settleLate } from './settle-late.js';
import { type ReadNow, splitBy } from './split-by.js';

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
    const text = fullTextOf(memory);
    const wanted = this.encoders.chosen(text, { active: encoders.active });
    const exactly = [...wanted, ...alsoBy(encoders.coming, wanted)];
    const options = {
      tenantId,
      exactly,
      urgency: 'backlog',
      ...(signal === undefined ? {} : { signal }),
    } as const;
    const read = await this.encoders.embedText(text, options);
    try {
      await this.store(promise, memory, splitBy(read, wanted));
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
    { embeddings, beside, missing }: ReadNow,
  ): Promise<void> {
    const { tenantId, id, revision } = memory;
    const now = this.clock.now();
    await this.doors.asText(tenantId, async (tx) => {
      const contentHash = contentHashOf(fullTextOf(memory));
      await insertEmbeddings(tx, {
        ...{ tenantId, memoryId: id, revision, contentHash },
        embeddings: [...embeddings, ...beside],
      });
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
