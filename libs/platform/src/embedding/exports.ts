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
export {
  type ActiveEncoders,
  ENCODER_CARDS,
  encoderNameOf,
  folderNameOf,
  STANDARD_ENCODERS,
} from './encoder-catalogue.js';
export { EncoderDesk, type EncoderDeskOptions } from './encoder-desk.js';
export type { EncoderHost, ReadingProgress, ReadingStart } from './encoder-host.js';
export { encodersOf, EncoderPool, type EncoderPoolOptions } from './encoder-pool.js';
export type { EncoderState, EncoderStatus } from './encoder-slot.js';
export type { Encoder, LoadEncoder } from './encoder.js';
export { readFurtherEncoders } from './further-encoders.js';
export { calibrationOf, minimumRelevance } from './relevance.js';
export { EncoderThread, type EncoderThreadOptions } from './thread/encoder-thread.js';
export { type ModelSource, transformersLoader } from './transformers-encoder.js';
