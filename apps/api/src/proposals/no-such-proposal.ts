import { AppError } from '@tempera/client-kit';

/** A proposal that is not the caller's and not his to decide answers like one that is not there. */
export const noSuchProposal = (): AppError => new AppError('not-found', 'no-such-proposal', 'No such proposal.');
