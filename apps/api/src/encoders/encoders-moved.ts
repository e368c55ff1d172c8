import { AppError } from '@tempera/client-kit';
import { type ActiveEncoders, areActive, type TenantEncoders } from '@tempera/platform';

/** The tenant changed its encoders since a text was read: nothing was done, and the text is to be read again. */
export class EncodersMoved extends AppError {
  constructor(readonly encoders: TenantEncoders) {
    super('conflict', 'encoders-moved', 'The encoders are being changed just now; ask again.');
  }
}

/**
 * In the transaction that is to use a question's vectors: only those of the encoders that are active in it may be compared.
 * @param read the encoders that the question was given to; null where it was given to none
 * @throws EncodersMoved
 */
export const requireActive = (read: ActiveEncoders | null, present: TenantEncoders): void => {
  if (read !== null && !areActive(read, present)) throw new EncodersMoved(present);
};

/**
 * In the transaction that is to keep a text's vectors: none may lack of an encoder that its tenant is changing to.
 * @param read as for {@link requireActive}. @throws EncodersMoved
 */
export const requireEncoders = (read: TenantEncoders | null, present: TenantEncoders): void => {
  requireActive(read === null ? null : read.active, present);
  if (read !== null && present.coming !== null && read.coming !== present.coming) throw new EncodersMoved(present);
};
