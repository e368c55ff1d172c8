import { Inject, Injectable } from '@nestjs/common';
import {
  chooseEncoders,
  ENCODER_CARDS,
  type EncoderCard,
  type EncoderName,
  type EncoderPool,
  type QuestionEmbedding,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { encodersFor } from '../memories/ready-encoders.js';
import { ENCODERS } from '../platform/platform.tokens.js';

/** Someone waits; a question that takes longer is answered by its words. */
const DEADLINE_MS = 3_000;

/** A question as the encoders of its language read it. */
export interface ReadQuestion {
  /** Empty while no encoder is ready. */
  readonly embeddings: readonly QuestionEmbedding[];
  /** There is an encoder for its language, but not now. */
  readonly isEncoderAway: boolean;
  /** The card of its language, also where the encoder is away. */
  readonly card: EncoderCard;
}

const cardOf = ([name]: readonly EncoderName[]): EncoderCard => ENCODER_CARDS[name ?? 'bge-small-en-v1.5'];

/** A question that is put to words alone. */
export const unread = (text: string): ReadQuestion => ({
  embeddings: [],
  card: cardOf(chooseEncoders(text)),
  isEncoderAway: false,
});

@Injectable()
export class QuestionReader {
  constructor(@Inject(ENCODERS) private readonly encoders: EncoderPool) {}

  /** Never fails: without an encoder there are no vectors. */
  async read({ tenantId }: Pick<Caller, 'tenantId'>, text: string): Promise<ReadQuestion> {
    const { wanted, ready } = await encodersFor(this.encoders, text);
    const card = cardOf(wanted);
    if (ready.length === 0) return { embeddings: [], card, isEncoderAway: wanted.length > 0 };
    const { embeddings } = await this.encoders.embedQuestion(text, {
      tenantId,
      exactly: ready,
      deadlineMs: DEADLINE_MS,
    });
    return { embeddings, card, isEncoderAway: embeddings.length === 0 };
  }
}
