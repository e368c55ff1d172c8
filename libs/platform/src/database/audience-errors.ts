import { AppError } from '@tempera/client-kit';

/** What the functions of groups, audiences and proposals raise (class TM, 071 and on), as what the caller is told. */
export const audienceErrors: Readonly<Record<string, () => AppError>> = {
  TM071: () =>
    new AppError(
      'conflict',
      'group-not-empty',
      'Memories are shared with the group through this. Move them back to their projects first.',
    ),
  TM072: () =>
    new AppError(
      'forbidden',
      'review-required',
      'The project reviews what is shared into it: propose the memory, or let a maintainer change it.',
    ),
  TM073: () => new AppError('not-found', 'no-such-proposal', 'No such proposal.'),
  TM074: () => new AppError('conflict', 'proposal-decided', 'The proposal was decided, withdrawn or outdated before.'),
  TM075: () => new AppError('not-found', 'no-such-memory', 'No such memory.'),
  TM076: () => new AppError('forbidden', 'not-the-owner', 'Only its owner moves a memory to another audience.'),
  TM077: () =>
    new AppError('conflict', 'audience-changed', 'The memory was moved since, or what it was shared with is gone.'),
  TM078: () =>
    new AppError(
      'conflict',
      'wrong-direction',
      'Sharing does not narrow who sees a memory, and demoting does not widen it.',
    ),
  TM079: () =>
    new AppError('conflict', 'cannot-receive', 'That person could not have captured the memory where it is shared.'),
  TM07A: () => new AppError('not-found', 'no-such-change', 'No such change.'),
  TM07B: () =>
    new AppError(
      'forbidden',
      'not-the-decider',
      'Maintainers of the target decide a proposal; its proposer withdraws it.',
    ),
};
