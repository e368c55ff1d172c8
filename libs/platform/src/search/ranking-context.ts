import type { RecallRule, Settings, UserId } from '@tempera/core';
import type { EncoderCard, EncoderId } from '../embedding/exports.js';

/** Who asks, when, and by which rules the candidates are put in order. */
export interface RankingContext {
  readonly askerId: UserId;
  readonly now: Date;
  /** The cards of the encoders that read the question. */
  readonly cards: ReadonlyMap<EncoderId, EncoderCard>;
  /** The card of the question's language, for memories and questions without vectors. */
  readonly defaultCard: EncoderCard;
  readonly settings: Settings;
  /** In their order; the shipped ones go before them. */
  readonly rules: readonly RecallRule[];
}
