import { AppError } from '@tempera/client-kit';

/** Answers alike for a person of another tenant and for one who never was. */
export const noSuchUser = (): AppError => new AppError('not-found', 'no-such-user', 'No such user.');
