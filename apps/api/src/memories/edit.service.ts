import { Inject, Injectable } from '@nestjs/common';
import { type Doors, gotNoAnswer, isRefused, type MemoryRecord } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { removedFrom } from '../redaction/redact-arguments.js';
import { CaptureEmbedder, type EmbeddedNow } from './capture-embedder.js';
import { CaptureQueue } from './capture-queue.js';
import { CLOSE_SHOWN } from './capture.types.js';
import { refuse } from './check-input.js';
import type { EditMemoryInput } from './edit.input.js';
import type { EditedMemory } from './edit.types.js';
import { EmbeddingLoop } from './embedding-loop.js';
import { toMemory } from './memory.mapper.js';
import { nearMapper } from './near.mapper.js';
import { applyEdit, hasOtherWords, parseEdit } from './parse-edit.js';
import { hashOf, inNameOrder } from './request-hash.js';
import { notYours } from './require-change.js';
import { type EditOutcome, type EditRequest, findRepeatedEdit, requireEditable, storeEdit } from './store-edit.js';

/** Changes what a memory says. */
@Injectable()
export class EditService {
  private readonly queue = new CaptureQueue(gotNoAnswer);

  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly embedder: CaptureEmbedder,
    private readonly loop: EmbeddingLoop,
  ) {}

  /**
   * @param expectedRevision the one that the caller has read; another one in between is a `conflict` that names it
   * @throws AppError for what is wrong with the arguments, or as {@link storeEdit}; then nothing has changed
   */
  async edit(caller: Caller, id: string, expectedRevision: number, input: EditMemoryInput): Promise<EditedMemory> {
    if (expectedRevision < 1) throw refuse('range', '`expectedRevision` begins at 1.');
    const request: EditRequest = {
      ...{ caller, id, expectedRevision },
      edit: parseEdit(input),
      // Null says something here.
      requestHash: hashOf({ id, expectedRevision, input: inNameOrder(input) }),
      now: this.clock.now(),
    };
    try {
      return { ...this.toEdited(await this.run(request), request), redacted: [...removedFrom(input)] };
    } catch (error) {
      if (isRefused(error)) throw notYours();
      throw error;
    }
  }

  private async run(request: EditRequest): Promise<EditOutcome> {
    const { caller } = request;
    const begun = await this.doors.asTenant(caller, async (tx) => {
      const known = await findRepeatedEdit(tx, request);
      return known === null ? { record: await requireEditable(tx, request) } : { known };
    });
    if ('known' in begun) return begun.known;
    const embedded = await this.read(request, begun.record);
    return this.queue.run(`${caller.tenantId} ${caller.userId}`, () =>
      this.doors.asTenant(caller, (tx) => storeEdit(tx, request, embedded)),
    );
  }

  /** Vectors of the new words, read between the two transactions: none waits for an encoder. */
  private async read({ caller, edit }: EditRequest, record: MemoryRecord): Promise<EmbeddedNow | null> {
    const content = applyEdit(record, edit);
    return hasOtherWords(record, content) ? this.embedder.embed(caller, { ...content, merge: 'auto' }) : null;
  }

  private toEdited(
    { record, changed, around }: EditOutcome,
    { caller, now }: EditRequest,
  ): Omit<EditedMemory, 'redacted'> {
    if (record.embeddingState === 'pending') this.loop.wake();
    const toNear = nearMapper(caller, now);
    return {
      memory: toMemory(record, caller.userId, now),
      changed: [...changed],
      near: around.near.slice(0, CLOSE_SHOWN).map(toNear),
      conflicts: around.conflicts.slice(0, CLOSE_SHOWN).map(toNear),
      superseded: around.superseded.slice(0, CLOSE_SHOWN).map(toNear),
    };
  }
}
