import { Inject, Injectable } from '@nestjs/common';
import { isAppError } from '@tempera/client-kit';
import { asId, type MemoryId, type TenantId } from '@tempera/core';
import {
  carryQuestion,
  completeOutbox,
  type Doors,
  type EncoderId,
  type EncoderPool,
  fullTextOf,
  holdEncoderChange,
  insertEmbeddings,
  type MissingEmbedding,
  type OutboxClaim,
  postponeOutbox,
  readQuestionToReembed,
  readTextToReembed,
  setAsideOutbox,
  type TextToReembed,
  type Tx,
} from '@tempera/platform';
import { DOORS, ENCODERS } from '../platform/platform.tokens.js';
import { contentHashOf } from './keep-memory.js';

/** What an encoder fails on it fails on again; the old vector serves until the switch. */
const ATTEMPTS = 3;
/** Faults of the text itself; any other code says that the encoder was not to be had. */
const FAULTS: ReadonlySet<string> = new Set(['encoder-failed', 'encoder-crashed', 'encoder-too-slow']);
const AWAY_RETRY_SECONDS = 10;

/** Something to read by the encoder that a tenant is changing to. */
interface Due<What> {
  readonly encoder: EncoderId;
  readonly what: What;
}

/** Reads for a change of encoder what was promised to it, beside the vectors that count; or sets it aside. */
@Injectable()
export class ReembedJobs {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(ENCODERS) private readonly encoders: EncoderPool,
  ) {}

  /**
   * Keeps the promise, postpones it or sets it aside. @param signal gives it up, as if the encoder were away
   * @throws when the database does not answer; the row's lease then runs out
   */
  async keep(claim: OutboxClaim, signal?: AbortSignal): Promise<void> {
    if (claim.kind === 'question.reembed') await this.question(claim, signal);
    else await this.memory(claim, signal);
  }

  private async memory(claim: OutboxClaim, signal?: AbortSignal): Promise<void> {
    const tenantId = asId<TenantId>(claim.tenantId);
    const memoryId = asId<MemoryId>(claim.subjectId);
    const due = await this.begin(claim, (tx, encoder) => readTextToReembed(tx, { tenantId, memoryId, encoder }));
    if (due === null) return;
    const read = await this.encoders.embedText(fullTextOf(due.what), {
      ...{ tenantId, exactly: [due.encoder], urgency: 'backlog' },
      ...(signal === undefined ? {} : { signal }),
    });
    await this.settle(claim, due.encoder, read.missing, (tx) =>
      insertEmbeddings(tx, {
        ...{ tenantId, memoryId, revision: due.what.revision },
        contentHash: contentHashOf(fullTextOf(due.what)),
        embeddings: read.embeddings,
      }),
    );
  }

  private async question(claim: OutboxClaim, signal?: AbortSignal): Promise<void> {
    const due = await this.begin(claim, (tx) => readQuestionToReembed(tx, claim.subjectId));
    if (due === null) return;
    const { embeddings, missing } = await this.encoders.embedQuestion(due.what, {
      ...{ tenantId: claim.tenantId, exactly: [due.encoder] },
      ...(signal === undefined ? {} : { signal }),
    });
    await this.settle(claim, due.encoder, missing, async (tx) => {
      for (const { vector } of embeddings) await carryQuestion(tx, claim.subjectId, vector);
    });
  }

  /** Null: there is no change any more, or nothing to read. */
  private begin<What extends TextToReembed | string>(
    { tenantId, id }: OutboxClaim,
    read: (tx: Tx, encoder: EncoderId) => Promise<What | null>,
  ): Promise<Due<What> | null> {
    return this.doors.asText(tenantId, async (tx) => {
      const encoder = await holdEncoderChange(tx);
      const what = encoder === null ? null : await read(tx, encoder);
      if (encoder !== null && what !== null) return { encoder, what };
      await completeOutbox(tx, id);
      return null;
    });
  }

  /** Stores what was read while the change is still the same; a cancelled one wants nothing any more. */
  private async settle(
    claim: OutboxClaim,
    encoder: EncoderId,
    [failure]: readonly MissingEmbedding[],
    store: (tx: Tx) => Promise<unknown>,
  ): Promise<void> {
    const { tenantId, id } = claim;
    try {
      await this.doors.asText(tenantId, async (tx) => {
        if (failure !== undefined) return putOff(tx, claim, failure);
        if ((await holdEncoderChange(tx)) === encoder) await store(tx);
        await completeOutbox(tx, id);
      });
    } catch (error) {
      // The text changed, or its memory went, while it was read: the change looks for what lacks until nothing does.
      if (!isAppError(error) || error.code !== 'stale-revision') throw error;
      await this.doors.asText(tenantId, (tx) => completeOutbox(tx, id));
    }
  }
}

const putOff = (tx: Tx, { id, attempts }: OutboxClaim, { error: { code } }: MissingEmbedding): Promise<void> => {
  if (!FAULTS.has(code)) return postponeOutbox(tx, id, code, AWAY_RETRY_SECONDS);
  return attempts < ATTEMPTS ? postponeOutbox(tx, id, code, 2 ** attempts) : setAsideOutbox(tx, id, code);
};
