import type { Embedded, EncoderId, TextEmbedding } from '@tempera/platform';

/** What was read of a text. What lacks of the encoder to come, the change itself looks after. */
export interface ReadNow extends Embedded<TextEmbedding> {
  readonly beside: readonly TextEmbedding[];
}

/** @param wanted the encoders that count */
export const splitBy = ({ embeddings, missing }: Embedded<TextEmbedding>, wanted: readonly EncoderId[]): ReadNow => {
  const isActive = ({ encoder }: { readonly encoder: EncoderId }): boolean => wanted.includes(encoder);
  return {
    embeddings: embeddings.filter(isActive),
    beside: embeddings.filter((embedding) => !isActive(embedding)),
    missing: missing.filter(isActive),
  };
};
