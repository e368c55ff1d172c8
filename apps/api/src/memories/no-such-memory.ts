import { AppError } from '@tempera/client-kit';

/** What is hidden and what is missing are answered by the same bytes: these. */
export const noSuchMemory = (): AppError => new AppError('not-found', 'no-such-memory', 'No such memory.');
