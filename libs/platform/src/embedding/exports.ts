export { chooseEncoders } from './choose-encoders.js';
export type { Embedded, EmbedOptions, MissingEmbedding, QuestionEmbedding, TextEmbedding } from './embedded.js';
export {
  type EncoderCard,
  type EncoderId,
  ENCODER_NAMES,
  encoderIdOf,
  type EncoderName,
  parseEncoderCard,
} from './encoder-card.js';
export { ENCODER_CARDS } from './encoder-catalogue.js';
export { EncoderPool, type EncoderPoolOptions } from './encoder-pool.js';
export type { EncoderState, EncoderStatus } from './encoder-slot.js';
export type { Encoder, LoadEncoder } from './encoder.js';
export { calibratedRelevance, minimumRelevance, type RelevanceInput } from './relevance.js';
export { splitText } from './split-text.js';
export { type ModelSource, transformersLoader } from './transformers-encoder.js';
