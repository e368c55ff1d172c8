import { type DoctorFinding, DoctorVerdict } from './doctor.types.js';

export const fine = (name: string, detail: string): DoctorFinding => ({
  name,
  verdict: DoctorVerdict.OK,
  detail,
  advice: null,
});
export const warning = (name: string, detail: string, advice: string): DoctorFinding => ({
  name,
  verdict: DoctorVerdict.WARNING,
  detail,
  advice,
});
export const failure = (name: string, detail: string, advice: string): DoctorFinding => ({
  name,
  verdict: DoctorVerdict.FAILURE,
  detail,
  advice,
});

/** Three missed signs of life. */
export const ALIVE_SECONDS = 30;
/** The engine is asked with each sign of life; a while longer, since one answer may be late. */
const ENGINE_SECONDS = 60;
/** Work that waits longer than this has nobody to do it. */
const LAG_SECONDS = 900;

const ago = (seconds: number): string =>
  seconds < 120
    ? `${Math.round(seconds)} s`
    : seconds < 7_200
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3_600)} h`;

export const lookAtWorker = (seconds: number | null): DoctorFinding => {
  if (seconds !== null && seconds <= ALIVE_SECONDS) return fine('worker', `last heard of ${ago(seconds)} ago`);
  const detail = seconds === null ? 'none has shown a sign of life for a day' : `last heard of ${ago(seconds)} ago`;
  return failure('worker', detail, 'Start a worker, or read its log: nights, schedules and erasures wait for it.');
};

/** As the worker reports it; nothing else asks the engine. */
export const lookAtEngine = (workerSeconds: number | null, seconds: number | null): DoctorFinding => {
  if (workerSeconds === null || workerSeconds > ALIVE_SECONDS)
    return warning('workflow engine', 'no worker is there to tell', 'Start a worker first.');
  if (seconds !== null && seconds <= ENGINE_SECONDS)
    return fine('workflow engine', `answered the worker ${ago(seconds)} ago`);
  const detail = seconds === null ? 'has not answered the worker' : `last answered the worker ${ago(seconds)} ago`;
  return failure(
    'workflow engine',
    detail,
    'Look at Temporal and at TEMPORAL_ADDRESS; captures and questions go on without it.',
  );
};

export interface Waiting {
  readonly waiting: number;
  readonly stuck: number;
  readonly oldestSeconds: number;
}

export const lookAtOutbox = (name: string, { waiting, stuck, oldestSeconds }: Waiting): DoctorFinding => {
  const detail = `${waiting} waiting, the oldest for ${ago(oldestSeconds)}${stuck > 0 ? `; ${stuck} tried ten times and more` : ''}`;
  if (stuck > 0)
    return failure(name, detail, 'Read the log of the API and the worker for the reason they give with each attempt.');
  if (waiting > 0 && oldestSeconds > LAG_SECONDS)
    return warning(
      name,
      detail,
      'Nobody does this work, or it is more than they can do: look at the worker and the encoders.',
    );
  return fine(name, detail);
};
