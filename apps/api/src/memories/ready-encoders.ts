import type { ActiveEncoders, EncoderId, EncoderPool } from '@tempera/platform';

/** A model that is just being loaded is worth waiting for: it takes a second, once after a start. */
const LOADING_PATIENCE_MS = 2_000;

export interface EncodersForText {
  /** The encoders of its language. */
  readonly wanted: readonly EncoderId[];
  /** Those of them that can read now. */
  readonly ready: readonly EncoderId[];
}

/** The encoders of a text. Nobody waits for one that is away; the embedding loop looks out for it. */
export const encodersFor = async (
  encoders: EncoderPool,
  text: string,
  active: ActiveEncoders,
): Promise<EncodersForText> => {
  const wanted = encoders.chosen(text, { active });
  const inState = (...states: readonly string[]): EncoderId[] =>
    encoders
      .statuses()
      .flatMap(({ encoder, state }) => (wanted.includes(encoder) && states.includes(state) ? encoder : []));
  const coming = inState('idle', 'loading');
  if (coming.length > 0) await settledWithin(encoders.prepare(coming), LOADING_PATIENCE_MS);
  return { wanted, ready: inState('ready') };
};

const settledWithin = async (work: Promise<unknown>, patienceMs: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([work, patience]).finally(() => clearTimeout(timer));
};
