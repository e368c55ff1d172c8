import { AppError } from '@tempera/client-kit';
import type { World } from '../world.js';
import { askLine } from './prompt.js';

/** How sure the person must be: `bind` takes Enter for a yes, `destroy` wants it typed. */
export type Gravity = 'bind' | 'destroy';

const YES = { bind: /^(?:|y|yes)$/i, destroy: /^(?:y|yes)$/i } as const;

/**
 * Asks before something is done that cannot be taken back, or that others notice.
 *
 * @param isSure `--yes` was said
 * @throws AppError `invalid-input` without a yes: nothing was done
 */
export const confirm = async (
  question: string,
  gravity: Gravity,
  isSure: boolean,
  world: Pick<World, 'stdin' | 'stderr'>,
): Promise<void> => {
  if (isSure) return;
  if (world.stdin.isTTY !== true) {
    throw new AppError('invalid-input', 'unconfirmed', `This needs a yes: ${question}`, {
      details: { fix: 'Say --yes in a script.' },
    });
  }
  const answer = await askLine(world, `${question} ${gravity === 'bind' ? '[Y/n]' : '[y/N]'} `);
  if (YES[gravity].test(answer.trim())) return;
  throw new AppError('invalid-input', 'cancelled', 'Cancelled.', { details: { fix: 'Nothing was changed.' } });
};
