import { type EncoderStatus, STANDARD_ENCODERS } from '@tempera/platform';
import type { DoctorFinding } from './doctor.types.js';
import { failure, fine, warning } from './finding.js';

/** Each encoder of the API that answers; a ready one has the weights of its card, since others are refused. */
export const lookAtEncoders = (statuses: readonly EncoderStatus[]): DoctorFinding[] =>
  statuses.map(({ name, encoder, state, reason }) => {
    const digest = encoder.slice(name.length + 1);
    const what = `encoder ${STANDARD_ENCODERS[name] === encoder ? name : encoder}`;
    if (state === 'ready') return fine(what, `ready, weights ${digest}`);
    if (state === 'idle' || state === 'loading') return warning(what, 'not loaded yet', 'Ask again in a moment.');
    const detail = reason ?? state;
    return state === 'refused'
      ? failure(what, detail, `Put the files of its card there: weights that begin with ${digest}.`)
      : warning(what, detail, 'Set EMBEDDING_MODEL_DIR; until then its texts are found by words alone.');
  });
