import type { EncoderName, EncoderPool } from '@tempera/platform';

/** The encoders that read a text, and those of them that can do so now: nobody waits for a model to load. */
export const readyEncoders = (
  encoders: EncoderPool,
  text: string,
): { readonly wanted: readonly EncoderName[]; readonly ready: readonly EncoderName[] } => {
  const able = new Set(encoders.statuses().flatMap(({ name, state }) => (state === 'ready' ? name : [])));
  const wanted = encoders.chosen(text);
  return { wanted, ready: wanted.filter((name) => able.has(name)) };
};
