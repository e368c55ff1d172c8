import { durations, inSpan } from '@tempera/platform';

/** The parts of a piece of work, in their order; what a whole takes is in the requests. */
export const STAGES = {
  request: ['auth', 'limits', 'turn'],
  retrieve: ['embed', 'search', 'rank', 'choose', 'read', 'record'],
  capture: ['embed', 'queue', 'look', 'keep'],
} as const;

export type Work = keyof typeof STAGES;

const stageSeconds = durations('tempera_stage_duration_seconds', 'Parts of requests, retrievals and captures.', [
  'work',
  'stage',
]);

/** Does one part of a piece of work, and notes how long it took. */
export const inStage = async <W extends Work, T>(
  work: W,
  stage: (typeof STAGES)[W][number],
  part: () => Promise<T>,
): Promise<T> => {
  const done = stageSeconds.startTimer({ work, stage });
  try {
    return await inSpan(`${work} ${stage}`, {}, part);
  } finally {
    done();
  }
};
