import { type Doors, isRefused, type Tx } from '@tempera/platform';
import { notLoggedIn, type OperatorCaller } from '../auth/caller.js';

/**
 * Work inside the operators' door.
 * @throws AppError `unauthenticated` for who was disabled a moment ago, within the life of the session check
 */
export const insideOperatorDoor = async <T>(
  doors: Doors,
  { operatorId }: OperatorCaller,
  work: (tx: Tx) => Promise<T>,
): Promise<T> => {
  try {
    return await doors.asOperator(operatorId, work);
  } catch (error) {
    throw isRefused(error) ? notLoggedIn() : error;
  }
};
