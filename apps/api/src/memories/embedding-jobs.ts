import { Inject, Injectable } from '@nestjs/common';
import { isAppError } from '@tempera/client-kit';
import type { MemoryId, TenantId } from '@tempera/core';
import {
  completeOutbox,
  type Doors,
  type EncoderPool,
  findNear,
  insertEmbeddings,
  insertLinks,
  type MemoryToEmbed,
  type MissingEmbedding,
  postponeOutbox,
  readMemoryToEmbed,
  setEmbeddingState,
  type TextEmbedding,
} from '@tempera/platform';
import { type Clock, CLOCK, DOORS, ENCODERS } from '../platform/platform.tokens.js';
import { contentHashOf, linksOf } from './keep-memory.js';
import { fullTextOf } from './memory-title.js';

/** A claimed row of the outbox. */
export interface EmbeddingPromise {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly memoryId: MemoryId;
  /** This one included. */
  readonly attempts: number;
}

/** After so many attempts a memory is shown as failed; it is still tried, once an hour. */
const MAX_ATTEMPTS = 8;
const FAILED_RETRY_SECONDS = 3_600;
/** An encoder that is not there is no fault of the memory. */
const AWAY_RETRY_SECONDS = 10;

/** Embeds one promised memory, or puts it off with the reason. */
@Injectable()
export class EmbeddingJobs {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(ENCODERS) private readonly encoders: EncoderPool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Keeps the promise or postpones it. @throws when the database does not answer; the row's lease then runs out */
  async keep(promise: EmbeddingPromise): Promise<void> {
    const { tenantId, memoryId } = promise;
    const memory = await this.doors.asText(tenantId, (tx) => readMemoryToEmbed(tx, tenantId, memoryId));
    if (memory === null) return this.doors.asText(tenantId, (tx) => completeOutbox(tx, promise.id));
    const { embeddings, missing } = await this.encoders.embedText(fullTextOf(memory));
    try {
      await this.store(promise, memory, embeddings, missing);
    } catch (error) {
      // The text changed while it was embedded; the change has promised its own vectors.
      if (!isAppError(error) || error.code !== 'stale-revision') throw error;
      return this.doors.asText(tenantId, (tx) => completeOutbox(tx, promise.id));
    }
  }

  private async store(
    promise: EmbeddingPromise,
    memory: MemoryToEmbed,
    embeddings: readonly TextEmbedding[],
    missing: readonly MissingEmbedding[],
  ): Promise<void> {
    const { tenantId, id } = memory;
    const now = this.clock.now();
    await this.doors.asText(tenantId, async (tx) => {
      const contentHash = contentHashOf(fullTextOf(memory));
      await insertEmbeddings(tx, { tenantId, memoryId: id, revision: memory.revision, contentHash, embeddings });
      const neighbours = await findNear(tx, { tenantId, audience: memory, embeddings, except: id, limit: 50 });
      await insertLinks(tx, tenantId, linksOf(id, { neighbours, mergeTarget: null, near: [], conflicts: [] }), now);
      const [failure] = missing;
      if (failure === undefined) {
        await setEmbeddingState(tx, tenantId, id, 'ready');
        return completeOutbox(tx, promise.id);
      }
      const { state, delaySeconds } = nextTry(failure, promise.attempts);
      await setEmbeddingState(tx, tenantId, id, state);
      return postponeOutbox(tx, promise.id, failure.error.code, delaySeconds);
    });
  }
}

interface NextTry {
  readonly state: 'pending' | 'failed';
  readonly delaySeconds: number;
}

const nextTry = ({ error }: MissingEmbedding, attempts: number): NextTry => {
  if (error.code !== 'encoder-failed') return { state: 'pending', delaySeconds: AWAY_RETRY_SECONDS };
  if (attempts >= MAX_ATTEMPTS) return { state: 'failed', delaySeconds: FAILED_RETRY_SECONDS };
  return { state: 'pending', delaySeconds: 2 ** attempts };
};
