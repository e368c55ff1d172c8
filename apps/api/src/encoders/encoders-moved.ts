import { AppError } from '@tempera/client-kit';
import { type ActiveEncoders, haveSameEncoders, type TenantEncoders } from '@tempera/platform';

/** The tenant changed its encoders since a text was read: nothing was done, and the text is to be read again. */
export class EncodersMoved extends AppError {
  constructor(readonly active: ActiveEncoders) {
    super('conflict', 'encoders-moved', 'The encoders are being changed just now; ask again.');
  }
}

/**
 * In the transaction that is to use a text's vectors: only those of the encoders that are active in it may be compared.
 * @param read the encoders that the text was given to; null where it was given to none
 * @throws EncodersMoved
 */
export const requireActive = (read: ActiveEncoders | null, { active }: Pick<TenantEncoders, 'active'>): void => {
  if (read !== null && !haveSameEncoders(read, active)) throw new EncodersMoved(active);
};
