import { Inject, Injectable } from '@nestjs/common';
import {
  type ActiveEncoders,
  chooseEncoders,
  ENCODER_CARDS,
  type EncoderCard,
  type EncoderPool,
  type QuestionEmbedding,
  type TenantEncoders,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { KnownEncoders } from '../encoders/known-encoders.js';
import { alsoBy } from '../memories/capture-embedder.js';
import { encodersFor } from '../memories/ready-encoders.js';
import { inStage } from '../telemetry/stage.js';
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
  /** The tenant's encoders, as they were believed to be; null: none was asked. */
  readonly active: ActiveEncoders | null;
}

const standardCard = (text: string): EncoderCard => ENCODER_CARDS[chooseEncoders(text)[0] ?? 'bge-small-en-v1.5'];

/** A question that is put to words alone. */
export const unread = (text: string): ReadQuestion => ({
  embeddings: [],
  card: standardCard(text),
  isEncoderAway: false,
  active: null,
});

@Injectable()
export class QuestionReader {
  constructor(
    @Inject(ENCODERS) private readonly encoders: EncoderPool,
    private readonly known: KnownEncoders,
  ) {}

  /** Works with a question as the tenant's encoders read it, and again where the transaction finds that they changed. */
  asking<T>(caller: Pick<Caller, 'tenantId'>, text: string, work: (read: ReadQuestion) => Promise<T>): Promise<T> {
    return this.known.settled(caller.tenantId, async ({ active }) =>
      work(await inStage('retrieve', 'embed', () => this.read(caller, text, active))),
    );
  }

  /** A question that is kept with a vote, also as the encoder reads it that the tenant is changing to. */
  async readToKeep(
    { tenantId }: Pick<Caller, 'tenantId'>,
    text: string,
    { active, coming }: TenantEncoders,
  ): Promise<readonly QuestionEmbedding[]> {
    const { wanted, ready } = await encodersFor(this.encoders, text, active);
    const exactly = [...ready, ...alsoBy(coming, wanted)];
    if (exactly.length === 0) return [];
    const options = { tenantId, exactly, deadlineMs: DEADLINE_MS };
    return (await this.encoders.embedQuestion(text, options)).embeddings;
  }

  /** Never fails: without an encoder there are no vectors. */
  async read({ tenantId }: Pick<Caller, 'tenantId'>, text: string, active: ActiveEncoders): Promise<ReadQuestion> {
    const { wanted, ready } = await encodersFor(this.encoders, text, active);
    const [first] = wanted;
    const card = (first === undefined ? undefined : this.encoders.cards.get(first)) ?? standardCard(text);
    if (ready.length === 0) return { embeddings: [], card, isEncoderAway: wanted.length > 0, active };
    const { embeddings } = await this.encoders.embedQuestion(text, {
      tenantId,
      exactly: ready,
      deadlineMs: DEADLINE_MS,
    });
    return { embeddings, card, isEncoderAway: embeddings.length === 0, active };
  }
}
