import { ENCODER_CARDS, type EncoderStatus } from '@tempera/platform';
import type { DoctorFinding } from './doctor.types.js';
import { failure, fine, warning } from './finding.js';

/** Each encoder of the API that answers; a ready one has the weights of its card, since others are refused. */
export const lookAtEncoders = (statuses: readonly EncoderStatus[]): DoctorFinding[] =>
  statuses.map(({ name, state, reason }) => {
    const digest = ENCODER_CARDS[name].weightsSha256.slice(0, 12);
    const what = `encoder ${name}`;
    if (state === 'ready') return fine(what, `ready, weights ${digest}`);
    if (state === 'idle' || state === 'loading') return warning(what, 'not loaded yet', 'Ask again in a moment.');
    const detail = reason ?? state;
    return state === 'refused'
      ? failure(what, detail, `Put the files of its card there: weights that begin with ${digest}.`)
      : warning(what, detail, 'Set EMBEDDING_MODEL_DIR; until then its texts are found by words alone.');
  });
