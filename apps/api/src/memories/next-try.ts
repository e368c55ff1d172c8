import type { EmbeddingState, MissingEmbedding } from '@tempera/platform';

/** A failing encoder may recover; what crashes it or takes too long does so every time. */
export const MAX_ATTEMPTS = 8;
const MAX_HARMFUL_ATTEMPTS = 3;
/** The last try, by a memory that is shown as failed already. */
const LAST_RETRY_SECONDS = 3_600;
/** An encoder that is not there, or taken by others, is no fault of the memory. */
const AWAY_RETRY_SECONDS = 10;

interface NextTry {
  readonly state: 'pending' | 'failed';
  /** null: there is none. */
  readonly delaySeconds: number | null;
}

/** The attempts that each fault of the text itself gets; any other code says that the encoder was not to be had. */
const ATTEMPTS: Readonly<Record<string, number>> = {
  'encoder-failed': MAX_ATTEMPTS,
  'encoder-crashed': MAX_HARMFUL_ATTEMPTS,
  'encoder-too-slow': MAX_HARMFUL_ATTEMPTS,
};

/** @param before the state in which the memory was found: failed, if this was its last try */
export const nextTry = ({ error }: MissingEmbedding, attempts: number, before: EmbeddingState): NextTry => {
  const allowed = ATTEMPTS[error.code];
  if (allowed === undefined) return { state: 'pending', delaySeconds: AWAY_RETRY_SECONDS };
  if (attempts < allowed) return { state: 'pending', delaySeconds: 2 ** attempts };
  return { state: 'failed', delaySeconds: before === 'failed' ? null : LAST_RETRY_SECONDS };
};
