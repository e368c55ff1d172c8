import { AppError } from '@tempera/client-kit';

/** @returns what the promise gives, or rejects with `unavailable` when it has not settled in time. */
export async function withinDeadline<T>(promise: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(deadlinePassed(deadlineMs)), deadlineMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The error of an encoder that did not answer in time. */
export function deadlinePassed(deadlineMs: number): AppError {
  return new AppError(
    'unavailable',
    'encoder-deadline',
    `The encoder did not answer within ${Math.round(deadlineMs)} ms.`,
  );
}
