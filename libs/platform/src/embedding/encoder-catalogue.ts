import english from './cards/bge-small-en-v1.5.json' with { type: 'json' };
import chinese from './cards/bge-small-zh-v1.5.json' with { type: 'json' };
import {
  type EncoderCard,
  type EncoderId,
  encoderIdOf,
  ENCODER_NAMES,
  type EncoderName,
  parseEncoderCard,
} from './encoder-card.js';

/** The cards that ship with the product, by name. Parsed once: a wrong card stops the program at start. */
export const ENCODER_CARDS: Readonly<Record<EncoderName, EncoderCard>> = {
  'bge-small-en-v1.5': parseEncoderCard(english),
  'bge-small-zh-v1.5': parseEncoderCard(chinese),
};

/** Which encoder reads the texts of each model's language. */
export type ActiveEncoders = Readonly<Record<EncoderName, EncoderId>>;

/**
 * What a tenant has that never changed its encoders. These stay what they are for the life of an instance: another
 * quantisation comes as a further encoder, to which each tenant changes when it is ready (docs/design.md R14).
 */
export const STANDARD_ENCODERS: ActiveEncoders = {
  'bge-small-en-v1.5': encoderIdOf(ENCODER_CARDS['bge-small-en-v1.5']),
  'bge-small-zh-v1.5': encoderIdOf(ENCODER_CARDS['bge-small-zh-v1.5']),
};

/** Cards by encoder: the standard ones, in the order of their names, and further ones. */
export const cardsOf = (further: readonly EncoderCard[] = []): ReadonlyMap<EncoderId, EncoderCard> =>
  new Map([...ENCODER_NAMES.map((name) => ENCODER_CARDS[name]), ...further].map((card) => [encoderIdOf(card), card]));

export const isStandard = (card: EncoderCard): boolean => STANDARD_ENCODERS[card.name] === encoderIdOf(card);

/** The model of an encoder, which its id begins with; null for one that no catalogue ever had. */
export const encoderNameOf = (encoder: string): EncoderName | null =>
  ENCODER_NAMES.find((name) => encoder.startsWith(`${name}@`)) ?? null;

/** The folder of an encoder's files below EMBEDDING_MODEL_DIR. */
export const folderNameOf = (card: EncoderCard): string => (isStandard(card) ? card.name : encoderIdOf(card));
