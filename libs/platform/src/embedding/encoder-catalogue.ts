import english from './cards/bge-small-en-v1.5.json' with { type: 'json' };
import chinese from './cards/bge-small-zh-v1.5.json' with { type: 'json' };
import { type EncoderCard, type EncoderName, parseEncoderCard } from './encoder-card.js';

/** The cards that ship with the product, by name. Parsed once: a wrong card stops the program at start. */
export const ENCODER_CARDS: Readonly<Record<EncoderName, EncoderCard>> = {
  'bge-small-en-v1.5': parseEncoderCard(english),
  'bge-small-zh-v1.5': parseEncoderCard(chinese),
};
