import { AppError } from '@tempera/client-kit';
import { type EncoderCard, type EncoderId, encoderIdOf } from './encoder-card.js';

/**
 * The weights found are not those of the card. Refused rather than used: thresholds and stored vectors belong to one
 * quantisation, and a silent change would compare vectors of two spaces.
 */
export function encoderRefused(card: EncoderCard, actualSha256: string): AppError {
  const wanted = encoderIdOf(card);
  const found = encoderIdOf(card, actualSha256);
  return new AppError(
    'unavailable',
    'encoder-refused',
    `Encoder refused: the weights of ${card.name} are ${found} (sha256 ${actualSha256}), but the card is for ${wanted} (sha256 ${card.weightsSha256}).`,
    { details: { wanted, found } },
  );
}

/** A tenant's encoder whose files were not there when this process started. */
export function encoderUnknown(encoder: EncoderId): AppError {
  return new AppError('unavailable', 'encoder-unknown', `There is no ${encoder} below EMBEDDING_MODEL_DIR.`);
}
