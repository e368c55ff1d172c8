import { Inject, Injectable } from '@nestjs/common';
import { isAppError } from '@tempera/client-kit';
import { type Doors, gotNoAnswer, isRefused, type Logger, type Tx } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { EncodersMoved } from '../encoders/encoders-moved.js';
import { answerFor } from '../graphql/format-error.js';
import { type Clock, CLOCK, DOORS, LOGGER } from '../platform/platform.tokens.js';
import { removedFrom } from '../redaction/redact-arguments.js';
import { inStage } from '../telemetry/stage.js';
import { CaptureEmbedder, LATER } from './capture-embedder.js';
import { CaptureQueue } from './capture-queue.js';
import type { CaptureInput } from './capture.input.js';
import { type CapturedMany, type CaptureResult, type Captured, CLOSE_SHOWN, type ItemError } from './capture.types.js';
import { toProposal } from '../proposals/proposal.mapper.js';
import { checkCount } from './check-input.js';
import { EmbeddingLoop } from './embedding-loop.js';
import { toMemory } from './memory.mapper.js';
import { nearMapper } from './near.mapper.js';
import { parseCapture } from './parse-capture.js';
import { mayNotShare } from './place-capture.js';
import { hashOf } from './request-hash.js';
import { type CaptureOutcome, type CaptureRequest, storeCapture } from './store-capture.js';

const MAX_CAPTURES = 100;

/** A capture that is ready to be stored, or what is wrong with it. */
type Prepared = { readonly request: CaptureRequest } | { readonly error: unknown };

/** Stores one capture inside a transaction. */
type Storing<Outcome> = (tx: Tx, request: CaptureRequest) => Promise<Outcome>;

/** Takes in what people learned. */
@Injectable()
export class CaptureService {
  private readonly queue = new CaptureQueue(gotNoAnswer);

  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly embedder: CaptureEmbedder,
    private readonly loop: EmbeddingLoop,
  ) {}

  /** @throws AppError for what is wrong with the arguments, the project or the key; then nothing has been stored */
  async capture(caller: Caller, input: CaptureInput): Promise<Captured> {
    return this.captured(await this.prepare(caller, input));
  }

  /**
   * A capture that somebody stores in a way of their own, with what else belongs to it in the same transaction. Its
   * arguments, vectors, quota and rights are looked at as those of every capture. @throws as {@link capture} does
   */
  async take<Outcome extends Pick<CaptureOutcome, 'record'>>(
    caller: Caller,
    input: CaptureInput,
    storing: Storing<Outcome>,
  ): Promise<Outcome> {
    return this.store(await this.prepare(caller, input), storing);
  }

  /**
   * Each item by itself, in order, so that later ones see the earlier. While the database stores one, the encoder reads
   * the next: that saves a third of the time.
   */
  async captureMany(caller: Caller, inputs: readonly CaptureInput[]): Promise<CapturedMany> {
    checkCount(inputs, 'inputs', MAX_CAPTURES);
    const results: CaptureResult[] = [];
    const begin = (input: CaptureInput | undefined): Promise<Prepared> | undefined =>
      input === undefined ? undefined : this.tryPrepare(caller, input);
    let upcoming = begin(inputs[0]);
    for (const index of inputs.keys()) {
      const prepared = await upcoming;
      upcoming = begin(inputs[index + 1]);
      if (prepared !== undefined) results.push(await this.finish(prepared));
    }
    const failed = results.filter(({ error }) => error !== null).length;
    return { results, captured: results.length - failed, failed };
  }

  private async prepare(caller: Caller, input: CaptureInput): Promise<CaptureRequest> {
    const now = this.clock.now();
    const draft = parseCapture(input, now);
    const embedded = await inStage('capture', 'embed', () => this.embedder.embed(caller, draft));
    return { caller, draft, embedded, requestHash: hashOf(input), redacted: removedFrom(input), now };
  }

  private async captured(request: CaptureRequest): Promise<Captured> {
    return toCaptured(await this.store(request, storeCapture), request);
  }

  private async store<Outcome extends Pick<CaptureOutcome, 'record'>>(
    request: CaptureRequest,
    storing: Storing<Outcome>,
  ): Promise<Outcome> {
    const { caller } = request;
    try {
      const outcome = await this.queue.run(`${caller.tenantId} ${caller.userId}`, () => this.keep(request, storing));
      if (outcome.record.embeddingState === 'pending') this.loop.wake();
      return outcome;
    } catch (error) {
      if (isRefused(error)) throw mayNotShare();
      throw error;
    }
  }

  /** Vectors can wait until the tenant may store some again; what was learned cannot. Without them nothing is merged. */
  private async keep<Outcome>(request: CaptureRequest, storing: Storing<Outcome>): Promise<Outcome> {
    const { caller } = request;
    try {
      return await this.doors.asTenant(caller, (tx) => storing(tx, request));
    } catch (error) {
      if (error instanceof EncodersMoved) {
        const embedded = await this.embedder.again(caller, request.draft, error);
        return this.keep({ ...request, embedded }, storing);
      }
      if (!isAppError(error) || error.code !== 'quota-embeddings') throw error;
      return this.doors.asTenant(caller, (tx) => storing(tx, { ...request, embedded: LATER }));
    }
  }

  /** Never rejects: nobody may be listening yet. */
  private async tryPrepare(caller: Caller, input: CaptureInput): Promise<Prepared> {
    try {
      return { request: await this.prepare(caller, input) };
    } catch (error) {
      return { error };
    }
  }

  private async finish(prepared: Prepared): Promise<CaptureResult> {
    try {
      if ('error' in prepared) throw prepared.error;
      return { captured: await this.captured(prepared.request), error: null };
    } catch (error) {
      return { captured: null, error: this.toItemError(error) };
    }
  }

  private toItemError(error: unknown): ItemError {
    const { kind, code, message } = answerFor(error);
    if (kind === 'internal') this.logger.error({ err: error }, 'a capture of many failed');
    return { code, message };
  }
}

const toCaptured = (
  { status, record, sessionId, near, conflicts, superseded, proposal }: CaptureOutcome,
  { caller, now, redacted }: CaptureRequest,
): Captured => {
  const toNear = nearMapper(caller, now);
  return {
    status,
    memory: toMemory(record, caller.userId, now),
    sessionId,
    near: near.slice(0, CLOSE_SHOWN).map(toNear),
    conflicts: conflicts.slice(0, CLOSE_SHOWN).map(toNear),
    superseded: superseded.slice(0, CLOSE_SHOWN).map(toNear),
    proposal: proposal === null ? null : toProposal(proposal),
    redacted: [...redacted],
  };
};
