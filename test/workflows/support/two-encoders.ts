import { createHash } from 'node:crypto';
import { AppError } from '@tempera/client-kit';
import {
  type Encoder,
  ENCODER_CARDS,
  type EncoderCard,
  EncoderDesk,
  type EncoderId,
  encoderIdOf,
  EncoderPool,
} from '@tempera/platform';

/** The English standard encoder, and another quantisation of its model. */
export const OLD_CARD = ENCODER_CARDS['bge-small-en-v1.5'];
export const NEW_CARD: EncoderCard = { ...OLD_CARD, weightsSha256: createHash('sha256').update('new').digest('hex') };
export const OLD = encoderIdOf(OLD_CARD);
export const NEW = encoderIdOf(NEW_CARD);

/** What the encoders were given, and how a test stops them. */
export interface TwoEncoders {
  readonly pool: EncoderPool;
  /** Texts by encoder, as often as they were read. */
  readonly reads: ReadonlyMap<EncoderId, Map<string, number>>;
  /** The new encoder reads so many texts more; then it is away until {@link TwoEncoders.release}. */
  readonly hold: (after: number) => void;
  readonly release: () => void;
}

const words = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** Words as directions, other ones for each encoder: a vector of one says nothing to the other. */
const vectorOf = (card: EncoderCard, text: string): Float32Array => {
  const vector = new Float32Array(card.dimensions);
  for (const word of words(text)) {
    const digest = createHash('sha256').update(`${card.weightsSha256} ${word}`).digest();
    const place = digest.readUInt16BE(0) % card.dimensions;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const norm = Math.hypot(...vector) || 1;
  return vector.map((value) => value / norm);
};

/** Two encoders of one model that cost nothing; the new one fails on texts with the word "poison". */
export const twoEncoders = (): TwoEncoders => {
  const reads = new Map([OLD, NEW].map((id) => [id, new Map<string, number>()]));
  let left = Number.POSITIVE_INFINITY;
  const gate = (): void => {
    if (left <= 0) throw new AppError('unavailable', 'encoder-away', 'The test holds it.');
    left -= 1;
  };
  const load = async (card: EncoderCard): Promise<Encoder> => ({
    id: encoderIdOf(card),
    card,
    countTokens: (text) => words(text).length,
    embed: async (text) => {
      const counts = reads.get(encoderIdOf(card));
      if (encoderIdOf(card) === NEW) gate();
      counts?.set(text, (counts.get(text) ?? 0) + 1);
      if (encoderIdOf(card) === NEW && text.includes('poison')) throw new Error('cannot read this');
      return vectorOf(card, text);
    },
    dispose: async () => undefined,
  });
  const now = (): number => performance.now();
  const host = new EncoderDesk({ load, further: [NEW_CARD], now });
  return {
    pool: new EncoderPool({ host, further: [NEW_CARD], now }),
    reads,
    hold: (after) => (left = after),
    release: () => (left = Number.POSITIVE_INFINITY),
  };
};
