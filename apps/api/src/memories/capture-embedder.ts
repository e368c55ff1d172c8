import { Inject, Injectable } from '@nestjs/common';
import {
  type Doors,
  type EncoderId,
  encoderNameOf,
  type EncoderPool,
  fullTextOf,
  hasOverlap,
  type TenantEncoders,
  type TextEmbedding,
  toKeywords,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { DOORS, ENCODERS } from '../platform/platform.tokens.js';
import type { CaptureDraft } from './parse-capture.js';
import type { EncodersMoved } from '../encoders/encoders-moved.js';
import { KnownEncoders } from '../encoders/known-encoders.js';
import { encodersFor } from './ready-encoders.js';
import { splitBy } from './split-by.js';

/**
 * Texts up to here are embedded before a capture is acknowledged: about 128 tokens of prose (7 to 12 ms); 512 would take 70
 * to 100 ms. Bytes, because counting tokens is work for the encoders' thread too.
 */
const BYTES_AT_ONCE = 600;
/** An encoder that is busy longer than this embeds later. */
const DEADLINE_MS = 2_000;
/** A text that shares this much of its words with a stored one may repeat it. */
const REPETITION_SHARE = 0.6;

/** What there is to read. */
type Readable = Pick<CaptureDraft, 'title' | 'text' | 'kind' | 'merge'> & Partial<Pick<CaptureDraft, 'promptKey'>>;

/** The vectors of a text, as far as they could be had at once. */
export interface EmbeddedNow {
  readonly embeddings: readonly TextEmbedding[];
  /** Of the encoder that the tenant is changing to: kept, and compared with nothing yet. */
  readonly beside: readonly TextEmbedding[];
  /** False: more is promised for later. */
  readonly isComplete: boolean;
  /** The tenant's encoders, as they were believed to be; null: none was asked. */
  readonly encoders: TenantEncoders | null;
}

/** Nothing at hand: all is promised. */
export const LATER: EmbeddedNow = { embeddings: [], beside: [], isComplete: false, encoders: null };

/** The encoder that a tenant is changing to, where it is of a model that reads the text. */
export const alsoBy = (coming: EncoderId | null, wanted: readonly EncoderId[]): EncoderId[] => {
  const models = wanted.map(encoderNameOf);
  return coming !== null && models.includes(encoderNameOf(coming)) ? [coming] : [];
};

/** Embeds a text while its author waits, where it is short or seems to repeat something; the rest is left to the loop. */
@Injectable()
export class CaptureEmbedder {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(ENCODERS) private readonly encoders: EncoderPool,
    private readonly known: KnownEncoders,
  ) {}

  /** Reads a text once more, by the encoders that its transaction found. */
  async again(caller: Caller, draft: Readable, { encoders }: EncodersMoved): Promise<EmbeddedNow> {
    this.known.learn(caller.tenantId, encoders);
    return this.embed(caller, draft);
  }

  /** An encoder that is away, slow or broken means later. @throws only what the database does */
  async embed(caller: Caller, draft: Readable): Promise<EmbeddedNow> {
    const text = fullTextOf(draft);
    const encoders = this.known.of(caller.tenantId);
    const { active, coming } = encoders;
    const { wanted, ready } = await encodersFor(this.encoders, text, active);
    if (ready.length < wanted.length) return LATER;
    if (Buffer.byteLength(text) > BYTES_AT_ONCE && !(await this.mayRepeat(caller, draft))) return LATER;
    const exactly = [...wanted, ...alsoBy(coming, wanted)];
    const options = { exactly, tenantId: caller.tenantId, urgency: 'capture', deadlineMs: DEADLINE_MS } as const;
    const read = await this.encoders.embedText(text, options);
    const { embeddings, beside, missing } = splitBy(read, wanted);
    return { embeddings, beside, isComplete: missing.length === 0, encoders };
  }

  /** Merging needs vectors, and is done at capture or never; so a long text that looks like a known one is read at once. */
  private async mayRepeat(caller: Caller, draft: Readable): Promise<boolean> {
    if (draft.merge === 'never') return false;
    // The first of them may be on its way still.
    if ((draft.promptKey ?? null) !== null) return true;
    const { terms, length } = toKeywords(fullTextOf(draft));
    return this.doors.asTenant(caller, (tx) =>
      hasOverlap(tx, {
        tenantId: caller.tenantId,
        kind: draft.kind,
        terms: [...terms.keys()],
        length,
        share: REPETITION_SHARE,
      }),
    );
  }
}
